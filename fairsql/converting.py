"""From a tests.json to a suite file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fairsql.config.writing import suite_text
from fairsql.loading import read_mapped

if TYPE_CHECKING:
    from fairsql.config.tests_json import Item
    from fairsql.loading import Mapped

TABLE = "my_table"
"""The relation that is written where none is named."""


@dataclass(frozen=True)
class Converted:
    """A tests.json as a suite file.

    Attributes
    ----------
    text
        The file.
    tests
        How many tests it holds.
    left
        Name -> why it has no test of that name.
    relation
        The table that tests read unless they say otherwise.
    is_unnamed
        True when that is only a name to replace.
    """

    text: str
    tests: int
    left: dict[str, str]
    relation: str | None
    is_unnamed: bool


def convert_tests_json(
    path: str | Path,
    *,
    relation: str | None = None,
    timestamp_column: str | None = None,
    mapping: Mapped | None = None,
) -> Converted:
    """Return a tests.json as the text of a commented suite file.

    Parameters
    ----------
    path, relation, timestamp_column, mapping
        As :func:`fairsql.load_suite` takes them. Without a relation the file names one to replace.

    Raises
    ------
    ConfigurationError
        When the file is no tests.json, or the mapping is wrong.
    """
    given = {"relation": relation, "timestamp_column": timestamp_column}
    read = read_mapped(path, mapping, given, table=TABLE)
    named = read.defaults.get("relation")
    is_unnamed = named == TABLE != relation
    comments = {"relation": "put the name of your table or view here"} if is_unnamed else {}
    title = f"Tests of {Path(path).name}, as `fairsql convert` wrote them."
    return Converted(
        suite_text(read, title, comments),
        len(read.tests),
        {item.name: _reason(item) for item in read.items if item.fields is None},
        named,
        is_unnamed,
    )


def _reason(item: Item) -> str:
    return item.message or "it cannot run."
