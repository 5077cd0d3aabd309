"""The output of dbt-bigquery: a project and a dataset, and one of Google's kinds of credentials."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairsql.errors import ConfigurationError
from fairsql.warehouses import ENGINES, NO_LIMITS, Limits, Warehouse, warehouse_class

_ALIASES = {
    "project": "database",
    "dataset": "schema",
    "timeout_seconds": "job_execution_timeout_seconds",
    "retries": "job_retries",
}
_METHODS = ("oauth", "oauth-secrets", "service-account", "service-account-json")
# dbt-bigquery's default; Drive is where tables over spreadsheets are.
_SCOPES = tuple(
    f"https://www.googleapis.com/auth/{name}"
    for name in ("bigquery", "cloud-platform", "drive", "userinfo.email")
)
_SECRETS = ("token", "refresh_token", "client_id", "client_secret", "token_uri")


def connect(
    settings: Mapping[str, Any], place: str, root: Path, limits: Limits = NO_LIMITS
) -> Warehouse:
    """Connect; see :class:`fairsql.dbt.outputs.Output`."""
    engine = warehouse_class(ENGINES["bigquery"])
    given = _given(settings)
    credentials = _credentials(given, place, root)
    own = Limits(
        _number(given, "job_execution_timeout_seconds", place),
        _number(given, "maximum_bytes_billed", place),
    )
    job = {name: str(given[name]) for name in ("priority", "reservation") if name in given}
    if "priority" in job:
        job["priority"] = job["priority"].upper()
    opened: Warehouse = engine.open(
        given.get("execution_project") or given.get("database"),
        given.get("schema"),
        dataset_project=given.get("database"),
        credentials=credentials,
        location=given.get("location"),
        api_endpoint=given.get("api_endpoint"),
        quota_project=given.get("quota_project"),
        job=job,
        restarts=given.get("job_retries") != 0,
        limits=Limits(limits.seconds or own.seconds, limits.bytes_billed or own.bytes_billed),
    )
    return opened


def database_and_schema(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return the project and the dataset; a project that is not named is the environment's."""
    given = _given(settings)
    return str(given.get("database") or ""), str(given.get("schema") or "")


def _given(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that say something, under the names that dbt-bigquery came to use."""
    return {
        _ALIASES.get(name, name): value
        for name, value in settings.items()
        if value is not None and value != ""
    }


def _number(given: Mapping[str, Any], name: str, place: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if not str(value).isdecimal() or not int(value):
        raise ConfigurationError(
            f"{place}: {name} must be a whole number above 0, but is {value!r}."
        )
    return int(value)


def _credentials(given: Mapping[str, Any], place: str, root: Path) -> Any:
    from fairsql.warehouses import bigquery_credentials as credentials

    scopes = given.get("scopes") or _SCOPES
    source: Any
    match given.get("method"):
        case "oauth":
            source = credentials.of_environment(scopes)
        case "oauth-secrets":
            source = credentials.token({name: given.get(name) for name in _SECRETS}, scopes)
        case "service-account":
            file = root / Path(_required(given, "keyfile", place)).expanduser()
            source = credentials.key_file(file, scopes)
        case "service-account-json":
            key = _key(_required(given, "keyfile_json", place))
            source = credentials.key(key, f"{place}: keyfile_json", scopes)
        case method:
            raise ConfigurationError(
                f"{place}: method must be one of {', '.join(_METHODS)}, but is {method!r};"
                " with oauth, GOOGLE_APPLICATION_CREDENTIALS may name credentials of any kind."
            )
    principal = given.get("impersonate_service_account")
    return credentials.impersonating(source, str(principal), scopes) if principal else source


def _required(given: Mapping[str, Any], name: str, place: str) -> Any:
    if name not in given:
        raise ConfigurationError(f"{place}: the method {given['method']!r} needs {name}.")
    return given[name]


def _key(written: Any) -> Any:
    """Return a key that may be in base64, with the ends of lines that YAML keeps as they are."""
    if isinstance(written, str):
        try:
            written = json.loads(base64.b64decode(written, validate=True))
        except ValueError:
            return None
    if isinstance(written, Mapping) and isinstance(written.get("private_key"), str):
        return {**written, "private_key": written["private_key"].replace("\\n", "\n")}
    return written
