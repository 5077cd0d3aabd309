"""What the clients have in common: how the errors of a service are told apart."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

from fairsql.llm.providers import TIMEOUT, ProviderError, RejectedError, TransientError, said

_TRANSIENT = (408, 409, 425, 429)
_OF_THE_TEXTS = re.compile(
    r"context.?(length|window)|too (long|large)|maximum.{0,20}(context|tokens)|prompt is too"
    r"|content.?(policy|filter|management)|safety|moderation",
    re.IGNORECASE,
)

_OF_THE_ACCOUNT = re.compile(r"insufficient_quota|credit balance|billing", re.IGNORECASE)


def passed_on(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments by which a client sends parameters as they are, known to it or not.

    >>> passed_on({"temperature": 0, "timeout": 5})
    {'extra_body': {'temperature': 0}, 'timeout': 5.0}
    """
    body = {name: value for name, value in parameters.items() if name != "timeout"}
    return {"extra_body": body, "timeout": float(parameters.get("timeout", TIMEOUT))}


def told_apart(service: str, key: str, error: Any) -> NoReturn:
    """Raise what an error of a client means.

    Parameters
    ----------
    service
        What the service is called.
    key
        The variable that its key is in.
    error
        The client's error, which has ``status_code`` and ``response`` when the service answered.

    Raises
    ------
    TransientError
        For too many requests, a fault of the service's own, or none of its answers.
    RejectedError
        When this request cannot be served.
    ProviderError
        When no request can.
    """
    status = getattr(error, "status_code", None)
    if status is None:
        raise TransientError(f"{service} cannot be reached: {said(error)}") from None
    if status == 402 or (status in (400, 403, 429) and _OF_THE_ACCOUNT.search(str(error))):
        raise ProviderError(f"{service}: the account has no credit left ({status}).") from None
    if status in _TRANSIENT or status >= 500:
        headers = getattr(getattr(error, "response", None), "headers", {})
        text = f"{service} answers {status}: {said(error)}"
        raise TransientError(text, _seconds(headers)) from None
    if status in (401, 403):
        raise ProviderError(f"{service} refuses the key in {key} ({status}).") from None
    if status in (400, 413, 422):
        text = said(error)
        raise RejectedError(
            f"{service} rejects the request ({status}): {text}",
            is_of_the_texts=status == 413 or bool(_OF_THE_TEXTS.search(text)),
        ) from None
    raise ProviderError(f"{service} answers {status}: {said(error)}") from None


@contextlib.contextmanager
def readable(service: str) -> Iterator[None]:
    """Say so where an answer is none of the service's: a page of a proxy, or half of a reply.

    Clients check no answer that comes with status 200, so that what reads it stumbles.

    Raises
    ------
    TransientError
        In the place of what went wrong in the block.
    """
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise TransientError(
            f"{service} answers with what is no reply; is its address the right one?"
        ) from None


def text_of(content: Any) -> str:
    """Return the text of a reply; none is an empty one, and anything else a ``TypeError``."""
    if content is not None and not isinstance(content, str):
        raise TypeError
    return content or ""


def count_of(tokens: Any) -> int | None:
    """Return a number of tokens, or ``None`` where a service says what is none.

    >>> count_of(3), count_of(-3), count_of("3"), count_of(None)
    (3, None, None, None)
    """
    return tokens if isinstance(tokens, int) and tokens >= 0 else None


def _seconds(headers: Mapping[str, str]) -> float | None:
    """Return how long a service asks to be left alone: it says seconds, or until when."""
    asked = headers.get("retry-after", "")
    try:
        seconds = float(asked)
    except ValueError:
        try:
            moment = parsedate_to_datetime(asked)
        except ValueError:
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return None if math.isnan(seconds) else max(0.0, seconds)
