"""YAML as plain values with lines, read from ruamel's events.

Scalars follow the core schema of YAML 1.2, so ``yes`` and ``2024-03-01`` stay text; a key that is
written twice is an error; and each value keeps its line, so that a fault is shown where it stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from fairsql.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairsql.config.documents import Place

_DEEPEST = 20  # a suite needs five levels; more is a mistake or an attack

_NULL = re.compile(r"~|null|Null|NULL|")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED_INTEGER = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_TEXT_TAGS = {"!", "tag:yaml.org,2002:str"}

_HINTS = {
    r"'\t'": "Lines are indented with spaces, not with tabs.",
    "expected chomping or indentation indicators": 'An operator stands in quotes: ">=".',
    "cannot start any token": "Text that starts with a special character stands in quotes.",
    "mapping values are not allowed": "Text that holds a colon stands in quotes.",
    "could not find expected ':'": "A key is followed by a colon and a space.",
}


def read_yaml(text: str, source: str) -> tuple[Any, dict[Place, int]]:
    """Return the values of one YAML document and the line of each place in it.

    Raises
    ------
    ConfigurationError
        When the text is not YAML, is more than one document, repeats a key, or uses a tag.
    """
    try:
        return _Reader(text, source).read()
    except YAMLError as error:
        raise ConfigurationError(_problem(error, source)) from None


def core_scalar(text: str) -> Any:
    """Return what a plain scalar means in the core schema (YAML 1.2.2, section 10.3.2).

    >>> [core_scalar(text) for text in ("yes", "True", "1e-5", "0x10", "~", "2024-03-01")]
    ['yes', True, 1e-05, 16, None, '2024-03-01']
    """
    if _NULL.fullmatch(text):
        return None
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED_INTEGER.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NOT_FINITE.fullmatch(text):
        return float(text.replace(".", ""))
    return text


class _Reader:
    """Builds values from events. ``anchors`` holds the values that an alias may repeat."""

    def __init__(self, text: str, source: str) -> None:
        self.events: Iterator[Any] = YAML(typ="safe", pure=True).parse(text)
        self.source = source
        self.anchors: dict[str, Any] = {}
        self.lines: dict[Place, int] = {}

    def read(self) -> tuple[Any, dict[Place, int]]:
        next(self.events)  # the stream starts
        first = next(self.events)
        if isinstance(first, StreamEndEvent):
            raise ConfigurationError(f"{self.source}: the file holds nothing but comments.")
        content = self.value(next(self.events), ())
        next(self.events)  # the document ends
        second = next(self.events)
        if not isinstance(second, StreamEndEvent):
            self.refuse(second, "a second YAML document starts; a suite is one document.")
        return content, self.lines

    def refuse(self, event: Any, problem: str) -> NoReturn:
        raise ConfigurationError(f"{self.source}, line {event.start_mark.line + 1}: {problem}")

    def value(self, event: Any, place: Place) -> Any:
        self.lines[place] = event.start_mark.line + 1
        if isinstance(event, AliasEvent):
            if event.anchor not in self.anchors:
                self.refuse(
                    event, f"*{event.anchor} repeats a value that no &{event.anchor} names."
                )
            return self.anchors[event.anchor]
        if len(place) > _DEEPEST:
            self.refuse(event, "values are nested too deeply.")
        if isinstance(event, SequenceStartEvent):
            value = self.sequence(place)
        elif isinstance(event, MappingStartEvent):
            value = self.mapping(place)
        else:
            value = self.scalar(event)
        if event.anchor:
            self.anchors[event.anchor] = value
        return value

    def scalar(self, event: Any) -> Any:
        tag = str(event.tag) if event.tag else None
        if tag and tag not in _TEXT_TAGS:
            self.refuse(
                event, f"{tag!r} is read as a YAML tag; text that starts with ! needs quotes."
            )
        if tag or event.style:
            return event.value
        try:
            return core_scalar(event.value)
        except ValueError:  # Python reads no whole number of more than 4,300 digits
            self.refuse(event, f"the number {event.value[:20]}… has too many digits.")

    def sequence(self, place: Place) -> Any:
        items: list[Any] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            items.append(self.value(event, (*place, len(items))))
        return items

    def mapping(self, place: Place) -> Any:
        mapping: dict[str, Any] = {}
        merged: list[Any] = []
        while not isinstance(event := next(self.events), MappingEndEvent):
            if not isinstance(event, ScalarEvent):
                self.refuse(event, "a key must be text.")
            key = event.value
            if key in mapping:
                first = self.lines[*place, key]
                self.refuse(event, f"the key {key!r} is written twice, first on line {first}.")
            value = self.value(next(self.events), (*place, key))
            if key == "<<" and not event.style:
                merged += value if isinstance(value, list) else [value]
                if not all(isinstance(part, dict) for part in merged):
                    self.refuse(event, "<< takes a mapping, as in '<<: *name'.")
                continue
            self.lines[*place, key] = event.start_mark.line + 1
            mapping[key] = value
        for part in merged:
            mapping = {**part, **mapping}
        return mapping


def _problem(error: Any, source: str) -> str:
    """Say in one line where the text stops being YAML, and what may help."""
    mark = getattr(error, "problem_mark", None)
    where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    parts = (getattr(error, "context", None), getattr(error, "problem", None))
    problem = ", ".join(part for part in parts if part) or str(error)
    hint = next((f" {hint}" for known, hint in _HINTS.items() if known in problem), "")
    return f"{source}{where}: not YAML: {' '.join(problem.split()).rstrip('.')}.{hint}"
