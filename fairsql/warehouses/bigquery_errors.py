"""What the errors of Google's libraries come to: one line, no value of a row and no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from google.api_core.exceptions import GoogleAPICallError, GoogleAPIError, RetryError
from google.auth.exceptions import GoogleAuthError

FAULTS = (GoogleAPIError, GoogleAuthError, OSError)
"""What a call may raise; ``OSError`` is the root of those of requests and of sockets."""

_REQUEST = re.compile(r"^(GET|POST) \S+ ")
_MOST = 300
# What the analyzer finds wrong ends in its place; what it quotes stands in the statement.
_PLACE = re.compile(r" at \[\d+:\d+\]$")
_ON_VALUES = re.compile(
    r"(.*?\b(?:Bad|Could not|Division|Failed|Invalid|Out of range|\w*[Oo]verflow)\b[^:]*)"
    r"(?:: (.*))?"
)
_WITHOUT_FILTER = "Cannot query over table"  # one that requires a filter by its partitions
_VALUE = re.compile(r"""'.*'|".*"|(?<![\w'"])-?\d[\d.e+-]*""")


def complaint(error: Exception, sql: str) -> str:
    """Return who says no to a statement, and what: BigQuery itself, or the way to it."""
    cause = error.cause if isinstance(error, RetryError) else error
    if isinstance(cause, GoogleAPICallError):
        return f"BigQuery says: {said_of(error, sql)}"
    return f"the connection to BigQuery failed: {sentence(error)}"


def said_of(error: Exception, sql: str) -> str:
    """Return what an error says, without the values of rows: none the statement did not hold."""
    line = sentence(error)
    if reason(error) not in ("invalidQuery", "invalid"):
        return line
    return _without_data(line.removesuffix("."), sql.replace("`", "")) + "."


def _without_data(line: str, sql: str) -> str:
    """Hide what a message about values quotes, and what follows its colon."""
    place = _PLACE.search(line)
    found = _ON_VALUES.fullmatch(line.removesuffix(place[0]) if place else line)
    if found is None and (place or line.startswith(_WITHOUT_FILTER)):
        return line
    what, value = found.groups() if found else (line, None)
    shown = _VALUE.sub(lambda one: one[0] if _holds(sql, one[0].strip("'\"")) else "…", what)
    if value is not None:
        shown += f": {value if _holds(sql, value) else '…'}"
    return shown + (place[0] if place else "")


def _holds(sql: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sql) is not None


def sentence(error: BaseException) -> str:
    """Return the first line of what an error says."""
    if isinstance(error, RetryError):
        return sentence(error.cause)
    if isinstance(error, GoogleAPICallError):
        said = str(_detail(error).get("message") or error.message)
    elif isinstance(error, GoogleAuthError):
        said = str(error.args[0]) if error.args else type(error).__name__
    else:
        said = next(_reasons(error), "") or str(error) or type(error).__name__
    lines = _REQUEST.sub("", said).strip().splitlines() or [type(error).__name__]
    return f"{lines[0][:_MOST].strip().rstrip('.')}."


def _reasons(error: BaseException) -> Iterator[str]:
    """Yield what the system said of a failed connection, which libraries wrap several times."""
    seen: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting:
        one = waiting.pop(0)
        if not isinstance(one, BaseException) or one in seen:
            continue
        seen.append(one)
        if isinstance(one, OSError) and one.strerror:
            yield str(one.strerror)
        waiting += [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]


def reason(error: Exception) -> str:
    """Return the API's word for the kind of an error, and nothing for what the API never saw."""
    return str(_detail(error).get("reason") or "")


def _detail(error: Exception) -> Mapping[str, Any]:
    details = error.errors if isinstance(error, GoogleAPICallError) else ()
    return next((one for one in details if isinstance(one, Mapping)), {})
