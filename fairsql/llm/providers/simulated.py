"""A judge that is none: it reads no texts, asks no model, and says so in every reason.

It is there to try a pipeline, and to see whether tests recover what is known. What it says of a
text follows from a hash of it, or from a mark in it, and from ``parameters``:

``truth``
    ``hash`` (default): a value from 0 to 1 that is even over texts. ``mark``: the number of the
    first ``{{truth 0.3}}`` in the text, or 0.
``bias``, ``noise``
    What is added to every value, and the half width of an even error that depends on the text.
``position_preference``
    By how much a pair is judged further apart when the side that is better off stands first.
``error_rate``, ``error_mark``
    The share of replies that are none; of the texts that hold ``error_mark`` alone, if it is given.
``seed``
    Another seed is another judge.
``transient_rate``
    The share of requests that fail the first time, as a busy service does.
``seconds``
    How long a reply takes.
``log``
    A file in which each request leaves a line when its reply is on its way.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsql.llm.prompting import fenced_texts
from fairsql.llm.providers import Embeddings, Reply, Request, TransientError

_MARK = re.compile(r"\{\{truth ([0-9.]+)\}\}")
_SAID = "Simulated: no model has read this."
_CHARACTERS_PER_TOKEN = 4
_DIMENSIONS = 8


class SimulatedProvider:
    """Replies that follow from a hash; see the module."""

    name = "simulated"

    def __init__(self) -> None:
        self._failed: set[str] = set()

    async def complete(self, request: Request, /) -> Reply:
        """Return a reply of the schema that the request asks for."""
        own = request.parameters
        texts = fenced_texts(request.prompt.user)
        told = "\x00".join(f"{name}\x01{text}" for name, text in texts.items())
        said = f"{own.get('seed', 0)}\x02{request.model}\x02{request.prompt.system}\x02{told}"
        if not texts:
            said += request.prompt.user
        if request.repeat != "1":  # a model that is asked twice says two things
            said += f"\x04{request.repeat}"
        await asyncio.sleep(own.get("seconds", 0))
        if said not in self._failed and _even("transient", said) < own.get("transient_rate", 0):
            self._failed.add(said)
            raise TransientError("simulated: too many requests (429).", retry_after=0.01)
        reply = self._reply(request, texts, said)
        _log(own.get("log"), {"request": _digest(said), **texts})
        count = len(request.prompt.system) + len(request.prompt.user)
        return Reply(reply, _tokens(count), _tokens(len(reply)))

    async def embed(self, _model: str, texts: Sequence[str], /) -> Embeddings:
        """Return vectors that are equal for equal texts, and otherwise of any direction."""
        vectors = tuple(
            tuple(2 * _even(f"embedding {place}", text) - 1 for place in range(_DIMENSIONS))
            for text in texts
        )
        return Embeddings(vectors, _tokens(sum(map(len, texts))))

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    @staticmethod
    def _reply(request: Request, texts: Mapping[str, str], said: str) -> str:
        own = request.parameters
        mark = own.get("error_mark")
        is_faulty = mark is None or any(mark in text for text in texts.values())
        if is_faulty and _even("error", said) < own.get("error_rate", 0):
            return "I would rather not put this into numbers."
        if request.schema is None:
            return f"{_SAID} ({_digest(said)[:8]})"
        value, side = _value(texts, own)
        value += own.get("bias", 0) + own.get("noise", 0) * (2 * _even("noise", said) - 1)
        filled = _filled(request.schema, request.schema, max(0.0, min(1.0, value)), side, said)
        return json.dumps(filled, ensure_ascii=False)


def _value(texts: Mapping[str, str], own: Mapping[str, Any]) -> tuple[float, str]:
    """Return the true value, and which side of a pair is better off."""

    def truth(name: str) -> float:
        text = texts.get(name, "")
        if own.get("truth", "hash") == "hash":
            return _even("truth", text)
        found = _MARK.search(text)
        return float(found[1]) if found else 0.0

    if "output_a" not in texts:
        return truth("output" if "output" in texts else next(iter(texts), "output")), "neither"
    first, second = truth("output_a"), truth("output_b")
    leaning = own.get("position_preference", 0) / 2
    value = abs(first - second) + (leaning if first > second else -leaning)
    return value, "a" if first > second else "b" if second > first else "neither"


def _filled(
    schema: Mapping[str, Any], root: Mapping[str, Any], value: float, side: str, said: str
) -> Any:
    """Return an instance of a schema that says a value from 0 to 1 wherever it can."""
    if reference := schema.get("$ref"):
        schema = root["$defs"][reference.rpartition("/")[2]]
    kind = schema.get("type")
    if kind == "object":
        return {
            name: _filled(part, root, value, side, f"{said}\x03{name}")
            for name, part in schema["properties"].items()
        }
    if kind == "array":
        return [_filled(schema["items"], root, value, side, f"{said}\x03{n}") for n in range(4)]
    if kind == "boolean":
        return _even("holds", said) < value
    if allowed := schema.get("enum"):
        if side in allowed:
            return side
        if kind == "string":
            if allowed == ["yes", "no"]:
                return "yes" if _even("yes", said) < value else "no"
            return allowed[min(int(value * len(allowed)), len(allowed) - 1)]
        low, high = min(allowed), max(allowed)
        return min(allowed, key=lambda step: abs(step - (low + (high - low) * value)))
    return _SAID


def _even(what: str, text: str) -> float:
    """Return a number from 0 to below 1 that follows from a text."""
    return int(_digest(f"{what}\x00{text}")[:14], 16) / 2**56


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _tokens(characters: int) -> int:
    return -(-characters // _CHARACTERS_PER_TOKEN)


def _log(path: str | None, line: Mapping[str, Any]) -> None:
    if path is None:
        return
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())
