"""OpenAI and all services that speak as it does; ``OPENAI_BASE_URL`` says where another one is.

Replies are held to their schema by ``response_format``:
https://platform.openai.com/docs/guides/structured-outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import openai

from fairsql.errors import ConfigurationError
from fairsql.llm.providers import TIMEOUT, Embeddings, RejectedError, Reply, Request, key_of
from fairsql.llm.providers.http import count_of, passed_on, readable, text_of, told_apart

_KEY = "OPENAI_API_KEY"


class OpenAIProvider:
    """The chat completions and embeddings of a service."""

    name = "openai"

    def __init__(self) -> None:
        base = key_of("OPENAI_BASE_URL")
        key = key_of(_KEY)
        if key is None and base is None:
            raise ConfigurationError(f"provider openai: {_KEY} is not set in the environment.")
        # A server of one's own may ask for no key, but the client wants some text.
        # A redirect is not followed: the texts go to the address that was named, and to no other.
        self._client = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=base,
            max_retries=0,
            timeout=TIMEOUT,
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False),
        )

    async def complete(self, request: Request, /) -> Reply:
        """Ask a model."""
        extra = passed_on(request.parameters)
        if request.schema is not None:
            schema = {"name": "reply", "strict": True, "schema": request.schema}
            extra["response_format"] = {"type": "json_schema", "json_schema": schema}
        messages: list[Any] = [{"role": "user", "content": request.prompt.user}]
        if request.prompt.system:
            messages.insert(0, {"role": "system", "content": request.prompt.system})
        try:
            answer = await self._client.chat.completions.create(
                model=request.model, messages=messages, **extra
            )
        except openai.APIError as error:
            told_apart("OpenAI", _KEY, error)
        except ValueError:
            with readable("OpenAI"):
                raise
        with readable("OpenAI"):
            counts = _counts(answer.usage)
            if not answer.choices:
                raise RejectedError("the reply is empty.", reply=Reply("", *counts))
            choice = answer.choices[0]
            reply = Reply(text_of(choice.message.content), *counts)
            refusal = text_of(choice.message.refusal)
        if refusal:
            raise RejectedError(f"the model refuses to judge: {refusal}", reply=reply)
        if choice.finish_reason == "content_filter":
            raise RejectedError("the service's content filter stopped the reply.", reply=reply)
        if choice.finish_reason == "length":
            raise RejectedError("the reply was cut off at max_tokens.", reply=reply)
        return reply

    async def embed(self, model: str, texts: Sequence[str], /) -> Embeddings:
        """Return an embedding of each text."""
        try:
            answer = await self._client.embeddings.create(
                model=model, input=list(texts), encoding_format="float"
            )
        except openai.APIError as error:
            told_apart("OpenAI", _KEY, error)
        except ValueError:
            with readable("OpenAI"):
                raise
        with readable("OpenAI"):
            ordered = sorted(answer.data, key=lambda one: one.index)
            vectors = tuple(tuple(map(float, one.embedding)) for one in ordered)
            if len(vectors) != len(texts):
                raise ValueError
            return Embeddings(vectors, _counts(answer.usage)[0])

    async def close(self) -> None:
        """Let connections go."""
        await self._client.close()


def _counts(usage: Any) -> tuple[int | None, int | None]:
    """Return the tokens that went in and came out; embeddings have none of the latter."""
    return (
        count_of(getattr(usage, "prompt_tokens", None)),
        count_of(getattr(usage, "completion_tokens", None)),
    )
