"""Google's kinds of credentials, made from what a URL or a dbt profile says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import google.auth
from google.auth import impersonated_credentials
from google.auth.credentials import AnonymousCredentials, Credentials
from google.auth.exceptions import GoogleAuthError
from google.oauth2 import credentials, service_account

from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.warehouses.bigquery_errors import sentence

_LOCAL = re.compile(r"http://(localhost|127\.0\.0\.1|\[::1\])([:/]|$)")


def key_file(path: Path, scopes: Sequence[str] | None = None) -> Credentials:
    """Return the credentials in a service account's file.

    Raises
    ------
    WarehouseError
        When there is no such file, or no key in it; the message shows nothing of it.
    """
    place = f"cannot connect to BigQuery: the key file {str(path)!r}"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WarehouseError(f"{place} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise WarehouseError(f"{place} is not JSON.") from None
    return key(content, place, scopes)


def key(content: Any, place: str, scopes: Sequence[str] | None = None) -> Credentials:
    """Return the credentials of a service account's key; ``place`` begins the message.

    Raises
    ------
    WarehouseError
        When it is none.
    """
    try:
        made: Credentials = service_account.Credentials.from_service_account_info(
            content, scopes=scopes
        )
    except (AttributeError, TypeError, ValueError):
        raise WarehouseError(
            f"{place} is no key of a service account; other credentials come from the environment"
            " (gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS)."
        ) from None
    return made


def credentials_of(given: Mapping[str, str]) -> Credentials | None:
    """Return the credentials that a URL's parameters name, if they name any.

    Raises
    ------
    ConfigurationError
        When ``credentials`` is anything but ``anonymous``.
    WarehouseError
        When the file of ``credentials_path`` holds no key.
    """
    if "credentials_path" in given:
        return key_file(Path(given["credentials_path"]).expanduser())
    named = given.get("credentials")
    if named not in (None, "anonymous"):
        raise ConfigurationError(
            "connection: credentials may only be anonymous; credentials_path names a key file, and"
            " without either the environment's credentials are used."
        )
    return AnonymousCredentials() if named else None


def of_environment(scopes: Sequence[str]) -> Credentials:
    """Return the application default credentials.

    Raises
    ------
    WarehouseError
        When there are none.
    """
    try:
        found: Credentials = google.auth.default(scopes=scopes)[0]
    except GoogleAuthError as error:
        raise WarehouseError(f"cannot connect to BigQuery: {sentence(error)}") from None
    return found


def token(secrets: Mapping[str, str | None], scopes: Sequence[str]) -> Credentials:
    """Return a token, or what it takes to get one: a refresh token and a client's id and secret."""
    return credentials.Credentials(**secrets, scopes=scopes)


def impersonating(source: Credentials, principal: str, scopes: Sequence[str]) -> Credentials:
    """Return the credentials of a service account that the source's may act as."""
    return impersonated_credentials.Credentials(
        source_credentials=source, target_principal=principal, target_scopes=list(scopes)
    )


def default_for(api_endpoint: str | None) -> Credentials | None:
    """Return none at all for a server on this machine, else ``None``: those of the environment."""
    return AnonymousCredentials() if _LOCAL.match(api_endpoint or "") else None
