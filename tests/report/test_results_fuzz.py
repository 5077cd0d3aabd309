"""A results file of which one value is wrong is refused, or every output can be made of it."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

import fairsql
from fairsql.report import UNICODE, parse_run, render_html, run_table
from fairsql.report.presets import PRESETS
from tests.report.runs import full_run
from tests.report.samples import TEST, run_of

if TYPE_CHECKING:
    from fairsql.results import Run

WRONG: tuple[Any, ...] = (None, "x", [], {}, -1, 1e308, True, 10**399)
Path = tuple[str | int, ...]


def document() -> Any:
    """The file of a test with a group that is suppressed, and one that is not."""
    (test,) = [test for test in full_run().tests if test.name == "hides small groups"]
    groups = sorted(test.groups, key=lambda group: group.suppressed)
    small = replace(test, groups=(groups[0], groups[-1]))
    return json.loads(replace(full_run(), tests=(small,)).to_json())


def paths(value: Any, place: Path = ()) -> Iterator[Path]:
    items = (
        value.items() if isinstance(value, dict)
        else enumerate(value) if isinstance(value, list) else ()
    )  # fmt: skip
    yield place
    for name, item in items:
        yield from paths(item, (*place, name))


def changed(whole: Any, place: Path, value: Any) -> Any:
    if not place:
        return value
    other = copy.deepcopy(whole)
    item = other
    for step in place[:-1]:
        item = item[step]
    item[place[-1]] = value
    return other


def make_all(run: Run, *, slow: bool) -> None:
    """Make every output; those that take long only if they are asked for."""
    run.to_json(), run.to_csv(), run.to_junit(), run.to_markdown()
    run._repr_html_(), PRESETS["nyc-ll144"](run)
    for test in run.tests:
        test._repr_html_()
    if slow:
        render_html(run)
        table = run_table(run, width=100, marks=UNICODE, verbose=True, elapsed_seconds=0.1)
        Console(file=io.StringIO(), width=100).print(table)
        for test in run.tests:
            test.plot().to_dict(), test.groups.to_pandas(), test.groups.to_arrow()


def test_one_wrong_value_is_refused_or_does_no_harm() -> None:
    whole = document()
    taken = refused = 0
    for place in paths(whole):
        for wrong in WRONG:
            text = json.dumps(changed(whole, place, wrong))
            try:
                run = parse_run(text, "f")
            except fairsql.ConfigurationError:
                refused += 1
                continue
            taken += 1
            try:
                make_all(run, slow=taken % 70 == 0)
            except Exception as error:
                raise AssertionError(f"{place} = {wrong!r}") from error
    assert refused > 4 * taken > 100


ONE = ("tests", 0)
GROUP = (*ONE, "groups", 0)


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        ((*ONE, "parameters", "alpha"), "x", "f, tests 1, parameters, alpha: must be a number, "),
        ((*ONE, "parameters", "alpha"), 2, "f, tests 1, parameters, alpha: must be a number betw"),
        ((*ONE, "parameters", "min_ratio"), None, "f, tests 1, parameters, min_ratio: must be a n"),
        (
            (*ONE, "parameters", "protected_attribute_columns"),
            [],
            "f, tests 1, parameters, protected_attribute_columns: must be 1 to 3 of them, but",
        ),
        ((*ONE, "parameters", "new"), [10**399], "f, tests 1, parameters, new 1: must be a finite"),
        ((*GROUP, "denominator"), None, "f, tests 1, groups 1, denominator: must be there in a"),
        ((*GROUP, "suppressed"), True, "f, tests 1, groups 1, rows: must be null in a group that"),
        ((*GROUP, "rows"), 10**399, "f, tests 1, groups 1, rows: must be a whole number from 0"),
        ((*GROUP, "key"), {"a": "b"}, "f, tests 1, groups 2, key: must be of a, as the first"),
        (("started_at",), "2026-11-30T10:00:00", "f, started_at: must be a time in UTC, such as"),
        (("started_at",), "2026-13-30T10:00:00Z", "f, started_at: must be a time in UTC, such as"),
        (("finished_at",), "soon", "f, finished_at: must be a time in UTC, such as"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(place: Path, value: Any, complaint: str) -> None:
    text = json.dumps(changed(document(), place, value))
    with pytest.raises(fairsql.ConfigurationError) as raised:
        parse_run(text, "f")
    assert str(raised.value).startswith(complaint)


def test_parameters_of_a_later_version_are_kept() -> None:
    run = run_of(replace(TEST, parameters={**TEST.parameters, "new": {"a": [1, None, "x", 0.5]}}))
    assert parse_run(run.to_json(), "f") == run
