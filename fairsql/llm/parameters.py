"""What goes to a service beside a prompt: checked before anybody is asked, and paid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fairsql.errors import ConfigurationError

LIMITS = ("max_tokens", "max_completion_tokens")
"""Parameters that say how many tokens a reply may have."""


def check_parameters(place: str, parameters: Mapping[str, Any]) -> None:
    """Complain of parameters that no request can carry.

    Raises
    ------
    ConfigurationError
        When one is no JSON, a limit on tokens no whole number, or ``timeout`` no time.
    """
    for name, value in parameters.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise ConfigurationError(
                f"{place}, parameters, {name}: must be a value of JSON, but is {value!r}."
            ) from None
    for name in LIMITS:
        limit = parameters.get(name)
        if limit is not None and (
            isinstance(limit, bool) or not isinstance(limit, int) or limit < 1
        ):
            raise ConfigurationError(
                f"{place}, parameters, {name}: must be a whole number of at least 1, but is"
                f" {limit!r}."
            )
    seconds = parameters.get("timeout", 1)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise ConfigurationError(
            f"{place}, parameters, timeout: must be a number of seconds above 0, but is"
            f" {seconds!r}."
        )


def most_tokens(parameters: Mapping[str, Any], otherwise: int) -> int:
    """Return how many tokens a reply may have, or about, where no parameter says so.

    >>> most_tokens({"max_tokens": 5}, 100), most_tokens({}, 100)
    (5, 100)
    """
    limits = (parameters.get(name) for name in LIMITS)
    return next((int(limit) for limit in limits if limit is not None), otherwise)
