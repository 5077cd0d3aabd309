"""How one says which Snowflake: URLs, the environment, keys; and what is said without a driver."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

import fairsql
from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.warehouses.snowflake import SnowflakeWarehouse
from tests.warehouses.fakesnow_server import PASSWORD
from tests.warehouses.snowflake_stub import Stub, snowflake_stub


@pytest.fixture
def stub() -> Iterator[Stub]:
    with snowflake_stub() as started:
        yield started


# --- URLs -----------------------------------------------------------------------------------------


def opened_with(monkeypatch: pytest.MonkeyPatch, url: str) -> dict[str, Any]:
    """Return what a URL asks of the connector."""
    seen: dict[str, Any] = {}

    def remember(settings: dict[str, Any], _limits: object) -> None:
        seen.update(settings)

    monkeypatch.setattr(SnowflakeWarehouse, "open", remember)
    fairsql.connect(url)
    return seen


@pytest.mark.parametrize(
    ("url", "settings"),
    [
        ("snowflake://ada:p%40s%2Fs@acme-eu/db/public?warehouse=W&role=R",
         {"user": "ada", "password": "p@s/s", "account": "acme-eu", "database": "db",
          "schema": "public", "warehouse": "W", "role": "R"}),
        ("snowflake://ada%40acme.com@acme/My%20Db/?authenticator=externalbrowser",
         {"user": "ada@acme.com", "account": "acme", "database": "My Db",
          "authenticator": "externalbrowser"}),
        ("snowflake://acme?authenticator=oauth&token=a+b%2Bc=&login_timeout=9",
         {"account": "acme", "authenticator": "oauth", "token": "a+b+c=", "login_timeout": 9}),
        ("snowflake://ada@acme?private_key_path=/k.p8&private_key_passphrase=x%26y",
         {"user": "ada", "account": "acme", "private_key_file": "/k.p8",
          "private_key_file_pwd": "x&y"}),
        ("snowflake:///db?connection=desk&client_session_keep_alive=TRUE",
         {"database": "db", "connection_name": "desk", "client_session_keep_alive": True}),
        ("snowflake://", {}),
    ],
)  # fmt: skip
def test_a_url_names_the_parameters_of_the_connector(
    monkeypatch: pytest.MonkeyPatch, url: str, settings: dict[str, Any]
) -> None:
    assert opened_with(monkeypatch, url) == settings


def test_secrets_may_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNOWFLAKE_PASSWORD", "one")
    monkeypatch.setenv("SNOWFLAKE_PRIVATE_KEY_PASSPHRASE", "two")
    user = {"user": "ada", "account": "acme"}
    assert opened_with(monkeypatch, "snowflake://ada@acme") == {**user, "password": "one"}
    given = opened_with(monkeypatch, "snowflake://ada:own@acme")
    assert given == {**user, "password": "own"}
    with_key = opened_with(monkeypatch, "snowflake://ada@acme?private_key_file=/k.p8")
    assert with_key == {**user, "private_key_file": "/k.p8", "private_key_file_pwd": "two"}
    assert "password" not in opened_with(monkeypatch, "snowflake://?connection=desk")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("snowflake://ada:hunter-2@acme@eu/db", "%40 for @"),
        ("snowflake://ada:hunter-2/x@acme", "%40 for @"),
        ("snowflake://ada:hunter-2@acme/a/b/c", "must be snowflake://user:password@account"),
        ("snowflake://ada:hunter-2@acme?warehose=W", "Did you mean 'warehouse'?"),
        ("snowflake://ada:hunter-2@acme?login_timeout=soon", "must be a whole number"),
        ("snowflake://ada@acme?client_session_keep_alive=hunter-2", "must be true or false"),
        ("snowflake://ada@acme?mfa_callback=hunter-2", "set by a live connection"),
        ("snowflake://acme?authenticator=oauth&token=a&hunter-2", "& is written as %26"),
        ("snowflake://desk", "snowflake://?connection=desk"),
    ],
)
def test_a_url_that_is_wrong_is_told_without_its_password(url: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        fairsql.connect(url)
    assert message in str(caught.value)
    assert "hunter" not in str(caught.value)


# --- keys -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    file = tmp_path_factory.mktemp("keys") / "key.p8"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"open sesame"),
        )
    )
    return file


def key_url(stub: Stub, file: Path) -> str:
    return stub.url(f"&private_key_file={file}").replace(f":{PASSWORD}", "")


def test_a_key_pair_signs_the_login(
    stub: Stub, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNOWFLAKE_PRIVATE_KEY_PASSPHRASE", "open sesame")
    fairsql.connect(key_url(stub, key_file))
    [login] = stub.logins
    assert login["AUTHENTICATOR"] == "SNOWFLAKE_JWT"
    assert login["TOKEN"].count(".") == 2
    assert "PASSWORD" not in login


@pytest.mark.parametrize("passphrase", ["", "closed"])
def test_a_key_that_does_not_open_is_one_line(
    stub: Stub, key_file: Path, passphrase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNOWFLAKE_PRIVATE_KEY_PASSPHRASE", passphrase)
    with pytest.raises(WarehouseError) as caught:
        fairsql.connect(key_url(stub, key_file))
    message = str(caught.value)
    assert message.startswith("cannot connect to Snowflake at localhost: ")
    assert "assword" in message
    assert "closed" not in message
    assert "\n" not in message


def test_a_key_that_is_not_there_is_named(stub: Stub, tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match=r"no such file or directory: .*nothing\.p8"):
        fairsql.connect(key_url(stub, tmp_path / "nothing.p8"))


# --- the driver -----------------------------------------------------------------------------------


def test_a_missing_driver_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snowflake.connector", None)
    monkeypatch.delitem(sys.modules, "fairsql.warehouses.snowflake", raising=False)
    with pytest.raises(ConfigurationError, match=r"pip install '\.\[snowflake\]'"):
        fairsql.connect("snowflake://ada@acme")


def test_warehouses_are_known_without_their_drivers() -> None:
    program = (
        "import fairsql.warehouses, fairsql.dbt.outputs, sys; print('snowflake' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
