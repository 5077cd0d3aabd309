"""What users of dbt expect of a test: where it stands, its config, its rows, its warnings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dbt.project import Project
from tests.dbt.shop import COLUMN_TESTS, OTHER_NODES, REFUSED, TESTS_OF_LOANS, properties
from tests.dbt.warehouses import DuckDB
from tests.fixtures.relations import exactly

if TYPE_CHECKING:
    from tests.dbt.conftest import Ran

pytestmark = pytest.mark.xdist_group("dbt-shop")

CHECKED = dict(TESTS_OF_LOANS)
for of in (*COLUMN_TESTS.values(), *OTHER_NODES.values()):
    CHECKED |= of


@pytest.mark.parametrize("name", CHECKED)
def test_a_test_comes_to_what_its_config_says(shop: Ran, name: str) -> None:
    outcome = shop.tested[name]
    checked = CHECKED[name]
    assert (outcome.status, outcome.failures) == (checked.status, checked.failures), outcome


def test_a_seed_can_be_tested_and_a_test_needs_no_name(shop: Ran) -> None:
    assert shop.tested["of_a_seed"].failures == 2
    (unnamed,) = [name for name in shop.tested if name.startswith("fairsql_group_metric_parity_")]
    assert shop.tested[unnamed].failures == 2


def test_a_users_names_are_the_users_own(shop: Ran) -> None:
    # Models called source, verdict and statistics, and macros that would spoil ours.
    for model in ("loans", "source", "statistics", "groups", "groups_of_statistics"):
        assert shop.built[model].status == "success", shop.built[model]


def test_failing_groups_are_stored_with_their_evidence(shop: Ran) -> None:
    rows = {row["key_1"]: row for row in shop.stored("two_groups_fail")}
    assert set(rows) == {"F", "X"}
    women = rows["F"]
    assert women["test_name"] == "group_metric_parity"
    assert (women["status"], women["reason"], women["message"]) == ("failed", None, None)
    assert women["broken_thresholds"] == "failing_group_count <= 0"
    assert (women["group_rows"], women["statistic_positives"], women["denominator"]) == (80, 30, 80)
    assert women["value"] == exactly(30 / 80)
    assert women["comparison_value"] == exactly(50 / 80)
    assert women["ratio"] == exactly(0.6)
    assert women["difference"] == exactly(0.25)
    # R: fisher.test(matrix(c(30, 50, 50, 30), 2))$p.value
    assert women["p_value"] == exactly(0.00255359992405714)
    assert (women["sufficient"], women["worse"], women["failed"]) == (True, True, True)
    assert women["failing_group_count"] == 2
    assert women["min_metric_ratio"] == exactly(0.6)
    assert (women["rows_total"], women["rows_missing_attribute"]) == (245, 5)
    assert (women["rows_evaluated"], women["groups_total"]) == (240, 3)


def test_where_comes_before_everything(shop: Ran) -> None:
    rows = shop.stored("where_of_validation")
    assert {row["key_1"]: row["group_rows"] for row in rows} == {"F": 40, "X": 40}
    assert {row["rows_total"] for row in rows} == {120}


def test_a_skip_stores_its_reason(shop: Ran) -> None:
    (row,) = shop.stored("skip")
    assert (row["status"], row["reason"]) == ("skipped", "positive_class_absent")
    assert "approved never holds never" in row["message"]
    assert (row["key_1"], row["value"], row["failing_group_count"]) == (None, None, None)
    assert row["rows_total"] == 245
    (empty,) = shop.stored("where_without_rows")
    assert (empty["status"], empty["reason"]) == ("skipped", "no_rows")


def test_a_limit_that_no_group_breaks_stores_a_row_without_a_key(shop: Ran) -> None:
    (row,) = shop.stored("nobody_fails_but_many_are_missing")
    assert (row["status"], row["key_1"], row["failed"]) == ("failed", None, None)
    assert row["broken_thresholds"] == "missing_attribute_rate <= 0.01"
    assert row["missing_attribute_rate"] == exactly(5 / 245)


def test_a_group_that_breaks_two_limits_is_one_row(shop: Ran) -> None:
    found = {row["key_1"]: row["broken_thresholds"] for row in shop.stored("three_limits_broken")}
    assert found == {
        "F": "failing_group_count <= 0; min_metric_ratio >= 0.8",
        "X": "failing_group_count <= 0",
        None: "missing_attribute_rate <= 0.01",
    }


def test_every_group_is_a_row_of_the_results(shop: Ran) -> None:
    read, scanned = shop.warehouse.rows(["main.groups_of_statistics", "main.groups"])
    assert {row["key_1"]: row["failed"] for row in scanned} == {"F": True, "M": False, "X": True}
    assert {row["test_name"] for row in read} == {"mine"}
    # Reading the statistics is reading the table.
    by_key = [{row["key_1"]: row | {"test_name": ""} for row in of} for of in (read, scanned)]
    assert by_key[0] == by_key[1]


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_argument_is_an_error_that_names_it(shop: Ran, name: str) -> None:
    outcome = shop.built[f"refused_{name}"]
    assert outcome.status == "error"
    assert outcome.message is not None
    assert REFUSED[name][1] in outcome.message
    assert "Compilation Error" in outcome.message


def test_a_skip_is_an_error_to_those_who_want_no_warnings(shop: Ran) -> None:
    chosen = ("skip", "skip_counted_as_a_pass", "skip_hidden_by_warn_if")
    asked = shop.project.dbt("--warn-error", "test", "--select", *chosen)
    assert asked.returncode == 1
    found = {name: outcome.status for name, outcome in shop.project.outcomes().items()}
    assert found == dict(zip(chosen, ("fail", "pass", "pass"), strict=True))


def test_documentation_is_generated_without_a_warning(shop: Ran) -> None:
    # It parses everything again and compiles all but what is refused.
    shop.project.done(
        *("--warn-error", "--no-partial-parse", "docs", "generate"),
        *("--exclude", "path:models/refused"),
    )
    catalog = json.loads((shop.project.root / "target" / "catalog.json").read_text())
    assert "p_value_adjusted" in catalog["nodes"]["model.shop.groups"]["columns"]


def test_a_test_under_a_column_that_it_is_not_about_ends_the_parse(tmp_path: Path) -> None:
    given = {
        "protected_attribute_columns": ["gender"],
        "parity_metric": "auc",
        "score_column": "score",
        "positive_values": ["1"],
    }
    test = {"fairsql.group_metric_parity": {"arguments": given}}
    columns = [{"name": "approved", "data_tests": [test]}]
    project = Project.create(
        tmp_path / "project",
        DuckDB(tmp_path / "shop.duckdb").output,
        {
            "models/loans.sql": "select 1 as approved",
            "models/loans.yml": properties("models", name="loans", columns=columns),
        },
    )
    parsed = project.dbt("parse")
    assert parsed.returncode == 2
    assert (
        "fairsql.group_metric_parity under the column approved: it is not clear what the column "
        "is to parity_metric auc; put the test under the model and name its columns."
    ) in parsed.stdout
