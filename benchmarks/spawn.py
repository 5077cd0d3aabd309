"""Run one command and print what it cost, as JSON.

A program's peak of memory begins at the size of the process that starts it, so this one imports as
little as it can.

    python benchmarks/spawn.py SECONDS FOLDER COMMAND …
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import threading
import time


def main(limit: str, folder: str, *command: str) -> None:
    """Print seconds, megabytes, exit code and the end of what was said on stderr."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=folder,
    )
    assert process.stderr
    stop = threading.Timer(float(limit), process.kill)
    stop.start()
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    stop.cancel()
    unit = 1024**2 if platform.system() == "Darwin" else 1024
    told = {
        "seconds": seconds,
        "megabytes": usage.ru_maxrss / unit,
        "exit_code": os.waitstatus_to_exitcode(status),
        "said": said.decode(errors="replace")[-2000:],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
