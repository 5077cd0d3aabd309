"""A suite on the Snowflake emulator, start to end, with numbers that were published elsewhere.

The emulator runs our SQL on DuckDB, so this proves the path and not Snowflake's arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from tests.warehouses.fakesnow_server import FakeSnow, fakesnow

if TYPE_CHECKING:
    from fairsql.results import Run

pytestmark = pytest.mark.xdist_group("snowflake")

SUITE = """
version: 1
defaults: {min_group_size: 10}
tests:
  - name: exam passed
    type: group_metric_parity
    relation: exams
    protected_attribute_columns: [Race]
    parity_metric: rate
    value_column: passed
    positive_values: [1]
    higher_is_better: true
  - name: rated by radiologists
    type: group_metric_parity
    relation: ratings
    protected_attribute_columns: [reader]
    parity_metric: auc
    score_column: rating
    ground_truth_column: abnormal
    positive_values: ["1"]
  - name: paid alike
    type: group_metric_parity
    relation: ledger
    where: "amount > 0"
    protected_attribute_columns: [office]
    parity_metric: mean
    value_column: amount
    higher_is_better: true
  - name: paid a fair share
    type: group_metric_parity
    relation: ledger
    where: "amount > 0"
    protected_attribute_columns: [office]
    parity_metric: median
    value_column: amount
    higher_is_better: true
  - name: nowhere
    type: group_metric_parity
    relation: ledgers
    protected_attribute_columns: [office]
    parity_metric: mean
    value_column: amount
    higher_is_better: true
"""


def values(rows: list[tuple[Any, ...]]) -> str:
    return ", ".join(str(row) for row in rows)


def tables() -> Iterator[str]:
    # Connecticut v. Teal: 26 of 48 passed, and 206 of 259.
    exams = [("Black", int(i < 26)) for i in range(48)] + [
        ("White", int(i < 206)) for i in range(259)
    ]
    yield "create table exams (race varchar, passed number(1,0))"
    yield f"insert into exams values {values(exams)}"
    # Hanley and McNeil 1982: how many normal and abnormal images had the ratings 1 to 5; and a
    # reader who gives all of them the same.
    counts = {0: (33, 6, 6, 11, 2), 1: (3, 2, 2, 11, 33)}
    ratings = [
        (reader, truth, rating if reader == "sees" else 3)
        for reader in ("sees", "guesses")
        for truth, by_rating in counts.items()
        for rating, count in enumerate(by_rating, 1)
        for _ in range(count)
    ]
    yield "create table ratings (reader varchar, abnormal int, rating int)"
    yield f"insert into ratings values {values(ratings)}"
    ledger = [
        (office, 10**9 + i + lead) for i in range(40) for office, lead in (("A", 1), ("B", 2))
    ]
    yield "create table ledger (office varchar, amount number(12,2))"
    yield f"insert into ledger values {values([*ledger, ('A', -1)])}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("suite")
    with fakesnow(folder) as emulator:
        emulator.execute("fair", *tables())
        yield suite_run(emulator, folder)


def suite_run(emulator: FakeSnow, folder: Path) -> Run:
    file = folder / "fairsql.yml"
    file.write_text(SUITE)
    return fairsql.load_suite(file).run(emulator.url("fair"))


def groups(run: Run, name: str) -> dict[Any, Any]:
    [test] = [test for test in run.tests if test.name == name]
    assert test.status in ("passed", "failed"), test.message
    return {next(iter(group.key.values())): group for group in test.groups}


def test_a_rate_fisher_and_a_ratio(run: Run) -> None:
    found = groups(run, "exam passed")
    assert found["Black"].value == 26 / 48
    assert found["Black"].ratio == pytest.approx(0.6810275080906149, rel=1e-9)
    assert found["Black"].p_value == pytest.approx(0.0004041588085768439, rel=1e-9)
    assert found["White"].is_reference


def test_an_auc_over_ties(run: Run) -> None:
    found = groups(run, "rated by radiologists")
    assert found["sees"].value == pytest.approx(0.8931710615280595, rel=1e-9)
    assert found["guesses"].value == 0.5


def test_a_mean_at_a_large_offset(run: Run) -> None:
    found = groups(run, "paid alike")
    assert found["A"].rows == 40
    assert found["A"].difference == pytest.approx(1, rel=1e-6)
    assert found["A"].p_value == pytest.approx(0.7030968211135594, rel=1e-3)


def test_a_median_of_decimals(run: Run) -> None:
    found = groups(run, "paid a fair share")
    assert (found["A"].value, found["B"].value) == (10**9 + 20.5, 10**9 + 21.5)


def test_each_result_names_its_query(run: Run) -> None:
    ids = {test.name: test.query_ids for test in run.tests}
    assert len({ids["exam passed"], ids["rated by radiologists"], ids["paid alike"]}) == 3
    assert ids["paid alike"] == ids["paid a fair share"] != ()  # one scan of the ledger
    assert run.scans == 3
    assert (run.dialect, run.warehouse_name) == ("snowflake", "FAIR.PUBLIC at fakesnow")


def test_a_table_that_is_not_there_stops_no_other_test(run: Run) -> None:
    assert run.tests[-1].status == "error"
    assert "Nearest: ledger." in (run.tests[-1].message or "")
