"""Spark: types, numbers, messages, limits, and what a caller's session is left like."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from fairsql.config import build_test
from fairsql.dbt.outputs import spark as output
from fairsql.errors import ConfigurationError, RelationNotFoundError, WarehouseError
from fairsql.suite import Suite
from fairsql.warehouses import Column, Label, Limits
from fairsql.warehouses.spark import SparkWarehouse
from tests.cli.samples import ROOT, outside, suite_of
from tests.warehouses.spark_session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.xdist_group("spark")

PEOPLE = (
    "select if(id % 2 = 0, 'F', 'M') as sex, cast(id % 5 < 2 as int) as approved, id"
    " from range(200)"
)
# Some hours of work, in pieces that can be stopped.
SLOW = "select sum(a.id * b.id % 7) as s from range(10000000) as a cross join range(10000000) as b"
TYPES = {
    "integer": "integer",
    "tiny": "integer",
    "small": "integer",
    "big": "integer",
    "whole": "decimal",
    "money": "decimal",
    "real": "float",
    "number": "float",
    "truth": "boolean",
    "words": "text",
    "day": "date",
    "moment": "timestamptz",
    "clock": "timestamp",
    "nothing": "integer",
    "list": "other",
}
TYPED = """
select 1 as integer, 1Y as tiny, 1S as small, 1L as big, cast(1 as decimal(10, 0)) as whole,
    1.50BD as money, cast(0.5 as float) as real, 0.5D as number, true as truth, 'a' as words,
    date'2024-01-01' as day, timestamp'2024-01-01 00:00:00' as moment,
    timestamp_ntz'2024-01-01 00:00:00' as clock, null as nothing, array(1) as list
"""


@pytest.fixture(scope="module")
def session() -> SparkSession:
    return spark_session()


@pytest.fixture
def warehouse(session: SparkSession) -> Iterator[Any]:
    session.sql(f"create or replace temporary view people as {PEOPLE}")
    yield fairsql.connect(session)
    for view in session.catalog.listTables():
        session.catalog.dropTempView(view.name)


def active_jobs(session: SparkSession) -> list[int]:
    return list(session.sparkContext.statusTracker().getActiveJobsIds())


def until_active(session: SparkSession) -> list[int]:
    end = time.monotonic() + 30
    while not (found := active_jobs(session)):
        assert time.monotonic() < end, "no job began"
        time.sleep(0.02)
    return found


# --- numbers ---------------------------------------------------------------------------------


def judged(warehouse: Any, rows: str, **test: Any) -> Any:
    return fairsql.group_metric_parity(
        warehouse, f"({rows})", protected_attribute_columns=["g"], **test
    )


def test_a_rate(warehouse: Any) -> None:
    # Four fifths, exactly: case 1 of the small cases.
    rows = "select if(id < 80, 'F', 'M') as g, id < 24 or id >= 130 as y from range(160)"
    result = judged(
        warehouse,
        rows,
        parity_metric="rate",
        value_column="y",
        positive_values=["true"],
        higher_is_better=True,
        thresholds=[{"measurement": "min_metric_ratio", "operator": "is", "value": 0.8}],
    )
    assert result.status == "passed", result.message
    [women, men] = sorted(result.groups, key=lambda group: group.key["g"])
    assert (women.value, men.value) == (24 / 80, 30 / 80)
    assert women.ratio == 0.7999999999999999
    assert women.p_value == pytest.approx(0.4033092180943446, rel=1e-9)
    assert len(result.query_ids) == 1
    assert result.query_ids[0].startswith("fairsql-")


def test_a_mean_far_from_zero(warehouse: Any) -> None:
    # Case 4: 1e9 + 1..40 and 1e9 + 2..41.
    rows = "select if(id < 40, 'A', 'B') as g, 1000000001 + id % 40 + id div 40 as x from range(80)"
    result = judged(warehouse, rows, parity_metric="mean", value_column="x", higher_is_better=True)
    [low, high] = sorted(result.groups, key=lambda group: group.key["g"])
    assert high.is_reference
    assert low.difference == 1
    assert low.p_value == pytest.approx(0.7030968211135594, rel=1e-6)


def test_an_auc(warehouse: Any) -> None:
    rows = """
        select 'A' as g, s, y from values (0.1D, 0), (0.4D, 0), (0.35D, 1), (0.8D, 1) as a(s, y)
        union all
        select 'B', s, y
        from values (0.2D, 0), (0.5D, 0), (0.5D, 1), (0.5D, 1), (0.9D, 1) as b(s, y)
    """
    result = judged(
        warehouse,
        rows,
        parity_metric="auc",
        score_column="s",
        ground_truth_column="y",
        positive_values=[1],
        min_group_size=1,
        min_group_share=0,
    )
    values = {group.key["g"]: group.value for group in result.groups}
    assert values == pytest.approx({"A": 0.75, "B": 0.8333333333333334}, rel=1e-12)


# --- relations and columns -------------------------------------------------------------------


def test_columns_have_kinds(warehouse: Any) -> None:
    columns = warehouse.describe(f"({TYPED})")
    assert {column.name: column.kind for column in columns} == TYPES
    assert Column("whole", "decimal(10,0)", "decimal") in columns


def test_answers_hold_plain_numbers(warehouse: Any) -> None:
    [row] = warehouse.run(f"select whole, money, big, real, words from ({TYPED})").rows
    assert row == {"whole": 1, "money": 1.5, "big": 1, "real": 0.5, "words": "a"}
    assert [type(value) for value in row.values()] == [int, float, int, float, str]


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        ("peopel", "The table or view `peopel` cannot be found. Nearest: people."),
        ("`some where`.x", "`some where`.`x` cannot be found. There are: people."),
        ("(select nothing from people)", "`nothing` cannot be resolved. Did you mean"),
        ("parquet.`/nowhere/x`", "Path does not exist: file:/nowhere/x."),
    ],
)
def test_a_relation_that_is_not_there(warehouse: Any, relation: str, message: str) -> None:
    with pytest.raises(RelationNotFoundError) as caught:
        warehouse.describe(relation)
    assert str(caught.value).startswith(f"cannot read {relation}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_view_dropped_after_the_plan(warehouse: Any, session: SparkSession) -> None:
    session.sql("create temporary view brief as select * from people")
    tests = [
        build_test(
            name=name,
            relation=name,
            protected_attribute_columns=["sex"],
            parity_metric="rate",
            value_column="approved",
            positive_values=["1"],
            higher_is_better=True,
        )
        for name in ("brief", "people")
    ]

    def drop(_done: int, _total: int) -> None:
        session.sql("drop view if exists brief")

    run = Suite(tuple(tests)).run(warehouse, on_statement=drop)
    assert [test.status for test in run.tests] == ["error", "passed"]
    assert run.tests[0].message == "Spark says: The table or view `brief` cannot be found."


def test_names_are_compared_as_spark_does(session: SparkSession, warehouse: Any) -> None:
    assert warehouse.fold("Sex") == warehouse.fold("SEX")
    session.conf.set("spark.sql.caseSensitive", "true")
    try:
        assert fairsql.connect(session).fold("Sex") == "Sex"
    finally:
        session.conf.unset("spark.sql.caseSensitive")


# --- messages --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("selec 1", "Syntax error at or near 'selec'."),
        ("select 1 / (id - 5) from people", "Division by zero."),
        ("select count(*) from people where id = 'high'", "The value 'high' of the type"),
        ("select cast('078-05-' || id as int) from people", "The value … of the type"),
        ("select cast((id + 123456) * 1000 as smallint) from people", "The value … of the type"),
        ("select raise_error('078-05-' || id) from people", "USER_RAISED_EXCEPTION: …."),
        ("select raise_error('column x is no number') from people", "column x is no number."),
    ],
)
def test_a_message_is_a_line_without_values_of_rows(
    warehouse: Any, capfd: pytest.CaptureFixture[str], statement: str, message: str
) -> None:
    with pytest.raises(WarehouseError) as caught:
        warehouse.run(statement)
    said = str(caught.value)
    assert said.startswith(f"Spark says: {message}")
    assert "\n" not in said
    # Nor does PySpark log them meanwhile.
    printed = "".join(capfd.readouterr())
    assert not any(secret in said + printed for secret in ("078-05-0", "123456000"))


# --- limits, labels and Ctrl-C ---------------------------------------------------------------


@pytest.mark.usefixtures("warehouse")
def test_a_late_statement_is_stopped(session: SparkSession) -> None:
    limited = fairsql.connect(session, timeout=1)
    with pytest.raises(WarehouseError, match="Spark was stopped after 1 seconds, the timeout"):
        limited.run(SLOW)
    assert active_jobs(session) == []
    assert limited.run("select 1 as x").rows == [{"x": 1}]


def test_ctrl_c_stops_the_statement(session: SparkSession, warehouse: Any) -> None:
    def interrupt() -> None:
        until_active(session)
        os.kill(os.getpid(), signal.SIGINT)

    thread = Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        warehouse.run(SLOW)
    thread.join()
    assert active_jobs(session) == []
    assert warehouse.run("select 1 as x").rows == [{"x": 1}]


def test_a_statement_is_a_job_group_of_its_own(session: SparkSession, warehouse: Any) -> None:
    context = session.sparkContext
    context.setJobGroup("mine", "my own work")
    seen: dict[str, Any] = {}
    warehouse = fairsql.connect(session, timeout=2)

    def look() -> None:
        [job] = until_active(session)[:1]
        seen["groups"] = [
            group
            for group in ("mine", None)
            if job in context.statusTracker().getJobIdsForGroup(group)
        ]
        properties = context._jsc.sc().dagScheduler().activeJobs().head().properties()
        seen["description"] = properties.getProperty("spark.job.description")
        seen["id"] = properties.getProperty("spark.jobGroup.id")

    thread = Thread(target=look)
    thread.start()
    with pytest.raises(WarehouseError, match="timeout"):
        warehouse.run(SLOW, Label("audits/loans.yml", ("a", "b")))
    thread.join()
    assert seen["groups"] == []
    assert seen["description"] == f"fairsql {fairsql.__version__} audits/loans.yml: a; b"
    assert str(seen["id"]).startswith("fairsql-")
    # The caller's is as it was, and so are tags, settings and views.
    assert context.getLocalProperty("spark.jobGroup.id") == "mine"
    assert context.getLocalProperty("spark.job.description") == "my own work"
    for name in ("spark.jobGroup.id", "spark.job.description"):
        context.setLocalProperty(name, None)  # type: ignore[arg-type]


def test_a_callers_session_is_left_as_it_was(session: SparkSession, warehouse: Any) -> None:
    def state() -> Any:
        settings = {row["key"]: row["value"] for row in session.sql("set").collect()}
        return settings, [view.name for view in session.catalog.listTables()], session.getTags()

    before = state()
    for relation in ("people", "nowhere"):
        judged(
            warehouse,
            f"select sex as g, approved from {relation}",
            parity_metric="rate",
            value_column="approved",
            positive_values=["1"],
            higher_is_better=True,
        )
    warehouse.close()
    assert state() == before
    assert session.sql("select 1").collect()


# --- sessions of our own ---------------------------------------------------------------------


@pytest.mark.usefixtures("session")
def test_a_second_session_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="a Spark session is running in this process"):
        fairsql.connect("spark://local[2]")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("spark://", "must be spark://local"),
        ("spark://local[*]?shuffle=2", "begin with spark., but one is 'shuffle'"),
    ],
)
def test_a_wrong_url(url: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        fairsql.connect(url)
    assert message in str(caught.value)


OURS = "spark://local[2]?spark.sql.shuffle.partitions=2"


def test_the_command_line_ends_with_4(tmp_path: Path) -> None:
    fails = f"(select sex, cast('078-05-' || id as int) as approved from ({PEOPLE}))"
    (tmp_path / "suite.yml").write_text(suite_of(f"({PEOPLE})", fails, "nowhere"))
    done = outside(*("run", "suite.yml", "--connection", OURS, "--json", "out.json"), cwd=tmp_path)
    assert done.returncode == 4, done.stderr
    tests = json.loads((tmp_path / "out.json").read_text())["tests"]
    assert [test["status"] for test in tests] == ["passed", "error", "error"]
    assert tests[1]["message"].startswith("Spark says: The value … of the type")
    assert "`nowhere` cannot be found. There are no tables." in tests[2]["message"]
    assert "078-05-0" not in done.stdout + done.stderr + str(tests)


# Spark's own process is killed while the second statement runs.
KILLED = f"""
import json, sys
from threading import Thread
import fairsql
from pyspark import SparkContext

def kill():
    while not SparkContext._active_spark_context.statusTracker().getActiveJobsIds():
        pass
    SparkContext._gateway.proc.kill()

warehouse = fairsql.connect({OURS!r})
Thread(target=kill).start()
messages = [test.message for test in fairsql.load_suite("suite.yml").run(warehouse).tests]
warehouse.close()
json.dump(messages, sys.stdout)
"""


def test_a_session_that_is_killed(tmp_path: Path) -> None:
    slow = (
        "(select if(a.id % 2 = 0, 'F', 'M') as sex, cast(b.id % 5 < 2 as int) as approved"
        " from range(10000000) as a cross join range(10000000) as b)"
    )
    (tmp_path / "suite.yml").write_text(suite_of(slow, f"({PEOPLE})"))
    done = subprocess.run(
        [sys.executable, "-c", KILLED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    messages = json.loads(done.stdout)
    assert all(message.startswith("Spark does not answer: ") for message in messages), messages
    assert not any("\n" in message for message in messages)


@pytest.mark.parametrize("method", ["thrift", "http", "odbc", None])
def test_a_profile_of_another_method(method: str | None, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=f"here: method must be session, but is {method!r}"
    ):
        output.connect({"method": method, "schema": "x"}, "here", tmp_path)


def test_a_profile_starts_a_session_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: dict[str, Any] = {}

    def open_(master: str, settings: Mapping[str, str], **others: Any) -> None:
        opened.update(master=master, settings=settings, folder=Path.cwd(), **others)

    monkeypatch.setattr(SparkWarehouse, "open", open_)
    settings = {
        "method": "session",
        "schema": "shop",
        "server_side_parameters": {"spark.master": "local[1]", "spark.driver.memory": "2g"},
    }
    output.connect(settings, "here", tmp_path, Limits(5))
    assert opened == {
        "master": "local[1]",
        "settings": {"spark.driver.memory": "2g"},
        "folder": tmp_path,
        "hive": True,
        "database": "shop",
        "limits": Limits(5),
    }
    assert output.database_and_schema(settings) == ("", "shop")
