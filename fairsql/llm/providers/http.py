"""What the clients have in common: how the errors of a service are told apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from fairsql.llm.providers import TIMEOUT, ProviderError, RejectedError, TransientError, said

_TRANSIENT = (408, 409, 425, 429)
_OF_THE_TEXTS = re.compile(
    r"context.?(length|window)|too (long|large)|maximum.{0,20}(context|tokens)|prompt is too"
    r"|content.?(policy|filter|management)|safety|moderation",
    re.IGNORECASE,
)


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
    if status == 429 and getattr(error, "code", None) == "insufficient_quota":
        raise ProviderError(f"{service}: the account has no quota left (429).") from None
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


def _seconds(headers: Mapping[str, str]) -> float | None:
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:  # a date, or nothing
        return None
