"""The output of dbt-bigquery as a connection: each method that dbt documents."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from google.auth import impersonated_credentials
from google.cloud import bigquery
from google.oauth2 import credentials, service_account

from fairsql.dbt import find_target
from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.warehouses import NO_LIMITS, Limits
from fairsql.warehouses.bigquery import BigQueryWarehouse
from tests.warehouses.bigquery_stub import stub
from tests.warehouses.test_bigquery import key, private_key

SECRETS: dict[str, Any] = {"method": "oauth-secrets", "token": "s3cret"}


@pytest.fixture(scope="module")
def pem() -> str:
    return private_key()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """What connections are asked for, in place of connecting."""
    asked: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    monkeypatch.setattr(
        BigQueryWarehouse, "open", lambda *place, **settings: asked.append((place, settings))
    )
    return asked


def connect(folder: Path, limits: Limits = NO_LIMITS, **output: Any) -> Any:
    shared = {"type": "bigquery", "project": "p", "dataset": "d"}
    content = {"shop": {"outputs": {"default": {**shared, **output}}}}
    (folder / "profiles.yml").write_text(json.dumps(content), encoding="utf-8")
    return find_target(None, profiles_dir=str(folder), profile="shop").open(limits)


def test_a_token_connects_and_limits_reach_the_job(tmp_path: Path) -> None:
    output: dict[str, Any] = {
        **SECRETS,
        "execution_project": "payer",
        "location": "EU",
        "priority": "batch",
        "maximum_bytes_billed": 10**9,
        "timeout_seconds": 30,
    }
    with stub() as (told, address):
        warehouse = connect(tmp_path, api_endpoint=address, **output)
        warehouse.run("select 1")
        warehouse.close()
        limited = connect(tmp_path, Limits(5, 10**8), api_endpoint=address, **output)
        limited.run("select 1")
        limited.close()
    own, given = told.started
    assert own["jobReference"]["projectId"] == "payer"
    assert own["jobReference"]["location"] == "EU"
    query = own["configuration"]["query"]
    assert query["defaultDataset"] == {"projectId": "p", "datasetId": "d"}
    assert query["priority"] == "BATCH"
    assert query["maximumBytesBilled"] == "1000000000"
    assert own["configuration"]["jobTimeoutMs"] == "30000"
    # What the command line says goes before what the profile says.
    assert given["configuration"]["query"]["maximumBytesBilled"] == "100000000"
    assert given["configuration"]["jobTimeoutMs"] == "5000"


def test_a_failed_job_is_started_again_unless_the_profile_says_no(tmp_path: Path) -> None:
    with stub(error=("jobBackendError", "later"), failing=1) as (told, address):
        warehouse = connect(tmp_path, api_endpoint=address, job_retries=0, **SECRETS)
        with pytest.raises(WarehouseError, match="BigQuery says: later"):
            warehouse.run("select 1")
        warehouse.close()
    assert len(told.started) == 1


@pytest.mark.parametrize("form", ["file", "mapping", "base64"])
def test_the_key_of_a_service_account(
    tmp_path: Path, opened: list[Any], pem: str, form: str
) -> None:
    written = key("http://localhost/token", pem)
    output: dict[str, Any]
    if form == "file":
        (tmp_path / "key.json").write_text(json.dumps(written))
        output = {"method": "service-account", "keyfile": str(tmp_path / "key.json")}
    elif form == "mapping":
        escaped = {**written, "private_key": pem.replace("\n", "\\n")}
        output = {"method": "service-account-json", "keyfile_json": escaped}
    else:
        coded = base64.b64encode(json.dumps(written).encode()).decode()
        output = {"method": "service-account-json", "keyfile_json": coded}
    connect(tmp_path, scopes=["https://example.com/scope"], **output)
    ((_, settings),) = opened
    found = settings["credentials"]
    assert isinstance(found, service_account.Credentials)
    assert found.service_account_email == written["client_email"]
    assert found.scopes == ["https://example.com/scope"]


def test_a_refresh_token_and_an_account_to_act_as(tmp_path: Path, opened: list[Any]) -> None:
    secrets: dict[str, Any] = {
        "refresh_token": "r",
        "client_id": "i",
        "client_secret": "s",
        "token_uri": "https://example.com/token",
    }
    connect(tmp_path, method="oauth-secrets", **secrets)
    account = "auditor@p.iam.gserviceaccount.com"
    connect(tmp_path, impersonate_service_account=account, **SECRETS)
    (_, own), (_, acting) = opened
    found = own["credentials"]
    assert isinstance(found, credentials.Credentials)
    assert {name: getattr(found, name) for name in secrets} == secrets
    # dbt-bigquery's own scopes, without which a table over a spreadsheet cannot be read.
    assert "https://www.googleapis.com/auth/drive" in (found.scopes or ())
    assert isinstance(acting["credentials"], impersonated_credentials.Credentials)
    assert acting["credentials"].service_account_email == account


def test_the_environments_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[Any], pem: str
) -> None:
    (tmp_path / "adc.json").write_text(json.dumps(key("http://localhost/token", pem)))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "adc.json"))
    connect(tmp_path, method="oauth")
    ((place, settings),) = opened
    assert place == ("p", "d")
    assert isinstance(settings["credentials"], service_account.Credentials)


def test_a_client_is_sent_its_quota_project_and_reservation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, Any] = {}

    class Told(bigquery.Client):
        def __init__(self, *place: Any, **settings: Any) -> None:
            made.update(settings)
            super().__init__(*place, **settings)

    monkeypatch.setattr(bigquery, "Client", Told)
    reservation = "projects/p/locations/EU/reservations/audits"
    with stub() as (told, address):
        connect(
            tmp_path, api_endpoint=address, quota_project="q", reservation=reservation, **SECRETS
        ).close()
    assert made["client_options"]["quota_project_id"] == "q"
    assert told.jobs[0]["configuration"]["reservation"] == reservation


@pytest.mark.parametrize(
    ("output", "error", "message"),
    [
        ({}, ConfigurationError, "method must be one of oauth, oauth-secrets, service-account,"),
        ({"method": "external-oauth-wif"}, ConfigurationError, "but is 'external-oauth-wif'"),
        ({"method": "service-account"}, ConfigurationError, "'service-account' needs keyfile"),
        ({"method": "service-account", "keyfile": "no.json"}, WarehouseError, "cannot be read: No"),
        (
            {"method": "service-account-json", "keyfile_json": "s3cret"},
            WarehouseError,
            "keyfile_json is no key of a service account",
        ),
        (
            {"method": "service-account-json", "keyfile_json": {"private_key": "s3cret"}},
            WarehouseError,
            "keyfile_json is no key of a service account",
        ),
        ({**SECRETS, "maximum_bytes_billed": -1}, ConfigurationError, "above 0, but is -1"),
        ({**SECRETS, "timeout_seconds": "soon"}, ConfigurationError, "above 0, but is 'soon'"),
    ],
)
def test_what_cannot_be_honoured_is_named(
    tmp_path: Path, output: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        connect(tmp_path, **output)
    assert message in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_project_and_dataset_are_what_dbt_names_relations_by(tmp_path: Path) -> None:
    for names in ({"project": "p", "dataset": "d"}, {"database": "p", "schema": "d"}):
        content = {"shop": {"outputs": {"default": {"type": "bigquery", **names}}}}
        (tmp_path / "profiles.yml").write_text(json.dumps(content), encoding="utf-8")
        target = find_target(None, profiles_dir=str(tmp_path), profile="shop")
        assert (target.database, target.schema) == ("p", "d")
