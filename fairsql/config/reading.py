"""A file as tests: a suite file, or a tests.json with what it does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairsql.config.messages import shown
from fairsql.config.parse import parse_suite
from fairsql.config.tests_json import Item, read_items
from fairsql.errors import ConfigurationError

if TYPE_CHECKING:
    from fairsql.config.base import Test
    from fairsql.config.documents import Document
    from fairsql.config.mapping import FieldMapping

NO_RELATION = "relation: no table is named; give --relation NAME, or relation in a mapping."
NO_TIMES = (
    "evaluation_window: the column of times is not named; give --timestamp-column NAME, or"
    " timestamp_column in a mapping."
)


@dataclass(frozen=True)
class TestsJson:
    """The tests of a tests.json: each item, and the test it became if it can run.

    ``defaults`` are the fields that every test has unless it says otherwise.
    """

    __test__ = False  # pytest: a record, not a test case

    items: tuple[Item, ...]
    tests: Mapping[str, Test]
    defaults: Mapping[str, Any]
    source: str | None = None


def is_tests_json(document: Document) -> bool:
    """Return whether a document is a tests.json: an array at the top, and no mapping."""
    return isinstance(document.content, list)


def read_tests_json(document: Document, mapping: FieldMapping) -> TestsJson:
    """Return the tests of a tests.json.

    Parameters
    ----------
    document
        The file.
    mapping
        Fields that the file does not hold.

    Raises
    ------
    ConfigurationError
        When it holds no object at all, the mapping is wrong, or no test has a relation.
    """
    content = document.content
    place = f"{document.source}: " if document.source else ""
    if not any(isinstance(item, Mapping) for item in content):
        raise ConfigurationError(
            f"{place}a tests.json lists objects, each a test, but this is {shown(content)}."
        )
    items = read_items(content)
    mapping.check_names(item.name for item in items)
    items = [_with(item, mapping.of(item.name)) for item in items]
    ready = [item for item in items if item.fields is not None]
    if ready and not any(_has(item, "relation", mapping) for item in ready):
        raise ConfigurationError(place + NO_RELATION)
    tests: dict[str, Test] = {}
    checked = [_checked(item, mapping, tests) for item in items]
    return TestsJson(tuple(checked), tests, mapping.defaults, document.source)


def _with(item: Item, fields: Mapping[str, Any]) -> Item:
    """Return the item with fields that win over its own; a null takes a field away."""
    if item.fields is None:
        return item
    own = {**item.fields, **fields}
    return replace(item, fields={name: value for name, value in own.items() if value is not None})


def _has(item: Item, field: str, mapping: FieldMapping) -> bool:
    return (item.fields or {}).get(field, mapping.defaults.get(field)) is not None


def _checked(item: Item, mapping: FieldMapping, tests: dict[str, Test]) -> Item:
    """Return the item, without fields where they make no test; add the test where they do."""
    if item.fields is None:
        return item
    problem = ""
    if not _has(item, "relation", mapping):
        problem = NO_RELATION
    elif _has(item, "evaluation_window", mapping) and not _has(item, "timestamp_column", mapping):
        problem = NO_TIMES
    if problem:
        return replace(item, fields=None, message=problem)
    suite = {"version": 1, "defaults": dict(mapping.defaults), "tests": [dict(item.fields)]}
    try:
        tests[item.name] = parse_suite(suite).tests[0]
    except ConfigurationError as error:
        lines = str(error).splitlines()
        shared = [line for line in lines if line.startswith("defaults")]
        if shared:
            raise ConfigurationError(
                "\n".join(f"{mapping.source}, {line}" for line in shared)
            ) from None
        return replace(item, fields=None, message=_own_words(lines, item.name))
    return item


def _own_words(lines: Sequence[str], name: str) -> str:
    """Return what is wrong with a test without its name, which stands beside the message."""
    return " ".join(line.removeprefix(f"test {shown(name)}, ") for line in lines)
