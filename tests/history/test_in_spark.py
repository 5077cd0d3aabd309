"""A history in Spark: on its own session, in plain Parquet tables."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.history import check_history
from fairsql.warehouses.spark import SparkWarehouse
from fairsql.warehouses.spark_words import appending
from tests.history.kept import MANY, hold_two_runs, long_run, runs_of
from tests.report.runs import full_run
from tests.report.samples import GROUP, TEST, run_of
from tests.warehouses.spark_session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.xdist_group("spark")
TARGET = "warehouse:audits.fairness"
ROOT = Path(__file__).resolve().parents[2]
# A process of its own, whose tables are in a folder of its own.
SCRIPT = """
import sys
import fairsql
from tests.history.kept import long_run
from tests.warehouses.spark_session import spark_session
session = spark_session()
session.sql(f"create database audits location '{sys.argv[1]}'")
run, warehouse = long_run(), fairsql.connect(session)
while True:
    print(fairsql.keep_history(run, "warehouse:audits.fairness", warehouse), flush=True)
"""


@pytest.fixture(scope="module")
def session() -> SparkSession:
    return spark_session()


@pytest.fixture
def warehouse(session: SparkSession, tmp_path: Path) -> Iterator[Any]:
    session.sql(f"create database audits location '{tmp_path}/audits'")
    yield fairsql.connect(session)
    session.sql("drop database audits cascade")


def test_what_is_kept_is_what_was_found(warehouse: Any) -> None:
    hold_two_runs(warehouse, full_run(), TARGET)


def test_a_text_is_read_as_it_stands(warehouse: Any) -> None:
    keys = [
        "${x} $x :rows ?",
        'it\'s \\ "q" \\n \\u0041',
        "a\nb\tc\x01",
        "👩🏽‍⚖️ é",
        "",
        "null",
        "NaN",
    ]
    groups = tuple(replace(GROUP, key={"sex": key}) for key in keys)
    run = run_of(replace(TEST, groups=groups))
    fairsql.keep_history(run, TARGET, warehouse)
    kept = [row["key_1"] for row in warehouse.run("select key_1 from audits.fairness").rows]
    assert sorted(kept) == sorted(keys)


@pytest.mark.parametrize("name", ["audits.named", "Audits.NAMED", "spark_catalog.audits.named"])
def test_a_name_has_up_to_three_parts(warehouse: Any, name: str) -> None:
    run_id = fairsql.keep_history(run_of(TEST), f"warehouse:{name}", warehouse)
    past = fairsql.read_history("warehouse:audits.named", warehouse)
    assert run_id in {one.run_id for one in past}


def test_a_run_is_one_file(warehouse: Any, session: SparkSession) -> None:
    fairsql.keep_history(long_run(), TARGET, warehouse)
    files = session.table("audits.fairness").inputFiles()
    assert len(files) == 1
    assert list(runs_of(warehouse, "audits.fairness").values()) == [MANY]


def test_a_table_of_another_order_is_filled_by_name(warehouse: Any, session: SparkSession) -> None:
    session.sql("create table audits.own (b string, a bigint) using json")
    warehouse.append("audits.own", {"a": "integer", "b": "text"}, [{"a": 1, "b": "x"}])
    assert warehouse.run("select a, b from audits.own").rows == [{"a": 1, "b": "x"}]


def test_what_fails_leaves_nothing(warehouse: Any, session: SparkSession) -> None:
    session.sql("create table audits.own (a int) using parquet")
    with pytest.raises(WarehouseError) as caught:
        warehouse.append("audits.own", {"a": "integer"}, [{"a": 1}, {"a": 2**40}])
    assert str(caught.value).startswith("cannot write to audits.own: ")
    assert str(2**40) not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert warehouse.run("select a from audits.own").rows == []


def test_rows_that_spark_lost_are_missed(warehouse: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairsql.warehouses.spark.appending", lambda *_: "select :rows as lost")
    with pytest.raises(WarehouseError, match=r"^cannot write to audits\.fairness: 0 of \d+ rows"):
        fairsql.keep_history(run_of(TEST), TARGET, warehouse)


def test_of_runs_at_once_none_is_lost_untold(warehouse: Any) -> None:
    # Plain files have no transactions: some of these are told that they failed.
    def keep(_: int) -> str:
        try:
            return fairsql.keep_history(long_run(), TARGET, warehouse)
        except WarehouseError:
            return ""

    first = keep(0)
    with ThreadPoolExecutor(3) as pool:
        ids = {first, *pool.map(keep, range(8))} - {""}
    kept = runs_of(warehouse, "audits.fairness")
    assert set(kept.values()) == {MANY}
    assert first in ids <= set(kept)


def test_a_schema_that_is_not_there_is_told(warehouse: Any) -> None:
    with pytest.raises(WarehouseError) as caught:
        fairsql.keep_history(run_of(TEST), "warehouse:nowhere.h", warehouse)
    told = "cannot write to nowhere.h: The schema `spark_catalog`.`nowhere` cannot be found."
    assert str(caught.value) == told


def test_a_session_of_our_own_keeps_no_table_in_memory(session: SparkSession) -> None:
    own: Any = SparkWarehouse(session, owned=True)
    with pytest.raises(ConfigurationError, match=r"no table outlasts the run .* spark, local\[2\]"):
        check_history(TARGET, own)
    check_history(TARGET, fairsql.connect(session))


@pytest.mark.parametrize(
    ("setting", "keeps"),
    [
        (("spark.sql.catalogImplementation", "hive"), True),
        (("spark.sql.catalogImplementation", "in-memory"), False),
        (("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog"), True),
        (("spark.app.name", "hive"), False),
    ],
)
def test_a_session_of_our_own_keeps_tables_in_a_catalogue(
    setting: tuple[str, str], keeps: bool
) -> None:
    settings = SimpleNamespace(getAll=lambda: [setting])
    session: Any = SimpleNamespace(
        conf=SimpleNamespace(get=lambda *_: "false"),
        sparkContext=SimpleNamespace(getConf=lambda: settings),
    )
    assert SparkWarehouse(session, owned=True).keeps_tables is keeps


def test_a_statement_says_nothing_of_the_data() -> None:
    assert appending("a.b", {"rows": "integer", "key_1": "text"}) == (
        "insert into a.b (`rows`, `key_1`)\n"
        "select inline(from_json(:rows, 'array<struct<rows: bigint, key_1: string>>'))"
    )


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_a_killed_run_is_in_it_whole_or_not_at_all(session: SparkSession, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "audits")],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout
    told = [process.stdout.readline().strip() for _ in range(2)]
    assert all(told)
    time.sleep(random.Random(5).uniform(0, 1))  # noqa: S311 - when to kill
    os.killpg(process.pid, signal.SIGKILL)  # Spark's own process too
    written, _ = process.communicate(timeout=60)
    rows = session.read.parquet(str(tmp_path / "audits" / "fairness")).select("run_id").collect()
    found = Counter(row["run_id"] for row in rows)
    assert set(found.values()) == {MANY}
    assert {*told, *written.split()} <= set(found)
