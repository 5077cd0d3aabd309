"""Replies that were recorded once and are replayed: nobody is asked, and a miss is an error.

The file has a line of JSON for each request, found by a hash of all that it says: model, prompt,
schema and parameters. It holds the texts of the replies, which quote what was judged, and no key.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from fairsql.errors import ConfigurationError
from fairsql.llm.providers import (
    Embeddings,
    Provider,
    ProviderError,
    RejectedError,
    Reply,
    Request,
)

_DECLINED = "declined"
_Answer = TypeVar("_Answer", Reply, Embeddings)


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
        RejectedError
            When it was declined.
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
        found = self._replies[key]
        if (declined := found.get(_DECLINED)) is not None:
            reply = Reply(**found["reply"]) if found["reply"] else None
            raise RejectedError(
                declined, is_of_the_texts=bool(found["is_of_the_texts"]), reply=reply
            )
        return found


class RecordingProvider:
    """A provider whose replies are written down as they come, those that decline included.

    Raises
    ------
    ConfigurationError
        When the file cannot be written; nobody has been asked then.
    """

    def __init__(self, provider: Provider, path: str | Path) -> None:
        self._provider = provider
        self._path = Path(path)
        self._fault: ProviderError | None = None
        self.name = provider.name
        try:
            self._path.open("a", encoding="utf-8").close()
        except OSError as error:
            raise ConfigurationError(f"--record: cannot write {path}: {error.strerror}.") from None

    async def complete(self, request: Request, /) -> Reply:
        """Ask the provider, and keep what it replies."""
        return await self._kept(_completion(request), self._provider.complete(request))

    async def embed(self, model: str, texts: Sequence[str], /) -> Embeddings:
        """Ask the provider, and keep what it returns."""
        return await self._kept(_embedding(model, texts), self._provider.embed(model, texts))

    async def close(self) -> None:
        """Close the provider, and say so if a reply could not be kept."""
        await self._provider.close()
        if self._fault is not None:
            raise self._fault

    async def _kept(
        self, asked: Mapping[str, Any], asking: Coroutine[Any, Any, _Answer]
    ) -> _Answer:
        if self._fault is not None:
            asking.close()
            raise self._fault
        try:
            answer = await asking
        except RejectedError as error:
            reply = dataclasses.asdict(error.reply) if error.reply else None
            said = {_DECLINED: str(error), "is_of_the_texts": error.is_of_the_texts}
            self._keep(asked, {**said, "reply": reply})
            raise
        self._keep(asked, dataclasses.asdict(answer))
        return answer

    def _keep(self, asked: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Write a line; where that fails the reply still counts, and nobody is asked after it."""
        line = {"key": request_key(asked), "model": asked["model"], "reply": reply}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            self._fault = ProviderError(f"--record: cannot write {self._path}: {error.strerror}.")


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
        for line in read:
            _check(line["reply"])
        return {line["key"]: line["reply"] for line in read}
    except OSError as error:
        raise ConfigurationError(f"recordings: cannot read {path}: {error.strerror}.") from None
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise ConfigurationError(f"recordings: {path} holds no recordings of fairsql's.") from None


def _check(reply: Mapping[str, Any]) -> None:
    """Stumble over what is no reply, before one is looked for."""
    if "vectors" in reply:
        Embeddings(**reply)
    elif _DECLINED not in reply:
        Reply(**reply)
    elif reply["reply"] is not None:
        Reply(**reply["reply"])


def request_key(asked: Mapping[str, Any]) -> str:
    """Return a hash of all that a request says."""
    said = json.dumps(asked, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()


def _completion(request: Request) -> dict[str, Any]:
    repeat = {"repeat": request.repeat} if request.repeat != "1" else {}
    return {
        **repeat,
        "model": request.model,
        "system": request.prompt.system,
        "user": request.prompt.user,
        "schema": request.schema,
        "parameters": dict(request.parameters),
    }


def _embedding(model: str, texts: Sequence[str]) -> dict[str, Any]:
    return {"model": model, "embed": list(texts)}
