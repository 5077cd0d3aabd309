"""A history: what is in it, what is not, and that it is read back as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

import fairsql
from fairsql.history import TABLE, check_history
from fairsql.records import COLUMNS, records
from tests.cli.samples import call, rows, suite_of
from tests.report.every_type import every_type
from tests.report.runs import full_run, people

if TYPE_CHECKING:
    from fairsql.results import Run


def stored(path: Path, table: str = TABLE) -> list[dict[str, object]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        found = connection.execute(f"select * from {table}")
        names = [name for name, *_ in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def test_every_group_of_every_run_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "history.duckdb"
    run = full_run()
    ids = [fairsql.keep_history(run, path) for _ in range(2)]
    assert len(set(ids)) == 2
    for run_id in ids:
        kept = [row for row in stored(path) if row.pop("run_id") == run_id]
        assert kept == list(records(run))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["history.duckdb"]


def test_a_suppressed_group_has_no_number(tmp_path: Path) -> None:
    fairsql.keep_history(full_run(), tmp_path / "h.duckdb")
    (hidden,) = [row for row in stored(tmp_path / "h.duckdb") if row["suppressed"]]
    own = list(COLUMNS)[list(COLUMNS).index("rows") :]
    numbers = [name for name in own if COLUMNS[name] in ("integer", "number")]
    assert [hidden[name] for name in numbers] == [None] * len(numbers)


def test_measurements_are_read_over_time(tmp_path: Path) -> None:
    path = tmp_path / "h.duckdb"
    run = full_run()
    later = replace(run, started_at="2031-01-01T00:00:00Z", tests=run.tests[:2])
    earlier = replace(run, started_at="2020-01-01T00:00:00Z", tests=run.tests[1:3])
    ids = [fairsql.keep_history(one, path) for one in (run, later, earlier)]
    past = fairsql.read_history(path)
    of_one = [one for one in past if one.test == "fails"]
    assert [one.run_id for one in of_one] == [ids[2], ids[0], ids[1]]
    assert [one.started_at for one in of_one][::2] == [earlier.started_at, later.started_at]
    (test,) = [test for test in run.tests if test.name == "fails"]
    for one in of_one:
        assert one.measurements == test.measurements
        assert (one.status, one.thresholds) == ("failed", "failing_group_count <= 0.0")
    assert len(past) == len(run.tests) + 4
    errs = next(one for one in past if one.test == "errs")
    assert set(errs.measurements.values()) == {None}


def test_measurements_of_every_type_of_test_are_read_over_time(tmp_path: Path) -> None:
    path = tmp_path / "h.duckdb"
    # As the first fairsql made it: without the columns that other types of tests brought.
    fairsql.keep_history(full_run(), path)
    with duckdb.connect(str(path)) as connection:
        for name in ("stratum", "positive_class", "other_measurements"):
            connection.execute(f"alter table {TABLE} drop column {name}")
    assert len(fairsql.read_history(path)) == len(full_run().tests)
    fairsql.keep_history(every_type(), path)
    past = {one.test: one.measurements for one in fairsql.read_history(path)}
    for test in every_type().tests:
        found = {name: past[test.name][name] for name in test.measurements}
        assert found == test.measurements


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no-folder/h.duckdb", "the folder 'no-folder' does not exist"),
        (".", "is a folder"),
        ("other.csv", "is a file of another kind"),
        (":memory:", "must be a DuckDB file, such as history.duckdb"),
        (":memory:named", "must be a DuckDB file, such as history.duckdb"),
        ("md:history", "must be a DuckDB file, such as history.duckdb"),
        ("duckdb:///h.duckdb", "must be a DuckDB file, such as history.duckdb"),
        ("", "is empty; is a variable not set?"),
        ("warehouse:a; drop table b", "a plain name such as schema.table"),
        ("warehouse:", "a plain name such as schema.table"),
        ("warehouse:history", "this warehouse is duckdb, memory"),
    ],
)
def test_a_history_that_cannot_be_kept_is_told_before_anything_runs(
    target: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("fair.csv", "other.csv"):
        (tmp_path / name).write_text(rows(24, 30))
    (tmp_path / "suite.yml").write_text(suite_of("fair"))
    before = set(tmp_path.iterdir())
    data = ("--data", "fair=fair.csv", "--json", "out.json")
    result = call("run", "suite.yml", *data, "--history", target)
    assert result.exit_code == 2
    assert message in result.stderr
    assert set(tmp_path.iterdir()) == before


def test_a_table_in_a_warehouse_needs_the_warehouse() -> None:
    with pytest.raises(fairsql.ConfigurationError, match="needs the warehouse"):
        fairsql.read_history("warehouse:a.b")


def test_a_warehouse_that_is_only_read_is_named() -> None:
    class Reading:
        dialect, name = "snowflake", "account"

    with pytest.raises(fairsql.ConfigurationError, match="this warehouse is snowflake, account"):
        check_history("warehouse:audits.fairness", Reading())  # type: ignore[arg-type]


def test_a_live_connection_keeps_a_history_and_its_transaction() -> None:
    connection = people()
    connection.execute("create schema audits")
    connection.execute("begin")
    connection.execute("create table of_the_caller (a int)")
    fairsql.keep_history(full_run(), "warehouse:audits.fairness", fairsql.connect(connection))
    connection.execute("rollback")
    assert (
        connection.sql("from duckdb_tables() where table_name = 'of_the_caller'").fetchall() == []
    )
    past = fairsql.read_history("warehouse:audits.fairness", fairsql.connect(connection))
    assert len(past) == len(full_run().tests)


def test_a_duckdb_file_keeps_a_history_beside_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair.csv").write_text(rows(24, 30))
    (tmp_path / "suite.yml").write_text(suite_of("fair"))
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute("create table fair as from 'fair.csv'")
    arguments = ("run", "suite.yml", "--connection", "duckdb:///shop.duckdb", "--history")
    for _ in range(2):
        assert call(*arguments, "warehouse:fairness").exit_code == 0
    assert len(stored(Path("shop.duckdb"), "fairness")) == 4
    # The file itself is open, for reading; and a schema must be there.
    Path("link.duckdb").symlink_to("shop.duckdb")
    for target, advice in {
        "shop.duckdb": "write warehouse:fairsql_history.",
        "./link.duckdb": "write warehouse:fairsql_history.",
        "warehouse:nowhere.fairness": "write warehouse:fairness.",
        "warehouse:shop.nowhere.fairness": "write warehouse:fairness.",
    }.items():
        result = call(*arguments, target, "--json", "out.json")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.strip().endswith(advice)
        assert not Path("out.json").exists()
    assert call(*arguments, "warehouse:main.fairness").exit_code == 0
    assert call(*arguments, "warehouse:Shop.main.fairness").exit_code == 0
    assert len(stored(Path("shop.duckdb"), "fairness")) == 8


def test_a_history_that_cannot_be_written_costs_no_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair.csv").write_text(rows(24, 30))
    (tmp_path / "suite.yml").write_text(suite_of("fair"))
    with duckdb.connect("h.duckdb") as connection:
        connection.execute("create view fairsql_history as select 1 as run_id")
    arguments = ("run", "suite.yml", "--data", "fair=fair.csv", "--history", "h.duckdb")
    result = call(*arguments, "--json", "out.json")
    assert result.exit_code == 4
    assert "\nError: --history h.duckdb was not kept: " in f"\n{result.stderr}"
    assert "1 passed" in result.stdout
    assert fairsql.load_run("out.json").passed


def test_a_warehouse_reads_on_after_it_has_kept_a_history(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    duckdb.connect(str(path)).close()
    warehouse = fairsql.connect(f"duckdb:///{path}")
    fairsql.keep_history(full_run(), "warehouse:fairness", warehouse)
    assert warehouse.run("select count(distinct test) as n from fairness").rows[0]["n"] > 5
    with pytest.raises(fairsql.WarehouseError):  # read-only again
        warehouse.run("create table x (a int)")
    warehouse.close()


def test_a_run_without_tests_is_no_row(tmp_path: Path) -> None:
    empty: Run = replace(full_run(), tests=())
    fairsql.keep_history(empty, tmp_path / "h.duckdb")
    assert fairsql.read_history(tmp_path / "h.duckdb") == ()
    check_history(tmp_path / "h.duckdb")


# Those that may be absent from a table of an earlier fairsql.
LATER = (
    *("undefined_group_count", "thresholds", "suite", "p_value", "failed", "key_3"),
    *("stratum", "positive_class", "other_measurements"),
)


def test_a_history_of_an_earlier_fairsql_is_read_and_gets_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "h.duckdb"
    run = full_run()
    first = fairsql.keep_history(run, path)
    with duckdb.connect(str(path)) as connection:
        for name in LATER:
            connection.execute(f"alter table {TABLE} drop column {name}")
    past = fairsql.read_history(path)
    assert len(past) == len(run.tests)
    for one in past:
        assert (one.thresholds, one.suite) == (None, None)
        assert one.measurements["undefined_group_count"] is None
    assert {one.measurements["failing_group_count"] for one in past} > {None}

    second = fairsql.keep_history(run, path)
    kept = [row for row in stored(path) if row.pop("run_id") == second]
    assert kept == [{name: row[name] for name in kept[0]} for row in records(run)]
    assert set(kept[0]) == set(COLUMNS)
    old = [row for row in stored(path) if row["run_id"] == first]
    assert [row[name] for row in old for name in LATER] == [None] * len(LATER) * len(old)
    assert len(fairsql.read_history(path)) == 2 * len(run.tests)


def test_columns_of_somebody_else_s_stay_and_are_empty(tmp_path: Path) -> None:
    path = tmp_path / "h.duckdb"
    fairsql.keep_history(full_run(), path)
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"alter table {TABLE} add column extra int default 7")
    fairsql.keep_history(full_run(), path)
    assert len(fairsql.read_history(path)) == 2 * len(full_run().tests)


def test_a_table_that_is_no_history_is_left_as_it_is() -> None:
    connection = people()
    before = connection.sql("describe loans").fetchall()
    warehouse = fairsql.connect(connection)
    for use in (lambda: fairsql.keep_history(full_run(), "warehouse:loans", warehouse),
                lambda: fairsql.read_history("warehouse:loans", warehouse)):  # fmt: skip
        with pytest.raises(fairsql.WarehouseError, match="loans has no column 'run_id', so is no"):
            use()
    assert connection.sql("describe loans").fetchall() == before


def test_runs_of_one_second_stand_in_the_order_in_which_they_were_kept(tmp_path: Path) -> None:
    ids = [fairsql.keep_history(full_run(), tmp_path / "h.duckdb") for _ in range(8)]
    past = fairsql.read_history(tmp_path / "h.duckdb")
    assert list(dict.fromkeys(one.run_id for one in past)) == ids


def test_a_name_that_is_no_utf_8_is_kept_escaped(tmp_path: Path) -> None:
    run = replace(full_run(), suite="su\udcff.yml")
    fairsql.keep_history(run, tmp_path / "h.duckdb")
    assert {one.suite for one in fairsql.read_history(tmp_path / "h.duckdb")} == {"su\\udcff.yml"}
