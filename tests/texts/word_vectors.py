"""Embeddings of a packaged model: the mean of what it has learnt for each piece of a text.

The weights and the pieces are those in the package wordllama, whose own code is not run. Such means
do not see negation; they are real vectors, of 256 numbers, and that is what they are here for.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

from tests.packaged import folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS = "weights/l2_supercat_256.safetensors"
PIECES = "tokenizers/l2_supercat_tokenizer_config.json"


@functools.cache
def pieces() -> Tokenizer:
    return Tokenizer.from_file(str(folder("wordllama") / PIECES))


@functools.cache
def weights() -> NDArray[np.float32]:
    """Return a row of numbers for each piece, from a file whose head says where they are."""
    written = (folder("wordllama") / WEIGHTS).read_bytes()
    start = 8 + int.from_bytes(written[:8], "little")
    (told,) = json.loads(written[8:start]).values()
    assert told["dtype"] == "F16"
    first, last = (start + offset for offset in told["data_offsets"])
    numbers = np.frombuffer(written[first:last], dtype="<f2").reshape(told["shape"])
    return numbers.astype(np.float32)


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return an embedding of each text, one in a row; zeros for a text without pieces."""
    encoded = [one.ids for one in pieces().encode_batch(list(texts), add_special_tokens=False)]
    rows = [weights()[ids].mean(axis=0) if ids else np.zeros(256, np.float32) for ids in encoded]
    return np.stack(rows)
