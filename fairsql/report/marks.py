"""The signs that not every terminal can show, and what stands for them where it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsql.results import Outcome


@dataclass(frozen=True)
class Marks:
    """One choice of signs; ``statuses`` are signs and words, so that colour is never needed."""

    statuses: Mapping[Outcome, str]
    separator: str = " · "
    ellipsis: str = "…"
    dash: str = "–"

    def written(self, text: str) -> str:
        """Return text of ours with these signs in place of the usual ones.

        >>> ASCII.written("– to 0.9")
        '- to 0.9'
        """
        return text.replace(UNICODE.dash, self.dash).replace(UNICODE.ellipsis, self.ellipsis)


UNICODE = Marks(
    {
        "passed": "✓ passed",
        "failed": "✗ failed",
        "illustrative": "~ illustrative",
        "skipped": "– skipped",
        "error": "! error",
    }
)
ASCII = Marks(
    {
        "passed": "PASS",
        "failed": "FAIL",
        "illustrative": "ILLUSTRATIVE",
        "skipped": "SKIP",
        "error": "ERROR",
    },
    separator=", ",
    ellipsis="...",
    dash="-",
)


def marks_for(encoding: str | None) -> Marks:
    """Return the signs that text in an encoding can hold.

    >>> marks_for("utf-8") is UNICODE, marks_for("cp1252") is ASCII
    (True, True)
    """
    signs = [*UNICODE.statuses.values(), UNICODE.separator, UNICODE.ellipsis, UNICODE.dash]
    try:
        "".join(signs).encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return UNICODE
