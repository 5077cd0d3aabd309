"""The services that LiteLLM knows: https://docs.litellm.ai/docs/providers.

A model carries the name of its service, as in ``gemini/gemini-2.5-flash``; the key is in the
variable that LiteLLM's page on the service names.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import openai

from fairsql.llm.providers import TIMEOUT, Embeddings, RejectedError, Reply, Request
from fairsql.llm.providers.http import count_of, readable, text_of, told_apart

_SERVICE = "LiteLLM's service"
_KEY = "the environment"


class LiteLLMProvider:
    """Chat completions and embeddings by way of LiteLLM."""

    name = "litellm"

    def __init__(self) -> None:
        # Without this it fetches a list of prices from the network when it is imported.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.suppress_debug_info = True  # else each error prints where to report bugs
        self._litellm: Any = litellm

    async def complete(self, request: Request, /) -> Reply:
        """Ask a model."""
        extra: dict[str, Any] = {"timeout": TIMEOUT, **request.parameters}
        if request.schema is not None:
            schema = {"name": "reply", "strict": True, "schema": dict(request.schema)}
            extra["response_format"] = {"type": "json_schema", "json_schema": schema}
        messages = [{"role": "user", "content": request.prompt.user}]
        if request.prompt.system:
            messages.insert(0, {"role": "system", "content": request.prompt.system})
        try:
            answer = await self._litellm.acompletion(
                model=request.model, messages=messages, num_retries=0, **extra
            )
        except openai.APIError as error:  # LiteLLM's errors are kinds of OpenAI's
            told_apart(_SERVICE, _KEY, error)
        with readable(_SERVICE):
            usage = getattr(answer, "usage", None)
            choice = answer.choices[0]
            reply = Reply(
                text_of(choice.message.content),
                count_of(getattr(usage, "prompt_tokens", None)),
                count_of(getattr(usage, "completion_tokens", None)),
            )
            further = getattr(choice.message, "provider_specific_fields", None) or {}
            refusal = text_of(getattr(choice.message, "refusal", None) or further.get("refusal"))
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
            answer = await self._litellm.aembedding(model=model, input=list(texts), timeout=TIMEOUT)
        except openai.APIError as error:
            told_apart(_SERVICE, _KEY, error)
        with readable(_SERVICE):
            vectors = tuple(tuple(map(float, one["embedding"])) for one in answer.data)
            return Embeddings(vectors, count_of(getattr(answer.usage, "prompt_tokens", None)))

    async def close(self) -> None:
        """Leave connections to LiteLLM, which shares them."""
