"""Replies that were recorded once and are replayed: nobody is asked, and a miss is an error.

The file has a line of JSON for each request, found by a hash of all that it says: model, prompt,
schema and parameters. It holds the texts of the replies, which quote what was judged, and no key.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsql.errors import ConfigurationError
from fairsql.llm.providers import Embeddings, Provider, ProviderError, Reply, Request


class RecordedProvider:
    """The replies of a file, and no others."""

    name = "recorded"

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._replies = read_recordings(self._path)

    async def complete(self, request: Request, /) -> Reply:
        """Return the reply that was recorded for a request.

        Raises
        ------
        ProviderError
            When there is none.
        """
        return Reply(**self._found(_completion(request), "this request"))

    async def embed(self, model: str, texts: Sequence[str], /) -> Embeddings:
        """Return the embeddings that were recorded for these texts together."""
        found = self._found(_embedding(model, texts), "these embeddings")
        vectors = tuple(tuple(vector) for vector in found["vectors"])
        return Embeddings(vectors, found["input_tokens"])

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def _found(self, asked: Mapping[str, Any], what: str) -> dict[str, Any]:
        key = request_key(asked)
        if key not in self._replies:
            raise ProviderError(
                f"{self._path} has no recording of {what} to {asked['model']} ({key[:12]}); replay"
                " asks nobody."
            )
        return self._replies[key]


class RecordingProvider:
    """A provider whose replies are written down as they come."""

    def __init__(self, provider: Provider, path: str | Path) -> None:
        self._provider = provider
        self._path = Path(path)
        self.name = provider.name

    async def complete(self, request: Request, /) -> Reply:
        """Ask the provider, and keep what it replies."""
        reply = await self._provider.complete(request)
        self._keep(_completion(request), dataclasses.asdict(reply))
        return reply

    async def embed(self, model: str, texts: Sequence[str], /) -> Embeddings:
        """Ask the provider, and keep what it returns."""
        embeddings = await self._provider.embed(model, texts)
        self._keep(_embedding(model, texts), dataclasses.asdict(embeddings))
        return embeddings

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()

    def _keep(self, asked: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        line = {"key": request_key(asked), "model": asked["model"], "reply": reply}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_recordings(path: Path) -> dict[str, dict[str, Any]]:
    """Return what was recorded in a file: key of a request -> the reply.

    Raises
    ------
    ConfigurationError
        When there is no such file, or it holds something else.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        read = [json.loads(line) for line in lines if line.strip()]
        return {line["key"]: line["reply"] for line in read}
    except OSError as error:
        raise ConfigurationError(f"recordings: cannot read {path}: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        raise ConfigurationError(f"recordings: {path} holds no recordings of fairsql's.") from None


def request_key(asked: Mapping[str, Any]) -> str:
    """Return a hash of all that a request says."""
    said = json.dumps(asked, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()


def _completion(request: Request) -> dict[str, Any]:
    return {
        "model": request.model,
        "system": request.prompt.system,
        "user": request.prompt.user,
        "schema": request.schema,
        "parameters": dict(request.parameters),
    }


def _embedding(model: str, texts: Sequence[str]) -> dict[str, Any]:
    return {"model": model, "embed": list(texts)}
