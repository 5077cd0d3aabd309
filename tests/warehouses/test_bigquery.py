"""BigQuery by Google's own client: on an emulator, and on a server that answers as it is told."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud.bigquery import DEFAULT_RETRY, Client, QueryJobConfig
from google.cloud.bigquery.retry import DEFAULT_JOB_RETRY
from scipy import stats

import fairsql
from fairsql.config import build_test
from fairsql.errors import ConfigurationError, RelationNotFoundError, WarehouseError
from fairsql.suite import Suite
from fairsql.version import __version__
from fairsql.warehouses import Label
from fairsql.warehouses.bigquery_labels import job_labels
from tests.warehouses.bigquery_emulator import PROJECT, bigquery
from tests.warehouses.bigquery_stub import stub

if TYPE_CHECKING:
    from fairsql.results import TestResult

pytestmark = pytest.mark.xdist_group("bigquery")

# Of the 200 people 40 of 100 women are approved, and 60 of 100 men.
PEOPLE = """
create or replace table people as select
    if(mod(i, 2) = 0, 'F', 'M') as Gender, if(mod(i, 5) < 2 + mod(i, 2), 1, 0) as approved,
    i * 1.5 as amount, mod(i * 7, 31) as score, cast(i as numeric) / 4 as quarters,
    concat('id ', cast(i as string)) as label, mod(i, 2) = 1 as odd, date '2024-01-01' as day,
    datetime '2024-01-01' as clock, timestamp '2024-01-01' as moment, [i] as several
from unnest(generate_array(0, 199)) as i
"""
RATE: dict[str, Any] = {
    "protected_attribute_columns": ["gender"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}
# The same table as the server without an engine has it.
TABLE: dict[str, Any] = {
    "schema": [{"name": "gender", "type": "STRING"}, {"name": "approved", "type": "INTEGER"}],
    "tables": [f"{PROJECT}.audit.t"],
}


def client(api_endpoint: str, **settings: Any) -> Client:
    options = {"api_endpoint": api_endpoint}
    return Client(PROJECT, AnonymousCredentials(), client_options=options, **settings)


def url(api_endpoint: str, more: str = "") -> str:
    return f"bigquery://{PROJECT}/audit?api_endpoint={api_endpoint}{more}"


@pytest.fixture(scope="module")
def emulator() -> Iterator[str]:
    with bigquery() as api_endpoint:
        own = client(api_endpoint)
        for dataset in ("audit", "other"):
            own.create_dataset(dataset)
            config = QueryJobConfig(default_dataset=f"{PROJECT}.{dataset}")
            own.query(PEOPLE, job_config=config).result()
        own.close()
        yield api_endpoint


@pytest.fixture
def warehouse(emulator: str) -> Iterator[Any]:
    opened = fairsql.connect(url(emulator))
    yield opened
    opened.close()


def run(warehouse: Any, relation: str = "people", **more: Any) -> TestResult:
    return fairsql.group_metric_parity(warehouse, relation, **{**RATE, **more})


def suite_of(*names: str) -> Suite:
    tests = (build_test(relation="t", name=name, **RATE) for name in names)
    return Suite(tuple(tests), "audits/Loans.yml")


def values(result: TestResult) -> dict[str, Any]:
    return {group.key["gender"]: group.value for group in result.groups}


# --- numbers ---------------------------------------------------------------------------------


def test_a_rate_is_compared(warehouse: Any) -> None:
    result = run(warehouse)
    assert (result.status, values(result)) == ("failed", {"F": 0.4, "M": 0.6})
    expected = stats.fisher_exact(np.array([[40, 60], [60, 40]])).pvalue
    assert result.groups[0].p_value == pytest.approx(expected, rel=1e-9)
    (query_id,) = result.query_ids
    assert re.fullmatch("[0-9a-f-]{36}", query_id)


def test_a_mean_is_compared(warehouse: Any) -> None:
    result = run(warehouse, parity_metric="mean", value_column="amount", positive_values=None)
    women, men = ([1.5 * i for i in range(start, 200, 2)] for start in (0, 1))
    assert values(result) == {"F": pytest.approx(148.5), "M": pytest.approx(150)}
    expected = stats.ttest_ind(women, men, equal_var=False).pvalue
    assert result.groups[0].p_value == pytest.approx(expected, rel=1e-9)


def test_an_auc_is_compared(warehouse: Any) -> None:
    result = run(
        warehouse,
        parity_metric="auc",
        score_column="score",
        ground_truth_column="approved",
        value_column=None,
        higher_is_better=None,
    )
    for place, gender in enumerate("FM"):
        scored = [(i * 7 % 31, i % 5 < 2 + place) for i in range(place, 200, 2)]
        positive = [score for score, approved in scored if approved]
        negative = [score for score, approved in scored if not approved]
        pairs = [(a > b) + (a == b) / 2 for a in positive for b in negative]
        assert values(result)[gender] == pytest.approx(sum(pairs) / len(pairs), rel=1e-12)


def test_decimals_are_plain_numbers(warehouse: Any) -> None:
    (row,) = warehouse.run(
        "select sum(quarters) as whole, max(quarters) as part, cast(null as numeric) as none"
        " from people"
    ).rows
    assert [(type(value), value) for value in row.values()] == [
        (int, 4975),
        (float, 49.75),
        (type(None), None),
    ]


# --- what there is ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "relation",
    [
        "`people`",
        "`audit`.`people`",
        f"`{PROJECT}`.`other`.`people`",
        "(select * from people) as relation",
    ],
)
def test_columns_have_a_type_and_a_kind(warehouse: Any, relation: str) -> None:
    described = {column.name: (column.type, column.kind) for column in warehouse.describe(relation)}
    assert described == {
        "Gender": ("STRING", "text"),
        "approved": ("INT64", "integer"),
        "amount": ("FLOAT64", "float"),
        "score": ("INT64", "integer"),
        "quarters": ("NUMERIC", "decimal"),
        "label": ("STRING", "text"),
        "odd": ("BOOL", "boolean"),
        "day": ("DATE", "date"),
        "clock": ("DATETIME", "timestamp"),
        "moment": ("TIMESTAMP", "timestamptz"),
        "several": ("ARRAY<INT64>", "other"),
    }


def test_relations_are_named_as_one_would_write_them(emulator: str, warehouse: Any) -> None:
    assert warehouse.relations() == ["people"]
    whole = fairsql.connect(f"bigquery://{PROJECT}?api_endpoint={emulator}")
    assert whole.name == f"{PROJECT} at {emulator.removeprefix('http://')}"
    assert {"audit.people", "other.people"} <= set(whole.relations())
    assert values(run(whole, "other.people")) == values(run(warehouse, f"{PROJECT}.other.people"))
    whole.close()


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        ("peopel", "audit.peopel was not found in location US. Nearest: people."),
        ("other.peopel", "other.peopel was not found in location US. Nearest: other.people."),
        ("(select * from peopel)", "was not found in location US. Nearest: people."),
        ("othr.people", ":othr was not found in location US. Did you mean 'other'?"),
        ("other-project.audit.people", "Not found: Dataset other-project:audit was not found"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(warehouse: Any, relation: str, message: str) -> None:
    result = run(warehouse, relation)
    assert result.status == "error"
    assert message in str(result.message)
    assert "\n" not in str(result.message)


def test_what_may_not_be_read_is_told_like_what_is_not_there() -> None:
    said = f"Access Denied: Table {PROJECT}:audit.pay: User does not have permission to query it"
    with stub(tables=[f"{PROJECT}.audit.play"]) as (told, address):
        warehouse = fairsql.connect(url(address))
        told.refusals = [("accessDenied", said)]
        with pytest.raises(RelationNotFoundError) as caught:
            warehouse.describe("(select * from pay) as relation")
        warehouse.close()
    expected = f"cannot read (select * from pay) as relation: {said}. Nearest: play."
    assert str(caught.value) == expected


def test_a_dataset_in_another_location_is_told_from_none() -> None:
    said = f"Not found: Dataset {PROJECT}:audit was not found in location EU"
    with stub(datasets=["audit"]) as (told, address):
        opened = fairsql.connect(url(address))
        told.refusals = [("notFound", said)]
        with pytest.raises(RelationNotFoundError, match="There is one in another location"):
            opened.describe("`events_*`")
        opened.close()


def test_a_table_that_is_dropped_after_the_plan_is_an_error(emulator: str, warehouse: Any) -> None:
    own = client(emulator)
    own.query(f"create table `{PROJECT}.audit.gone` as select * from audit.people").result()
    suite = Suite(
        tuple(build_test(relation=name, name=name, **RATE) for name in ("gone", "people"))
    )

    def drop(number: int, _total: int) -> None:
        if number == 0:
            own.delete_table(f"{PROJECT}.audit.gone")

    gone, people = suite.run(warehouse, on_statement=drop).tests
    own.close()
    assert gone.status == "error"
    assert str(gone.message).startswith(
        "BigQuery says: Not found: Table project-with-dash.audit.gone"
    )
    assert people.status == "failed"


# --- what a message shows --------------------------------------------------------------------


def test_an_error_shows_no_data(warehouse: Any) -> None:
    relation = "(select Gender, cast(label as float64) as approved from people)"
    result = run(warehouse, relation, parity_metric="mean", positive_values=None)
    assert "Could not convert string … to DOUBLE" in str(result.message)
    assert "id " not in str(result.message)


# What BigQuery says, as its documentation, its forum and its issue tracker quote it.
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Bad double value: Anna Kim", "Bad double value: …"),
        ("Query error: Bad int64 value: Anna at [3:5]", "Query error: Bad int64 value: … at [3:5]"),
        ("Bad double value: yes", "Bad double value: yes"),
        ("Division by zero: 4711 / 0", "Division by zero: …"),
        ("int64 overflow: 4711 + 9223372036854775807", "int64 overflow: …"),
        ('Failed to parse input string "Anna"', "Failed to parse input string …"),
        ("Array index 4711 is out of bounds", "Array index … is out of bounds"),
        ("Invalid date: 'Anna'", "Invalid date: …"),
        ("Unrecognized name: gendr; Did you mean gender? at [2:8]", None),
        ("Syntax error: Unexpected identifier \"Anna\" at [1:8]", None),
        ("No matching signature for operator * for argument types: STRING, INT64 at [1:8]", None),
        ("Cannot query over table 'p.d.t' without a filter over column(s) 'day' that can be used"
         " for partition elimination", None),
    ],
)  # fmt: skip
def test_a_message_keeps_what_the_statement_holds(said: str, shown: str | None) -> None:
    with stub(error=("invalidQuery", said)) as (_, address):
        warehouse = fairsql.connect(url(address))
        with pytest.raises(WarehouseError) as caught:
            warehouse.run("select cast(x as float64) from t where x = 'yes'")
        warehouse.close()
    assert str(caught.value) == f"BigQuery says: {shown or said}."
    assert caught.value.__cause__ is None


# --- jobs ------------------------------------------------------------------------------------


def test_a_job_has_labels_and_limits() -> None:
    with stub(**TABLE, rows=[]) as (told, address):
        target = url(address, "&location=EU&maximum_bytes_billed=1000")
        warehouse = fairsql.connect(target, timeout=7.5, maximum_bytes_billed=5_000_000_000)
        result = suite_of("Rate 1", "Rate 2").run(warehouse)
        warehouse.close()
    (job,) = told.started
    assert job["configuration"]["labels"] == {
        "fairsql_version": __version__.replace(".", "-"),
        "suite": "loans-yml",
        "test_1": "rate-1",
        "test_2": "rate-2",
    }
    assert job["configuration"]["jobTimeoutMs"] == "7500"
    assert job["configuration"]["query"]["maximumBytesBilled"] == "5000000000"
    assert job["configuration"]["query"]["defaultDataset"] == {
        "projectId": PROJECT,
        "datasetId": "audit",
    }
    assert "useQueryCache" not in job["configuration"]["query"]
    assert job["jobReference"]["location"] == "EU"
    assert [test.query_ids for test in result.tests] == [(job["jobReference"]["jobId"],)] * 2


def test_without_limits_there_are_none() -> None:
    with stub() as (told, address):
        warehouse = fairsql.connect(url(address))
        warehouse.run("select 1")
        warehouse.close()
    (job,) = told.started
    assert "jobTimeoutMs" not in job["configuration"]
    assert "maximumBytesBilled" not in job["configuration"]["query"]


def test_labels_are_what_bigquery_takes() -> None:
    tests = ("AUC – by gender (50 %)", "x" * 80, "Ä" * 80, "ﬁ", "日本語", "e\u0301té", "…")
    labels = job_labels(Label("C:/x/Überprüfung 2024.YML", tests))
    assert list(labels.values())[1:] == [
        "überprüfung-2024-yml",
        "auc-by-gender-50",
        "x" * 63,
        "ä" * 63,
        "ﬁ",
        "日本語",
        "été",
        "",
    ]
    assert "test_8" not in labels
    many = job_labels(Label(None, tuple(f"test {n}" for n in range(50))))
    assert len(many) <= 64
    assert many["tests"] == "50"
    assert many["test_20"] == "test-19"
    assert "test_21" not in many
    wide = job_labels(Label(None, ("日" * 63,)))["test_1"]
    assert len(wide.encode()) <= 128


def test_a_plan_says_the_bytes_and_runs_nothing() -> None:
    with stub(**TABLE, bytes_read=123_456_789_012) as (told, address):
        warehouse = fairsql.connect(url(address))
        planned = suite_of(*(f"Rate {number}" for number in range(50))).plan(warehouse)
        warehouse.close()
    assert planned.bytes_read == (123_456_789_012,)
    assert not told.started
    # A cached result would be said to read nothing.
    assert told.jobs[-1]["configuration"]["query"]["useQueryCache"] is False
    assert told.jobs[-1]["configuration"]["query"]["query"] == planned.statements[0].sql


def test_every_statement_holds_the_filter_that_a_table_requires() -> None:
    with stub(**TABLE, rows=[]) as (told, address):
        warehouse = fairsql.connect(url(address))
        trial = len(told.jobs)  # of the connection
        for relation in ("t", "(select * from t)"):
            run(warehouse, relation, where="day >= '2024-01-01' -- a comment")
        warehouse.close()
    statements = [job["configuration"]["query"]["query"] for job in told.jobs[trial:]]
    # The table's columns come from its metadata; the select is described by a dry run.
    assert len(statements) == 3
    assert all("day >= '2024-01-01'" in statement for statement in statements)


def test_a_limit_of_bytes_is_the_warehouses_own_no() -> None:
    said = "Query exceeded limit for bytes billed: 1000000. 10485760 or higher required."
    with stub(error=("bytesBilledLimitExceeded", said)) as (told, address):
        warehouse = fairsql.connect(url(address, "&maximum_bytes_billed=1000000"))
        with pytest.raises(WarehouseError) as caught:
            warehouse.run("select 1")
        warehouse.close()
    assert str(caught.value) == f"BigQuery says: {said}"
    (job,) = told.started
    assert job["configuration"]["query"]["maximumBytesBilled"] == "1000000"


def test_a_job_is_cancelled_after_the_timeout() -> None:
    with stub(is_endless=True) as (told, address):
        warehouse = fairsql.connect(url(address), timeout=0.3)
        started = time.monotonic()
        with pytest.raises(WarehouseError, match=r"^BigQuery was stopped after 0\.3 seconds"):
            warehouse.run("select 1")
        assert time.monotonic() - started < 5
        warehouse.close()
    assert told.cancelled == [told.started[0]["jobReference"]["jobId"]]


def test_the_servers_own_timeout_is_told_alike() -> None:
    said = "Job execution was cancelled: Job timed out after 3s"
    with stub(error=("stopped", said)) as (_, address):
        warehouse = fairsql.connect(url(address), timeout=3)
        with pytest.raises(WarehouseError, match=r"^BigQuery was stopped after 3 seconds, the t"):
            warehouse.run("select 1")
        warehouse.close()


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
def test_ctrl_c_cancels_the_job() -> None:
    with stub(is_endless=True) as (told, address):
        warehouse = fairsql.connect(url(address))
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            warehouse.run("select 1")
        timer.join()
        warehouse.close()
    assert told.cancelled == [told.started[0]["jobReference"]["jobId"]]


def test_what_is_transient_is_tried_again_and_nothing_else() -> None:
    with stub() as (told, address):
        warehouse = fairsql.connect(url(address))
        told.refusals = [("backendError", "later")]
        assert warehouse.run("select 1").rows == [{"x": 1}]
        assert len(told.started) == 1
        told.requests.clear()
        told.refusals = [("invalidQuery", "never at [1:1]"), ("backendError", "not reached")]
        with pytest.raises(WarehouseError, match=r"^BigQuery says: never at \[1:1\]\.$"):
            warehouse.run("select 1")
        assert len(told.requests) == 1
        warehouse.close()


def test_a_job_that_failed_for_no_fault_of_its_own_is_started_again() -> None:
    with stub(error=("jobBackendError", "later"), failing=1) as (told, address):
        warehouse = fairsql.connect(url(address))
        answer = warehouse.run("select 1")
        warehouse.close()
    first, second = told.started
    assert answer.query_id == second["jobReference"]["jobId"] != first["jobReference"]["jobId"]


def test_a_server_that_dies_under_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    # Google's own retries, of the request and of the wait for the job, made short.
    for name, retry in (("_RETRY", DEFAULT_RETRY), ("_JOB_RETRY", DEFAULT_JOB_RETRY)):
        quick = retry.with_timeout(0.3).with_delay(initial=0.1, maximum=0.1)
        monkeypatch.setattr(f"fairsql.warehouses.bigquery.{name}", quick)
    with stub(is_endless=True) as (told, address):
        warehouse = fairsql.connect(url(address))
        told.dies_after = len(told.requests) + 3
        with pytest.raises(WarehouseError) as caught:
            warehouse.run("select 1")
        warehouse.close()
    assert str(caught.value).startswith("the connection to BigQuery failed: ")
    assert "\n" not in str(caught.value)


# --- connections -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "error", "message"),
    [
        ("bigquery://me:s3cret@p/d", ConfigurationError, "must be bigquery://project/dataset"),
        ("bigquery://p/d/t", ConfigurationError, "must be bigquery://project/dataset"),
        ("bigquery://p/d?loction=EU", ConfigurationError, "'loction'. Did you mean 'location'?"),
        ("bigquery://p/d?credentials=s3cret", ConfigurationError, "may only be anonymous"),
        ("bigquery://p/d?maximum_bytes_billed=1e9", ConfigurationError, "above 0, but is '1e9'"),
        ("bigquery://p/d?credentials_path=no.json", WarehouseError, "'no.json' cannot be read: No"),
        ("bigquery://p/d?credentials_path=text", WarehouseError, "'text' is not JSON"),
        ("bigquery://p/d?credentials_path=user", WarehouseError, "is no key of a service account"),
        ("bigquery://p/d?credentials_path=bad", WarehouseError, "is no key of a service account"),
        ("bigquery://p/d?credentials_path=list", WarehouseError, "is no key of a service account"),
        ("bigquery://p/d", WarehouseError, "Your default credentials were not found"),
    ],
)
def test_no_message_shows_a_secret(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    error: type[Exception],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    Path("text").write_text("s3cret")
    Path("list").write_text('["s3cret"]')
    Path("user").write_text('{"type": "authorized_user", "refresh_token": "s3cret"}')
    Path("bad").write_text(json.dumps(key("http://localhost/token", "s3cret")))
    with pytest.raises(error, match=re.escape(message)) as caught:
        fairsql.connect(target)
    assert "s3cret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None


def key(token_uri: str, private_key: str) -> dict[str, str]:
    return {
        "type": "service_account",
        "client_email": "auditor@p.iam.gserviceaccount.com",
        "private_key": private_key,
        "token_uri": token_uri,
    }


def private_key() -> str:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return made.private_bytes(encoding, form, serialization.NoEncryption()).decode()


def test_a_key_that_google_does_not_take(tmp_path: Path) -> None:
    file = tmp_path / "key.json"
    with stub() as (_, address):
        file.write_text(json.dumps(key(f"{address}/token", private_key())))
        with pytest.raises(WarehouseError) as caught:
            fairsql.connect(url(address, f"&credentials_path={file}"))
    assert str(caught.value) == (
        "cannot connect to BigQuery: invalid_grant: Invalid JWT Signature."
    )


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(WarehouseError) as caught:
        fairsql.connect(url("http://localhost:1"))
    assert str(caught.value) == "cannot connect to BigQuery: Connection refused."


def test_no_right_to_run_jobs_is_told_at_once() -> None:
    said = f"Access Denied: Project {PROJECT}: User does not have bigquery.jobs.create permission"
    refused = stub(refusals=[("accessDenied", said)])
    with refused as (_, address), pytest.raises(WarehouseError) as caught:
        fairsql.connect(url(address))
    assert str(caught.value) == f"cannot connect to BigQuery: {said}."


def test_a_live_client_stays_as_it_was(emulator: str) -> None:
    config = QueryJobConfig(default_dataset=f"{PROJECT}.audit", labels={"team": "risk"})
    own = client(emulator, default_query_job_config=config)
    before = defaults(own)
    assert values(run(own)) == {"F": 0.4, "M": 0.6}
    warehouse = fairsql.connect(own, timeout=60, maximum_bytes_billed=10**9)
    assert warehouse.name == f"{PROJECT}.audit"
    assert run(warehouse).status == "failed"
    assert run(warehouse, "nowhere").status == "error"
    warehouse.close()
    assert defaults(own) == before
    assert [row.n for row in own.query("select count(*) as n from people").result()] == [200]
    own.close()


def defaults(own: Client) -> Any:
    config = own.default_query_job_config
    return config.to_api_repr() if config else None


def test_a_live_clients_own_defaults_hold() -> None:
    with stub() as (told, address):
        config = QueryJobConfig(maximum_bytes_billed=10**8, labels={"team": "risk"})
        own = client(address, default_query_job_config=config)
        warehouse = fairsql.connect(own)
        warehouse.run("select 1", Label("s.yml", ("a",)))
        own.close()
    (job,) = told.started
    assert job["configuration"]["query"]["maximumBytesBilled"] == "100000000"
    assert job["configuration"]["labels"]["team"] == "risk"
    assert job["configuration"]["labels"]["test_1"] == "a"


def test_a_driver_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fairsql.warehouses.bigquery", None)
    with pytest.raises(ConfigurationError, match=r"pip install '\.\[bigquery\]'"):
        fairsql.connect("bigquery://p/d")
