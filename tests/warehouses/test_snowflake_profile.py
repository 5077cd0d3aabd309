"""A dbt profile of type snowflake: each way to authenticate, as the connector hears of it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from fairsql.dbt.profiles import find_target
from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.warehouses import Limits
from fairsql.warehouses.snowflake import SnowflakeWarehouse
from tests.warehouses.snowflake_stub import Stub, snowflake_stub

ACCOUNT = {"account": "my_org-acme", "database": "db", "schema": "marts", "threads": 4}
CACHED = {"client_store_temporary_credential": True, "client_request_mfa_token": True}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the connector is asked for, once a target is opened."""
    seen: dict[str, Any] = {}

    def remember(settings: dict[str, Any], limits: Limits) -> None:
        seen.update(settings)
        seen["seconds"] = limits.seconds

    monkeypatch.setattr(SnowflakeWarehouse, "open", remember)
    return seen


def open_target(folder: Path, output: dict[str, Any], seconds: float = 60) -> Any:
    outputs = {"dev": {"type": "snowflake", **output}}
    profile = {"shop": {"target": "dev", "outputs": outputs}}
    (folder / "profiles.yml").write_text(json.dumps(profile))
    return find_target(None, profiles_dir=str(folder), profile="shop").open(Limits(seconds))


@pytest.mark.parametrize(
    ("output", "parameters"),
    [
        ({"user": "ada", "password": "p", "warehouse": "W", "role": "R", "connect_retries": 3},
         {"user": "ada", "password": "p", "warehouse": "W", "role": "R"}),
        ({"user": "ada", "password": "p", "host": "h", "port": 8, "protocol": "http",
          "proxy_host": "q", "proxy_port": 9, "client_session_keep_alive": True},
         {"user": "ada", "password": "p", "host": "h", "port": 8, "protocol": "http",
          "proxy_host": "q", "proxy_port": 9, "client_session_keep_alive": True}),
        ({"user": "ada", "authenticator": "externalbrowser", "query_tag": "team"},
         {"user": "ada", "authenticator": "externalbrowser", "query_tag": "team", **CACHED}),
        ({"user": "ada", "password": "p", "authenticator": "username_password_mfa"},
         {"user": "ada", "password": "p", "authenticator": "username_password_mfa", **CACHED}),
        ({"user": "ada", "password": "p", "authenticator": "https://acme.okta.com"},
         {"user": "ada", "password": "p", "authenticator": "https://acme.okta.com", **CACHED}),
        ({"authenticator": "oauth", "token": "t"},
         {"authenticator": "oauth", "token": "t", **CACHED}),
        ({"authenticator": "jwt", "token": "t"},
         {"authenticator": "oauth", "token": "t", **CACHED}),
        ({"user": "ada", "authenticator": "programmatic_access_token", "token": "t"},
         {"user": "ada", "authenticator": "programmatic_access_token", "token": "t", **CACHED}),
        ({"authenticator": "workload_identity", "workload_identity_provider": "oidc", "token": "t"},
         {"authenticator": "workload_identity", "workload_identity_provider": "oidc", "token": "t",
          **CACHED}),
        ({"user": "ada", "private_key_path": "keys/k.p8", "private_key_passphrase": "s"},
         {"user": "ada", "private_key_file": "ROOT/keys/k.p8", "private_key_file_pwd": "s"}),
        ({"user": "ada", "password": "p", "insecure_mode": True},
         {"user": "ada", "password": "p", "disable_ocsp_checks": True}),
    ],
)  # fmt: skip
def test_an_output_is_mapped_as_dbt_maps_it(
    asked: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    output: dict[str, Any],
    parameters: dict[str, Any],
) -> None:
    monkeypatch.chdir(tmp_path)
    open_target(tmp_path, {**ACCOUNT, **output})
    place = {"account": "my-org-acme", "database": "db", "schema": "marts", "seconds": 60}
    expected = {name: str(value).replace("ROOT", str(tmp_path)) if name.endswith("file") else value
                for name, value in parameters.items()}  # fmt: skip
    assert asked == {**place, **expected}


@pytest.mark.parametrize("form", ["pem", "base64"])
@pytest.mark.parametrize("passphrase", [None, "open sesame"])
def test_a_key_may_stand_in_the_profile(
    asked: dict[str, Any], tmp_path: Path, form: str, passphrase: str | None
) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    encoding = serialization.Encoding.PEM if form == "pem" else serialization.Encoding.DER
    closed = key.private_bytes(
        encoding,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(passphrase.encode())
        if passphrase
        else serialization.NoEncryption(),
    )
    text = closed.decode() if form == "pem" else base64.b64encode(closed).decode()
    output = {**ACCOUNT, "user": "ada", "private_key": text, "private_key_passphrase": passphrase}
    open_target(tmp_path, output)
    opened = serialization.load_der_private_key(asked["private_key"], None)
    assert isinstance(opened, rsa.RSAPrivateKey)
    assert opened.private_numbers() == key.private_numbers()


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ({"account": None}, "has no account"),
        ({"private_key": "x", "private_key_path": "y"}, "both private_key and private_key_path"),
        ({"private_key": "hunter-2"}, "neither PEM nor Base64"),
        ({"authenticator": "oauth"}, "authenticator oauth needs a token"),
        ({"authenticator": "programmatic_access_token"}, "needs a token"),
        ({"authenticator": "workload_identity"}, "needs workload_identity_provider"),
    ],
)
def test_what_is_missing_is_named(
    asked: dict[str, Any], tmp_path: Path, output: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        open_target(tmp_path, {**ACCOUNT, "user": "ada", **output})
    assert message in str(caught.value)
    assert "target 'dev'" in str(caught.value)
    assert "hunter" not in str(caught.value)
    assert not asked


# --- a refresh token -----------------------------------------------------------------------------


class Tokens(BaseHTTPRequestHandler):
    """Gives an access token for one refresh token of one client."""

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        client = base64.b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
        good = (
            self.path == "/oauth/token-request"
            and client == "id:hunter-2"
            and form["refresh_token"] == ["fresh"]
            and form["grant_type"] == ["refresh_token"]
        )
        self.send_response(200 if good else 400)
        self.end_headers()
        self.wfile.write(json.dumps({"access_token": "t"} if good else {"error": "no"}).encode())

    def log_message(self, *_: Any) -> None:
        """Write nothing."""


@pytest.fixture
def tokens() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Tokens) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def refreshing(port: int, token: str) -> dict[str, Any]:
    client = {"oauth_client_id": "id", "oauth_client_secret": "hunter-2", "token": token}
    place = {"host": "127.0.0.1", "port": port, "protocol": "http"}
    return {**ACCOUNT, "authenticator": "oauth", **client, **place}


def test_a_refresh_token_is_exchanged(asked: dict[str, Any], tmp_path: Path, tokens: int) -> None:
    open_target(tmp_path, refreshing(tokens, "fresh"))
    assert asked.items() >= {"token": "t", "host": "127.0.0.1"}.items()
    assert "oauth_client_secret" not in asked


def test_a_stale_refresh_token_is_told(asked: dict[str, Any], tmp_path: Path, tokens: int) -> None:
    with pytest.raises(WarehouseError, match="may have expired") as caught:
        open_target(tmp_path, refreshing(tokens, "worn-out"))
    assert "hunter" not in str(caught.value)
    assert "worn-out" not in str(caught.value)
    assert not asked


def test_a_token_server_that_is_away_is_told(tmp_path: Path) -> None:
    with snowflake_stub() as gone:
        port = gone.port
    with pytest.raises(WarehouseError, match=r"no access token \(ConnectionRefusedError\)"):
        open_target(tmp_path, refreshing(port, "fresh"))


# --- to the end ----------------------------------------------------------------------------------


def test_a_target_connects(tmp_path: Path) -> None:
    with snowflake_stub() as stub:
        output = {**ACCOUNT, "user": "ada", "password": "p", "query_tag": "team", **address(stub)}
        opened = open_target(tmp_path, output)
        assert opened.run("select 1 as one").rows == [{"one": 1}]
        assert opened.name == "DB.PUBLIC at my-org-acme"
    [login], [query] = stub.logins, stub.queries
    assert login["SESSION_PARAMETERS"]["QUERY_TAG"] == "team"
    assert json.loads(query["parameters"]["QUERY_TAG"])["query_tag"] == "team"


def address(stub: Stub) -> dict[str, Any]:
    return {"host": "127.0.0.1", "port": stub.port, "protocol": "http"}


def test_relations_are_named_by_database_and_schema(tmp_path: Path) -> None:
    profile = {"shop": {"target": "dev", "outputs": {"dev": {"type": "snowflake", **ACCOUNT}}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profile))
    target = find_target(None, profiles_dir=str(tmp_path), profile="shop")
    assert (target.database, target.schema) == ("db", "marts")
