"""Anthropic; ``ANTHROPIC_BASE_URL`` says where another service is that speaks as it does.

A reply is held to its schema as the input of a tool that must be used:
https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

import anthropic

from fairsql.errors import ConfigurationError
from fairsql.llm.providers import TIMEOUT, RejectedError, Reply, Request, key_of
from fairsql.llm.providers.http import count_of, passed_on, readable, text_of, told_apart

_KEY = "ANTHROPIC_API_KEY"
_TOOL = "reply"
_MOST_TOKENS = 2048  # of a reply, where the parameters do not say; this service wants a number


class AnthropicProvider:
    """The messages of a service."""

    name = "anthropic"

    def __init__(self) -> None:
        base = key_of("ANTHROPIC_BASE_URL")
        key = key_of(_KEY)
        if key is None and base is None:
            raise ConfigurationError(f"provider anthropic: {_KEY} is not set in the environment.")
        # A redirect is not followed: the client would send the key's header along, to any host.
        self._client = anthropic.AsyncAnthropic(
            api_key=key or "none",
            base_url=base,
            max_retries=0,
            timeout=TIMEOUT,
            http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False),
        )

    async def complete(self, request: Request, /) -> Reply:
        """Ask a model."""
        extra = passed_on(request.parameters)
        extra["max_tokens"] = extra["extra_body"].pop("max_tokens", _MOST_TOKENS)
        if request.prompt.system:
            extra["system"] = request.prompt.system
        if request.schema is not None:
            extra["tools"] = [
                {
                    "name": _TOOL,
                    "description": "Give the reply.",
                    "input_schema": dict(request.schema),
                }
            ]
            extra["tool_choice"] = {"type": "tool", "name": _TOOL}
        messages: list[Any] = [{"role": "user", "content": request.prompt.user}]
        try:
            answer = await self._client.messages.create(
                model=request.model, messages=messages, **extra
            )
        except anthropic.APIError as error:
            told_apart("Anthropic", _KEY, error)
        except ValueError:
            with readable("Anthropic"):
                raise
        with readable("Anthropic"):
            inputs = [block.input for block in answer.content if block.type == "tool_use"]
            texts = [text_of(block.text) for block in answer.content if block.type == "text"]
            # A service that only resembles this one may know no tools, and write JSON as text.
            text = json.dumps(inputs[0], ensure_ascii=False) if inputs else "".join(texts)
            usage = answer.usage
            reply = Reply(
                text,
                count_of(getattr(usage, "input_tokens", None)),
                count_of(getattr(usage, "output_tokens", None)),
            )
        if answer.stop_reason == "refusal":
            raise RejectedError("the model refuses to judge.", reply=reply)
        if answer.stop_reason == "max_tokens":
            raise RejectedError("the reply was cut off at max_tokens.", reply=reply)
        return reply

    async def embed(self, _model: str, _texts: Sequence[str], /) -> NoReturn:
        """Complain: this service embeds no texts."""
        raise ConfigurationError(
            "provider anthropic has no embeddings; answer_relevancy needs openai or litellm."
        )

    async def close(self) -> None:
        """Let connections go."""
        await self._client.close()
