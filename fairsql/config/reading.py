"""A file as tests: a suite file, or a tests.json with what it does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairsql.config.fields import camel_case
from fairsql.config.judged import JUDGED
from fairsql.config.messages import dotted, shown
from fairsql.config.parse import parse_suite, read_judge
from fairsql.config.tests_json import Item, read_items
from fairsql.errors import ConfigurationError

if TYPE_CHECKING:
    from fairsql.config.base import Test
    from fairsql.config.documents import Document
    from fairsql.config.judging import JudgeSpec
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
    judges: tuple[JudgeSpec, ...] = ()


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
    judges = _judges(mapping)
    items = [_with(item, mapping.of(item.name)) for item in items]
    items = [_with_judges(item, mapping, judges) for item in items]
    ready = [item for item in items if item.fields is not None]
    if ready and not any(_has(item, "relation", mapping) for item in ready):
        raise ConfigurationError(place + NO_RELATION)
    tests: dict[str, Test] = {}
    checked = [_checked(item, mapping, tests) for item in items]
    return TestsJson(tuple(checked), tests, mapping.defaults, document.source, tuple(judges))


def _with(item: Item, fields: Mapping[str, Any]) -> Item:
    """Return the item with fields that win over its own; a null takes a field away."""
    if item.fields is None:
        return item
    own = {**item.fields, **fields}
    return replace(item, fields={name: value for name, value in own.items() if value is not None})


def _judges(mapping: FieldMapping) -> list[JudgeSpec]:
    """Return the judges of the mapping.

    Raises
    ------
    ConfigurationError
        When one is wrong.
    """
    table = {"table": mapping.judging["judgements"]} if "judgements" in mapping.judging else {}
    judges, faults = [], []
    for position, written in enumerate(mapping.judging.get("judges", ())):
        spec, own = read_judge({**table, **written} if isinstance(written, Mapping) else written)
        judges += [spec] if spec is not None else []
        faults += [f"{dotted(('judges', position, *fault.place))}: {fault.text}" for fault in own]
    if faults:
        raise ConfigurationError("\n".join(f"{mapping.source}, {fault}" for fault in faults))
    return judges


def _with_judges(item: Item, mapping: FieldMapping, judges: Sequence[JudgeSpec]) -> Item:
    """Return an item that needs a judge with those of the mapping; without, it says by name."""
    if item.fields is None or _has(item, "judges", mapping):
        return item
    limits = item.fields.get("thresholds")
    measured = [
        limit["measurement"]
        for limit in (limits if isinstance(limits, list | tuple) else ())
        if isinstance(limit, Mapping) and limit.get("measurement") in JUDGED
    ]
    needed = dict.fromkeys(JUDGED[name].judge for name in measured)
    found = [spec for spec in judges if spec.judge in needed]
    lacking = [kind for kind in needed if kind not in {spec.judge for spec in found}]
    if not lacking:
        fields = {"judges": [spec.name for spec in found]} if found else {}
        return replace(item, fields={**item.fields, **fields})
    names = [camel_case(name) for name in measured if JUDGED[name].judge in lacking]
    message = (
        f"{' and '.join(dict.fromkeys(names))} needs a judge, a language model that scores each"
        f" row: name one of {' and of '.join(lacking)} under judges in a mapping."
    )
    return replace(item, fields=None, message=message)


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
    suite = {
        "version": 1,
        **mapping.judging,
        "defaults": dict(mapping.defaults),
        "tests": [dict(item.fields)],
    }
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
