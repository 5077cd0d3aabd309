"""The output of dbt-snowflake, with each way to authenticate that it documents."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.warehouses import ENGINES, NO_LIMITS, Limits, Warehouse, warehouse_class

# The connector has these under the same names. What dbt says of its own tries, of how it reuses
# connections and of stages is left out: fairsql has tries of its own, and writes nothing.
_SAME = (
    "account",
    "user",
    "password",
    "database",
    "schema",
    "warehouse",
    "role",
    "authenticator",
    "host",
    "port",
    "protocol",
    "proxy_host",
    "proxy_port",
    "client_session_keep_alive",
    "platform_detection_timeout_seconds",
    "query_tag",
)
_WITH_TOKEN = ("oauth", "jwt", "programmatic_access_token", "workload_identity")
_WORKLOAD = ("workload_identity_provider", "workload_identity_entra_resource")


def connect(
    settings: Mapping[str, Any], place: str, root: Path, limits: Limits = NO_LIMITS
) -> Warehouse:
    """Connect as dbt does; see :class:`fairsql.dbt.outputs.Output`."""
    engine = warehouse_class(ENGINES["snowflake"])
    given = {name: value for name, value in settings.items() if value not in (None, "")}
    if "account" not in given:
        raise ConfigurationError(f"{place}: has no account.")
    parameters = {name: given[name] for name in _SAME if name in given}
    # As dbt does: an address of the network has no underscore.
    parameters["account"] = str(given["account"]).replace("_", "-")
    if given.get("insecure_mode"):
        parameters["disable_ocsp_checks"] = True
    parameters |= _authentication(given, place) | _private_key(given, place, root)
    opened: Warehouse = engine.open(parameters, limits)
    return opened


def database_and_schema(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return both."""
    return str(settings.get("database") or ""), str(settings.get("schema") or "")


def _authentication(given: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the parameters that the connector wants with an authenticator."""
    if "authenticator" not in given:
        return {}
    chosen = str(given["authenticator"]).casefold()
    # A login in the browser, or a second factor, is remembered as dbt remembers it.
    parameters: dict[str, Any] = {
        "client_store_temporary_credential": True,
        "client_request_mfa_token": True,
    }
    if chosen == "workload_identity":
        if "workload_identity_provider" not in given:
            raise ConfigurationError(
                f"{place}: workload_identity needs workload_identity_provider."
            )
        parameters |= {name: given[name] for name in _WORKLOAD if name in given}
    elif chosen in _WITH_TOKEN and "token" not in given:
        raise ConfigurationError(f"{place}: authenticator {chosen} needs a token.")
    if chosen in _WITH_TOKEN and "token" in given:
        parameters["token"] = given["token"]
    if chosen == "jwt":  # dbt's word; the connector takes any token of a third party as oauth
        parameters["authenticator"] = "oauth"
    if chosen == "oauth" and "oauth_client_id" in given and "oauth_client_secret" in given:
        parameters["token"] = _access_token(given, place)
    return parameters


def _access_token(given: Mapping[str, Any], place: str) -> str:
    """Exchange a refresh token, which is what ``token`` is beside a client's id and secret."""
    host = str(given.get("host") or f"{given['account']}.snowflakecomputing.com".replace("_", "-"))
    kind = HTTPConnection if given.get("protocol") == "http" else HTTPSConnection
    client = f"{given['oauth_client_id']}:{given['oauth_client_secret']}".encode()
    headers = {
        "Authorization": f"Basic {base64.b64encode(client).decode()}",
        "Content-type": "application/x-www-form-urlencoded;charset=utf-8",
    }
    body = urlencode(
        {
            "grant_type": "refresh_token",
            "refresh_token": given["token"],
            "redirect_uri": "http://localhost:9999",
        }
    )
    try:
        connection = kind(host, int(given["port"]) if "port" in given else None, timeout=60)
        connection.request("POST", "/oauth/token-request", body, headers)
        return str(json.loads(connection.getresponse().read())["access_token"])
    except (OSError, HTTPException) as error:
        raise WarehouseError(
            f"cannot connect to Snowflake at {host}: no access token ({type(error).__name__})."
        ) from None
    except (ValueError, KeyError, TypeError):
        raise WarehouseError(
            f"cannot connect to Snowflake at {host}: it gives no access token for the token of"
            f" {place}, which may have expired."
        ) from None


def _private_key(given: Mapping[str, Any], place: str, root: Path) -> dict[str, Any]:
    """Return the parameters for a key in a file, or for one that stands in the profile."""
    passphrase = given.get("private_key_passphrase")
    if "private_key" in given and "private_key_path" in given:
        raise ConfigurationError(f"{place}: has both private_key and private_key_path.")
    if "private_key_path" in given:
        file = str(root / Path(str(given["private_key_path"])).expanduser())
        return {"private_key_file": file} | (
            {"private_key_file_pwd": str(passphrase)} if passphrase else {}
        )
    if "private_key" not in given:
        return {}
    from cryptography.hazmat.primitives import serialization

    text = str(given["private_key"])
    password = str(passphrase).encode() if passphrase else None
    try:
        key = (
            serialization.load_pem_private_key(text.encode(), password)
            if text.startswith("-")
            else serialization.load_der_private_key(base64.b64decode(text), password)
        )
    except (ValueError, TypeError):
        raise ConfigurationError(
            f"{place}: private_key is neither PEM nor Base64 of DER that private_key_passphrase"
            " opens."
        ) from None
    plain = key.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return {"private_key": plain}
