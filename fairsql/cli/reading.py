"""The file of tests that a command reads, and the options that say what a tests.json does not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

import fairsql
from fairsql.cli.apart import given

if TYPE_CHECKING:
    from fairsql import Suite

_Result = TypeVar("_Result")

_OPTIONS = {
    "relation": ("NAME", "tests.json: the table or view that the tests read."),
    "timestamp_column": ("NAME", "tests.json: the column that the tests' windows go by."),
    "mapping": ("FILE", "tests.json: a YAML file with further fields, by the name of a test."),
}


@dataclass(frozen=True)
class Reading:
    """A file of tests, and what it does not say."""

    suite: str
    relation: str | None = None
    timestamp_column: str | None = None
    mapping: str | None = None

    def load(self) -> Suite:
        """Return the suite."""
        return fairsql.load_suite(
            self.suite,
            relation=self.relation,
            timestamp_column=self.timestamp_column,
            mapping=self.mapping,
        )

    @property
    def files(self) -> list[str]:
        """The files that are read."""
        return [self.suite, *([self.mapping] if self.mapping else [])]


def reading_options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command a file of tests and its options, as its argument ``reading``."""

    @functools.wraps(command)
    def reading(*, suite: str, **others: Any) -> _Result:
        said = {name: others.pop(name) for name in _OPTIONS}
        return command(reading=Reading(suite, **said), **others)

    for name, (metavar, text) in reversed(_OPTIONS.items()):
        option = click.option(
            f"--{name.replace('_', '-')}", metavar=metavar, callback=given, help=text
        )
        reading = option(reading)
    return click.argument("suite")(reading)
