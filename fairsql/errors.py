"""The errors fairsql raises. Each message names the thing, the value received and what is allowed.

A test that cannot be judged is not an error but a result with status ``skipped``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class FairsqlError(Exception):
    """Base class of every error that fairsql raises on purpose."""


class ConfigurationError(FairsqlError):
    """A suite, a test or a call is written wrongly; nothing has run."""


class WarehouseError(FairsqlError):
    """The warehouse could not be reached, or said no to a statement."""


class RelationNotFoundError(WarehouseError):
    """A table or view does not exist, or may not be read."""


class TooLateError(WarehouseError):
    """A statement was stopped since it took longer than it may."""

    def __init__(self, engine: str, seconds: float | None) -> None:
        took = f" after {seconds:g} seconds, the timeout" if seconds else ", late"
        super().__init__(f"{engine} was stopped{took}.")


class PackageMissingError(FairsqlError, ImportError):
    """A method needs a package that fairsql does not depend on.

    ``install`` is what makes pip install it, where that is not the package's name.
    """

    def __init__(
        self, method: str, package: str, error: ImportError, install: str | None = None
    ) -> None:
        how = f"pip install {package}" if install is None else install
        super().__init__(f"{method} needs {package}: {how} ({error}).")


def install_extra(extra: str) -> str:
    """Return the command that installs an optional part of fairsql, which is on no index yet.

    >>> install_extra("postgres")
    "pip install '.[postgres]' in a checkout of fairsql"
    """
    return f"pip install '.[{extra}]' in a checkout of fairsql"


class CompilationError(FairsqlError):
    """Rendered SQL did not pass its checks: a fault of ours or of a hostile relation text."""


def did_you_mean(received: str, allowed: Iterable[str]) -> str:
    """Return a hint such as `` Did you mean 'gender'?``, or an empty string.

    >>> did_you_mean("gendre", ["gender", "region"])
    " Did you mean 'gender'?"
    >>> did_you_mean("latency", ["gender"])
    ''
    """
    candidates = list(allowed)
    by_folded = {name.casefold(): name for name in candidates}
    close = difflib.get_close_matches(received.casefold(), list(by_folded), n=1, cutoff=0.6)
    return f" Did you mean {by_folded[close[0]]!r}?" if close else ""
