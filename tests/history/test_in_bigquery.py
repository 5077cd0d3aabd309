"""A history in BigQuery: on the emulator, and on a server that answers as it is told.

The emulator takes uploads in parts alone, which the client sends from some megabytes on; the other
server is sent small ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from google.cloud.bigquery import client as google

import fairsql
from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.history import check_history
from tests.history.kept import MANY, hold_two_runs, long_run, runs_of
from tests.report.runs import full_run
from tests.report.samples import TEST, run_of
from tests.warehouses.bigquery_emulator import PROJECT, bigquery
from tests.warehouses.bigquery_stub import stub
from tests.warehouses.test_bigquery import client, url

pytestmark = pytest.mark.xdist_group("bigquery")
TARGET = "warehouse:audit.fairness"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with bigquery() as api_endpoint:
        own = client(api_endpoint)
        own.create_dataset("audit")
        own.close()
        yield api_endpoint


@pytest.fixture
def emulator(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(google, "_MAX_MULTIPART_SIZE", 0)
    return server


@pytest.fixture
def warehouse(emulator: str) -> Iterator[Any]:
    opened = fairsql.connect(url(emulator))
    yield opened
    opened.close()


# --- on the emulator -------------------------------------------------------------------------


def test_what_is_kept_is_what_was_found(warehouse: Any) -> None:
    hold_two_runs(warehouse, full_run(), TARGET)


@pytest.mark.parametrize("name", ["one", "audit.two", f"{PROJECT}.audit.three"])
def test_a_name_has_up_to_three_parts(warehouse: Any, name: str) -> None:
    target = f"warehouse:{name}"
    run_id = fairsql.keep_history(full_run(), target, warehouse)
    past = fairsql.read_history(target, warehouse)
    assert {one.run_id for one in past} == {run_id}


def test_runs_at_once_lose_nothing(emulator: str, warehouse: Any) -> None:
    fairsql.keep_history(run_of(TEST), "warehouse:audit.busy", warehouse)

    def keep(_: int) -> str:
        own = fairsql.connect(url(emulator))
        try:
            return fairsql.keep_history(long_run(), "warehouse:audit.busy", own)
        finally:
            own.close()

    with ThreadPoolExecutor(2) as pool:
        ids = list(pool.map(keep, range(4)))
    kept = runs_of(warehouse, "audit.busy")
    assert {run_id: kept[run_id] for run_id in ids} == dict.fromkeys(ids, MANY)


def test_a_row_that_does_not_fit_leaves_none(warehouse: Any) -> None:
    warehouse.append("audit.few", {"a": "integer"}, [{"a": 1}])
    with pytest.raises(WarehouseError) as caught:
        warehouse.append("audit.few", {"a": "integer"}, [*[{"a": 2}] * 50, {"a": "Anna Kim"}])
    assert str(caught.value).startswith("cannot write to audit.few: ")
    assert "Anna" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert warehouse.run("select a from audit.few").rows == [{"a": 1}]


def test_a_dataset_that_is_not_there_is_told(warehouse: Any) -> None:
    with pytest.raises(WarehouseError, match=r"^cannot write to nowhere\.h: .*nowhere.*\.$"):
        fairsql.keep_history(full_run(), "warehouse:nowhere.h", warehouse)


# --- what is sent ----------------------------------------------------------------------------


def test_rows_are_one_load_job() -> None:
    with stub() as (told, address):
        own = client(address, location="EU")
        run_id = fairsql.keep_history(run_of(TEST), TARGET, fairsql.connect(own))
        own.close()
    (job,) = told.started
    load = job["configuration"]["load"]
    assert load["destinationTable"] == {
        "projectId": PROJECT, "datasetId": "audit", "tableId": "fairness",
    }  # fmt: skip
    assert load["sourceFormat"] == "NEWLINE_DELIMITED_JSON"
    assert (load["createDisposition"], load["writeDisposition"]) == (
        "CREATE_IF_NEEDED",
        "WRITE_APPEND",
    )
    types = {field["name"]: field["type"] for field in load["schema"]["fields"]}
    some = ("run_id", "rows", "value", "failed")
    assert [types[name] for name in some] == ["STRING", "INT64", "FLOAT64", "BOOL"]
    version = fairsql.__version__.replace(".", "-")
    assert job["configuration"]["labels"] == {"fairsql_version": version}
    assert job["jobReference"]["location"] == "EU"
    assert {row["run_id"] for row in job["rows"]} == {run_id}
    assert len(job["rows"]) == len(TEST.groups)


def test_a_limit_on_bytes_is_for_queries_alone() -> None:
    with stub() as (told, address):
        warehouse = fairsql.connect(url(address), maximum_bytes_billed=1)
        fairsql.keep_history(run_of(TEST), TARGET, warehouse)
        warehouse.close()
    (job,) = told.started
    assert "maximumBytesBilled" not in str(job["configuration"])


def test_an_upload_is_tried_again() -> None:
    with stub() as (told, address):
        warehouse = fairsql.connect(url(address))
        told.refusals = [("backendError", "Error encountered during execution")]
        fairsql.keep_history(run_of(TEST), TARGET, warehouse)
        warehouse.close()
    assert len(told.started) == 1


def test_an_upload_whose_answer_is_lost_appends_once() -> None:
    with stub() as (told, address):
        warehouse = fairsql.connect(url(address))
        told.lost = 1
        fairsql.keep_history(run_of(TEST), TARGET, warehouse)
        warehouse.close()
    (job,) = told.started
    asked = [request for request in told.requests if request.startswith("GET")]
    assert job["jobReference"]["jobId"] in asked[0]


def test_a_job_that_fails_is_not_begun_again() -> None:
    said = "Error while reading data, error message: Could not convert value to integer: Anna Kim"
    with stub(error=("invalid", said)) as (told, address):
        warehouse = fairsql.connect(url(address))
        with pytest.raises(WarehouseError) as caught:
            fairsql.keep_history(run_of(TEST), TARGET, warehouse)
        warehouse.close()
    assert len(told.started) == 1
    assert str(caught.value).startswith("cannot write to audit.fairness: Error while reading data")
    assert "Anna" not in str(caught.value)


def test_a_job_that_is_late_is_cancelled() -> None:
    with stub(is_endless=True) as (told, address):
        warehouse = fairsql.connect(url(address), timeout=0.5)
        with pytest.raises(WarehouseError, match=r"BigQuery was stopped after 0\.5 seconds"):
            fairsql.keep_history(run_of(TEST), TARGET, warehouse)
        warehouse.close()
    assert told.cancelled == [told.started[0]["jobReference"]["jobId"]]


# --- names -----------------------------------------------------------------------------------


def test_a_table_needs_a_dataset() -> None:
    with stub() as (told, address):
        own = client(address)
        with pytest.raises(WarehouseError, match="cannot write to fairness: it needs a dataset"):
            fairsql.keep_history(run_of(TEST), "warehouse:fairness", fairsql.connect(own))
        own.close()
    assert told.started == []


def test_dashes_are_for_projects_alone() -> None:
    with stub() as (_, address):
        own = client(address)
        warehouse = fairsql.connect(own)
        place = check_history(f"warehouse:{PROJECT}.audit.fairness", warehouse)
        assert place
        assert place.table == f"{PROJECT}.audit.fairness"
        for name in ("audit-1.fairness", "p.audit-1.fairness", "p.audit.fair-ness", "-p.a.b"):
            with pytest.raises(ConfigurationError, match="a plain name"):
                check_history(f"warehouse:{name}", warehouse)
        own.close()
