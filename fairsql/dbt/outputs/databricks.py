"""The output of dbt-databricks: by a token, or with a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairsql.errors import ConfigurationError
from fairsql.warehouses import ENGINES, NO_LIMITS, Limits, Warehouse, warehouse_class

_REQUIRED = ("host", "http_path")
_OF_AZURE = ("azure_client_id", "azure_client_secret")
_DEFAULT_CATALOG = "hive_metastore"


def connect(
    settings: Mapping[str, Any], place: str, _root: Path, limits: Limits = NO_LIMITS
) -> Warehouse:
    """Connect; see :class:`fairsql.dbt.outputs.Output`."""
    given = {name: value for name, value in settings.items() if value not in (None, "")}
    for name in _REQUIRED:
        if name not in given:
            raise ConfigurationError(f"{place}: has no {name}.")
    parameters: dict[str, Any] = {
        "server_hostname": str(given["host"]).removeprefix("https://").rstrip("/"),
        "http_path": str(given["http_path"]),
        **_authentication(given, place),
    }
    parameters |= {name: str(given[name]) for name in ("catalog", "schema") if name in given}
    if "session_properties" in given:
        parameters["session_configuration"] = dict(given["session_properties"])
    opened: Warehouse = warehouse_class(ENGINES["databricks"]).open(parameters, limits)
    return opened


def database_and_schema(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return the catalog and the schema."""
    catalog = settings.get("catalog") or settings.get("database") or _DEFAULT_CATALOG
    return str(catalog), str(settings.get("schema") or "")


def _authentication(given: Mapping[str, Any], place: str) -> dict[str, Any]:
    if "token" in given:
        return {"access_token": str(given["token"])}
    if all(name in given for name in _OF_AZURE):
        return {"auth_type": "azure-sp-m2m", **{name: str(given[name]) for name in _OF_AZURE}}
    if given.get("auth_type") == "oauth" and "client_secret" not in given:
        client = {"oauth_client_id": str(given["client_id"])} if "client_id" in given else {}
        return {"auth_type": "databricks-oauth", **client}
    named = "client_secret" if "client_secret" in given else f"auth_type {given.get('auth_type')!r}"
    raise ConfigurationError(
        f"{place}: {named} is no way to log in that fairsql has; there are a token, auth_type:"
        " oauth with a browser, and azure_client_id with azure_client_secret."
    )
