"""Tests as the text of a commented suite file."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from fairsql.config.yaml_reader import core_scalar

if TYPE_CHECKING:
    from fairsql.config.reading import TestsJson
    from fairsql.config.tests_json import Item

_FIRST = ("name", "type", "relation", "where", "filters")
_LAST = ("timestamp_column", "evaluation_window", "delay_window", "thresholds")
_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_. ")
_WIDTH = 96
_FAR = 2**31  # characters before a line is folded: never


def suite_text(read: TestsJson, title: str, defaults: Mapping[str, str] | None = None) -> str:
    """Return a suite file that holds the tests of a tests.json.

    A test that cannot run is a comment that says why. Read back, the file gives the same tests.

    Parameters
    ----------
    read
        The tests.
    title
        The first line, a comment.
    defaults
        Comments behind the fields of ``defaults``.
    """
    return "\n".join(_lines(read, title, defaults or {})) + "\n"


def _lines(read: TestsJson, title: str, comments: Mapping[str, str]) -> Iterator[str]:
    yield f"# {_one_line(title)}"
    yield ""
    yield "version: 1"
    yield ""
    if read.defaults:
        yield "defaults:"
        for name, value in read.defaults.items():
            if value is None:
                continue
            comment = f"  # {_one_line(comments[name])}" if name in comments else ""
            yield from _indented(f"{_dumped({name: value})}{comment}", "  ")
        yield ""
    if read.judges:
        judges = [one.model_dump(mode="json", exclude_defaults=True) for one in read.judges]
        yield from _indented(_dumped({"judges": judges}), "")
        yield ""
    yield "tests:" if read.tests else "tests: []"
    for place, item in enumerate(read.items):
        if place:
            yield ""
        yield from _test(item)


def _test(item: Item) -> Iterator[str]:
    yield from _comment(item.description or "")
    for note in item.notes:
        yield from _comment(note)
    if item.fields is None:
        yield from _comment(f"{item.name} ({item.type}) cannot run: {item.message}")
        return
    own = item.fields
    middle = [name for name in own if name not in (*_FIRST, *_LAST)]
    ordered = {name: own[name] for name in (*_FIRST, *middle, *_LAST) if name in own}
    for place, line in enumerate(_indented(_dumped(ordered), "    ")):
        yield line if place else f"  - {line.lstrip()}"


def _comment(text: str) -> Iterator[str]:
    for line in textwrap.wrap(_one_line(text), _WIDTH, break_on_hyphens=False):
        yield f"  # {line}"


def _indented(text: str, lead: str) -> Iterator[str]:
    for line in text.splitlines():
        yield lead + line


def _dumped(fields: Mapping[str, Any]) -> str:
    """Return a mapping as YAML in block style; what its values hold is in flow style.

    >>> print(_dumped({"name": "yes", "thresholds": [{"operator": ">=", "value": 0.8}]}))
    name: yes
    thresholds:
      - {operator: ">=", value: 0.8}
    """
    yaml = YAML()
    yaml.width = _FAR
    yaml.allow_unicode = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    written = CommentedMap((_node(name), _value(value)) for name, value in fields.items())
    stream = io.StringIO()
    yaml.dump(written, stream)
    return stream.getvalue().rstrip("\n")


def _value(value: Any) -> Any:
    """Return a field's value: a list of mappings has one a line, others stay on the line."""
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return CommentedSeq(_node(item) for item in value)
    return _node(value)


def _node(value: Any) -> Any:
    if isinstance(value, str):
        is_plain = set(value) <= _PLAIN and value == value.strip() and value[:1].isalpha()
        return (
            value if is_plain and core_scalar(value) == value else DoubleQuotedScalarString(value)
        )
    if isinstance(value, Mapping):
        flow: Any = CommentedMap((_node(str(name)), _node(inner)) for name, inner in value.items())
    elif isinstance(value, list | tuple):
        flow = CommentedSeq(_node(inner) for inner in value)
    else:
        return value
    flow.fa.set_flow_style()
    return flow


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)
