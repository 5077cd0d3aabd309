"""Where models are asked: one thin protocol, and a file for each kind of service.

A provider sends one request and returns one reply, or raises one of three errors that say what to
do: try again, note it in the row, or stop. It retries nothing itself. Keys come from the
environment, and no error holds one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from fairsql.errors import ConfigurationError, FairsqlError, did_you_mean, install_extra

if TYPE_CHECKING:
    from fairsql.llm.prompting import Prompt

TIMEOUT = 120.0
"""Seconds that a request may take, where ``parameters`` says nothing of a ``timeout``."""

_LONGEST = 300  # characters of an error of a service


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes
    ----------
    prompt
        What it is told and asked.
    schema
        The JSON Schema of the reply; ``None`` for a free text.
    parameters
        What else goes to the service: ``temperature``, ``max_tokens`` and so on.
    repeat
        Which of several replies to the same question this is; no service is told.
    """

    model: str
    prompt: Prompt
    schema: Mapping[str, Any] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    repeat: str = "1"


@dataclass(frozen=True)
class Reply:
    """What a model replied, and the tokens that are paid for; ``None`` where nobody says."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True)
class Embeddings:
    """One vector a text, and the tokens that are paid for."""

    vectors: tuple[tuple[float, ...], ...]
    input_tokens: int | None = None


class ProviderError(FairsqlError):
    """A service cannot be used as it is asked: a key, a model or a parameter is wrong."""


class TransientError(ProviderError):
    """A service could not answer now: too many requests, its own fault, or the network's.

    ``retry_after`` is how many seconds it asks to be left alone, if it says so.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RejectedError(ProviderError):
    """A service or its model declined this one request.

    Attributes
    ----------
    is_of_the_texts
        Whether the texts are the cause, and not how they were asked about.
    reply
        What was paid for all the same, if there was a reply.
    """

    def __init__(
        self, message: str, *, is_of_the_texts: bool = True, reply: Reply | None = None
    ) -> None:
        super().__init__(message)
        self.is_of_the_texts = is_of_the_texts
        self.reply = reply


class Provider(Protocol):
    """A service that answers for models."""

    @property
    def name(self) -> str:
        """What judgements call it."""

    async def complete(self, request: Request, /) -> Reply:
        """Ask a model.

        Raises
        ------
        TransientError
            When it may work later.
        RejectedError
            When this request will not work.
        ProviderError
            When no request will.
        """

    async def embed(self, model: str, texts: Sequence[str], /) -> Embeddings:
        """Return an embedding of each text; the errors are those of :meth:`complete`."""

    async def close(self) -> None:
        """Let connections go."""


def _openai() -> Provider:
    from fairsql.llm.providers.openai import OpenAIProvider

    return OpenAIProvider()


def _anthropic() -> Provider:
    from fairsql.llm.providers.anthropic import AnthropicProvider

    return AnthropicProvider()


def _litellm() -> Provider:
    from fairsql.llm.providers.litellm import LiteLLMProvider

    return LiteLLMProvider()


def _simulated() -> Provider:
    from fairsql.llm.providers.simulated import SimulatedProvider

    return SimulatedProvider()


_PROVIDERS: Mapping[str, tuple[Callable[[], Provider], str]] = {
    "openai": (_openai, "llm"),
    "anthropic": (_anthropic, "llm"),
    "litellm": (_litellm, "litellm"),
    "simulated": (_simulated, ""),
}
"""Name -> what opens it, and the extra that it needs."""


def open_provider(name: str) -> Provider:
    """Return a provider by its name.

    Raises
    ------
    ConfigurationError
        When there is none of this name, its library is not installed, or its key is not set.
    """
    if name not in _PROVIDERS:
        names = ", ".join(_PROVIDERS)
        hint = did_you_mean(name, _PROVIDERS)
        raise ConfigurationError(f"provider: must be one of {names}, but is {name!r}.{hint}")
    opened, extra = _PROVIDERS[name]
    try:
        return opened()
    except ImportError as error:
        raise ConfigurationError(
            f"provider {name} needs a client: {install_extra(extra)} ({error})."
        ) from None


def key_of(variable: str) -> str | None:
    """Return a key from the environment; ``None`` when it is not set or blank."""
    return (os.environ.get(variable) or "").strip() or None


_KEYS = re.compile(r"\b(?:(?:sk|pk|rk)-[\w*-]{4,}|Bearer [\w*.-]{4,})", re.IGNORECASE)


def said(error: Exception | str) -> str:
    """Return what an error says in one line, without a key, and not at length.

    >>> said("Incorrect API key provided: sk-12345678. You can find it…")
    'Incorrect API key provided: (key). You can find it…'
    """
    line = " ".join(str(error).split()) or type(error).__name__
    for variable, value in os.environ.items():
        if variable.endswith(("_KEY", "_TOKEN", "_SECRET")) and len(value) >= 6:
            line = line.replace(value, "(key)")
    line = _KEYS.sub("(key)", line)
    return line[:_LONGEST] + "…" * (len(line) > _LONGEST)
