"""``fairsql debug --self-test``: what it prints, and how it ends."""

from __future__ import annotations

import functools

import pytest

import fairsql.selftest
from fairsql.compile.loader import macros_for
from fairsql.errors import WarehouseError
from fairsql.selftest import CASES
from fairsql.version import __version__
from fairsql.warehouses.duckdb import DuckDBWarehouse
from tests.cli.samples import call

FEW = [case for case in CASES if case.name in ("rate, Fisher", "white space, keys as text")]


@pytest.fixture(autouse=True)
def few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    few = functools.partial(fairsql.selftest.self_test, cases=FEW)
    monkeypatch.setattr(fairsql.selftest, "self_test", few)


def test_right_answers_end_with_0() -> None:
    result = call("debug", "--self-test", env={"COLUMNS": "200"})
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split("  ")[1] for line in lines if " ok (" in line] == [
        "text literals",
        "column types of people",
        "column types of texts",
        "column types of values",
        "rate, Fisher: Python",
        "white space, keys as text: Python",
        "rate, Fisher: SQL",
        "white space, keys as text: SQL",
    ]
    assert lines[-1].startswith("Self-test: all 8 answers right, in ")
    assert f"fairsql {__version__} on DuckDB" in lines[-1]


def test_wrong_answers_are_shown_and_end_with_4(monkeypatch: pytest.MonkeyPatch) -> None:
    known = macros_for("duckdb").dispatch

    def without_trim(wanted: str, package: str = "fairsql") -> object:
        return (lambda text: text) if wanted == "fairsql_trim" else known(wanted, package)

    monkeypatch.setattr(macros_for("duckdb"), "dispatch", without_trim)
    result = call("debug", "--self-test", env={"COLUMNS": "200"})
    assert result.exit_code == 4
    assert "white space, keys as text: SQL     WRONG (" in result.stdout
    assert "rows.missing_attribute: expected 3, got " in result.stdout
    assert "Self-test: 4 of 8 answers wrong, in " in result.stdout


def test_an_error_of_the_warehouse_is_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    known = DuckDBWarehouse.run

    def run(self: DuckDBWarehouse, sql: str, *more: object) -> object:
        if "fisher_guesses" in sql:
            raise WarehouseError("DuckDB says: no such function.")
        return known(self, sql, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckDBWarehouse, "run", run)
    result = call("debug", "--self-test", env={"COLUMNS": "200"})
    assert result.exit_code == 4
    assert "DuckDB says: no such function." in result.stdout
