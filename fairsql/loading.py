"""A suite from a file: our own format, or a tests.json with what it does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairsql.config.documents import Document, read_document
from fairsql.config.mapping import FieldMapping, read_mapping
from fairsql.config.parse import parse_document
from fairsql.config.reading import TestsJson, is_tests_json, read_tests_json
from fairsql.errors import ConfigurationError
from fairsql.suite import Suite
from fairsql.unready import Unready

Mapped = str | Path | Mapping[str, Any]
"""A mapping file, or its content."""


def load_suite(
    path: str | Path,
    *,
    relation: str | None = None,
    timestamp_column: str | None = None,
    mapping: Mapped | None = None,
) -> Suite:
    """Return the suite of a file: a suite file of YAML or JSON, or an Openlayer tests.json.

    Parameters
    ----------
    path
        The file. A JSON array at its top is a tests.json.
    relation
        The table or view that the tests of a tests.json read.
    timestamp_column
        The column by which its tests find the rows of a window.
    mapping
        What else a tests.json does not say: a YAML file, or a mapping, of a test's name to fields,
        with fields of all tests under ``defaults``, and ``judges`` as a suite file has them. It
        wins over the other two.

    Raises
    ------
    ConfigurationError
        When the file is missing, unreadable or wrong; the message names each place. One wrong test
        of a tests.json is not: it is an error in the results.
    """
    document = read_document(path)
    given = {"relation": relation, "timestamp_column": timestamp_column}
    if not is_tests_json(document):
        _refuse_options(document, {**given, "mapping": mapping})
        loaded = parse_document(document)
        return Suite(loaded.tests, loaded.source, judges=loaded.judges)
    return _suite(read_tests_json(document, with_defaults(mapping, given)))


def read_mapped(
    path: str | Path,
    mapping: Mapped | None,
    given: Mapping[str, str | None],
    *,
    table: str,
) -> TestsJson:
    """Return the tests of a tests.json, each with its fields or with why it has none.

    ``table`` stands for a relation that is not named for any test.

    Raises
    ------
    ConfigurationError
        When the file is no tests.json, or is none that can be read.
    """
    document = read_document(path)
    if not is_tests_json(document):
        raise ConfigurationError(f"{document.source}: is no tests.json, which is a JSON array.")
    fields = with_defaults(mapping, given)
    if not any("relation" in own for own in (fields.defaults, *fields.tests.values())):
        fields = with_defaults(mapping, {**given, "relation": table})
    return read_tests_json(document, fields)


def with_defaults(mapping: Mapped | None, given: Mapping[str, str | None]) -> FieldMapping:
    """Return a mapping to whose defaults further fields are added, where it has none of them."""
    read = read_mapping(mapping)
    more = {name: value for name, value in given.items() if value is not None}
    return replace(read, defaults={**more, **read.defaults})


def _refuse_options(document: Document, given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if value is not None:
            raise ConfigurationError(
                f"{document.source}: {name} is for a tests.json; the tests of a suite file have"
                " their own fields."
            )


def _suite(read: TestsJson) -> Suite:
    unready = [
        Unready(item.name, item.type, item.message, read.defaults.get("relation"))
        for item in read.items
        if item.message is not None
    ]
    return Suite(
        tuple(read.tests.values()),
        source=read.source,
        unready=tuple(unready),
        order=tuple(item.name for item in read.items),
        notes={item.name: item.notes for item in read.items if item.notes},
        judges=read.judges,
        one_by_one=True,
    )
