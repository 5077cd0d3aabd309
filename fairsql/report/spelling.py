"""Results for a stream whose encoding lacks some characters of the data: they become escapes.

That is done before a page is laid out, so that it still fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from fairsql.results import (
        Comparison,
        GroupResult,
        PartResult,
        PooledResult,
        Run,
        TestResult,
    )


def spelt(text: str, encoding: str | None) -> str:
    r"""Return text of which an encoding can hold every character.

    >>> print(spelt("жé", "cp1252"), spelt("жé", "utf-8"), spelt("é", None))
    \u0436é жé \xe9
    """
    try:
        return text.encode(encoding or "ascii", "backslashreplace").decode(encoding or "ascii")
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode()


def spelt_test(test: TestResult, encoding: str | None) -> TestResult:
    """Return a result whose every text can be written in an encoding."""
    comparison = None if test.comparison is None else _placed(test.comparison, encoding)
    return replace(
        test,
        name=spelt(test.name, encoding),
        relation=spelt(test.relation, encoding),
        message=_spelt(test.message, encoding),
        notes=tuple(spelt(note, encoding) for note in test.notes),
        parameters=_spelt(test.parameters, encoding),
        comparison=comparison,
        groups=tuple(_placed(group, encoding) for group in test.groups),
        parts=tuple(_placed(part, encoding) for part in test.parts),
        pooled=tuple(_placed(pooled, encoding) for pooled in test.pooled),
    )


_Record = TypeVar("_Record", "GroupResult", "PartResult", "PooledResult", "Comparison")


def _placed(record: _Record, encoding: str | None) -> _Record:
    """Return a record with the texts that say where it belongs; its other texts are ours."""
    places = ("key", "reference", "stratum", "positive_class", "message")
    found = {
        name: _spelt(value, encoding) for name, value in vars(record).items() if name in places
    }
    comparison = getattr(record, "comparison", None)
    if comparison is not None:
        found["comparison"] = _placed(comparison, encoding)
    return replace(record, **found)


def spelt_run(run: Run, encoding: str | None) -> Run:
    """Return a run whose every text can be written in an encoding."""
    return replace(run, tests=tuple(spelt_test(test, encoding) for test in run.tests))


def _spelt(value: Any, encoding: str | None) -> Any:
    if isinstance(value, str):
        return spelt(value, encoding)
    if isinstance(value, Mapping):
        return {
            spelt(str(name), encoding): _spelt(inner, encoding) for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_spelt(inner, encoding) for inner in value]
    return value
