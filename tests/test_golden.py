"""The SQL that auditors read: the same text as is kept in ``golden/``, and it runs.

After a change of the macros that is meant, ``python -m tests.regenerate_golden`` writes the files
anew; the difference is part of the review.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.compile.loader import dialects
from tests.golden_cases import (
    BACKFILLED,
    CASES,
    DIALECTS,
    FOLDER,
    KEPT,
    NAMES,
    OF_JUDGES,
    WRITTEN_AS,
    connection,
    golden,
    rendered,
)

if TYPE_CHECKING:
    import duckdb


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    with connection() as opened:
        yield opened


def relation_and_filter(name: str) -> str:
    test = CASES[name][0]
    quoted = '"' + test["relation"].replace('"', '""') + '"'
    condition = test.get("where", "true")
    if "timestamp_column" in test:  # a week and an hour before half a second after 9 March
        within = "between '2024-03-01 23:00:00.5Z' and '2024-03-08 23:00:00.499999Z'"
        condition = f"({condition}) and {test['timestamp_column']} {within}"
    return f"{quoted} where {condition}"


@pytest.mark.parametrize(("dialect", "name"), KEPT)
def test_the_text_is_the_golden_one(
    dialect: str, name: str, warehouse: duckdb.DuckDBPyConnection
) -> None:
    hint = "if the change is meant: python -m tests.regenerate_golden"
    assert rendered(name, dialect, warehouse) == golden(name, dialect), hint


def test_every_golden_file_has_a_case() -> None:
    kept = {(path.parent.name, path.stem) for path in FOLDER.glob("*/*.sql")}
    assert kept == set(KEPT)


@pytest.mark.parametrize("name", ["rate", "dbt_auc", "hostile_names"])
@pytest.mark.parametrize(("dialect", "twin"), WRITTEN_AS.items())
def test_a_dialect_without_files_is_written_as_its_twin(
    dialect: str, twin: str, name: str, warehouse: duckdb.DuckDBPyConnection
) -> None:
    assert {*DIALECTS, *WRITTEN_AS} == set(dialects())
    assert rendered(name, dialect, warehouse) == golden(name, twin)


# Ten groups of two answers to each of three roles: pairs of all roles, or with the reference's
# answers, and a control a role.
PAIR_COUNTS = {"counterfactual_pairs": 10 * (3 * 4 + 3), "judged_pairs": 10 * (2 * 4 + 3)}


# What a backfill counts is tests/windows/' to say.
@pytest.mark.parametrize("name", [name for name in CASES if name not in BACKFILLED])
def test_it_runs_and_every_row_is_counted_once(
    name: str, warehouse: duckdb.DuckDBPyConnection
) -> None:
    total = PAIR_COUNTS.get(name)
    if total is None:
        counted = warehouse.sql(f"select count(*) from {relation_and_filter(name)}")
        (total,) = counted.fetchall()[0]
    result = warehouse.sql(golden(name))
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]
    cuts = {row["cut"] for row in rows}
    told = re.findall(r"(?m)^-- cuts? ([0-9, ]+): ", golden(name))
    assert cuts == {int(number) for numbers in told for number in numbers.split(", ")}
    for cut in cuts:
        whole, *groups = [row for row in rows if row["cut"] == cut]
        assert whole["is_whole"] == 1
        assert whole["rows_total"] == total
        # What is measured over all rows is one group.
        assert len(groups) == whole["groups_total"] >= (1 if name in OF_JUDGES else 2)
        evaluated = sum(group["evaluated"] for group in groups)
        missing = whole["missing_metric_inputs"] + whole["missing_attribute"]
        missing += whole.get("zero_weight_rows") or 0
        assert evaluated == whole["evaluated"] == total - missing > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_relation_is_read_once(name: str, warehouse: duckdb.DuckDBPyConnection) -> None:
    plan = warehouse.execute(f"explain (format json) {golden(name)}").fetchall()[0][1]
    reads = [node for node in operators(json.loads(plan)) if node == "SEQ_SCAN"]
    assert len(reads) == (2 if name in OF_JUDGES else 1)


@pytest.mark.parametrize(
    "name",
    CASES,
)
def test_every_part_says_what_its_rows_are(name: str) -> None:
    parts = re.findall(r"(?m)^(?:with )?(\w+) as \(\n( *--)?", golden(name))
    assert len(parts) >= 9
    assert not [part for part, comment in parts if not comment]


@pytest.mark.parametrize("name", CASES)
def test_comments_hold_nothing_that_splits_a_script(name: str) -> None:
    # Some clients cut a script at a semicolon, or look for the end of a quote, in comments too.
    comments = re.findall(r"(?m)^ +-- .*$", golden(name))
    assert comments
    assert not [comment for comment in comments if re.search("[;'\"]", comment)]


def operators(plan: Any) -> Iterator[str]:
    for node in plan if isinstance(plan, list) else [plan]:
        yield node["name"].strip()
        yield from operators(node["children"])
