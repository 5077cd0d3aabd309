"""What a URL says of a connection to Snowflake, in the words of its connector."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from snowflake.connector.connection import DEFAULT_CONFIGURATION

from fairsql.errors import ConfigurationError, did_you_mean

_URL = re.compile(
    r"snowflake://(?:(?P<user>[^:@/?]*)(?::(?P<password>[^@/?]*))?@)?(?P<account>[^:@/?]*)"
    r"(?:/(?P<database>[^/?@]*))?(?:/(?P<schema>[^/?@]*))?/?(?:\?(?P<more>.*))?"
)
# Parameters of our URLs that the connector calls otherwise.
_RENAMED = {
    "connection": "connection_name",
    "private_key_path": "private_key_file",
    "private_key_passphrase": "private_key_file_pwd",
}
_OURS = ("connection_name", "query_tag")
_PASSWORD = "SNOWFLAKE_PASSWORD"  # noqa: S105 (names of variables of the environment)
_PASSPHRASE = "SNOWFLAKE_PRIVATE_KEY_PASSPHRASE"  # noqa: S105


def connector_settings(url: str) -> dict[str, Any]:
    """Return the connector's parameters that a URL and the environment hold.

    Raises
    ------
    ConfigurationError
        When the URL is not of its form; the message shows no part of a secret.

    Examples
    --------
    >>> connector_settings("snowflake://ada%40acme.com@acme/db?login_timeout=9")
    {'user': 'ada@acme.com', 'account': 'acme', 'database': 'db', 'login_timeout': 9}
    """
    found = _URL.fullmatch(url)
    if found is None:
        raise ConfigurationError(
            "connection: must be snowflake://user:password@account/database/schema?warehouse=W,"
            " where special characters of a password are written as %40 for @, %2F for / and %3A"
            " for :."
        )
    parts = found.groupdict()
    more = parts.pop("more") or ""
    settings: dict[str, Any] = {name: unquote(part) for name, part in parts.items() if part}
    for pair in filter(None, more.split("&")):
        name, _, text = pair.partition("=")
        name = _RENAMED.get(name, name)
        settings[name] = _typed(name, unquote(text))
    if "private_key_file" in settings:
        settings["private_key_file"] = str(Path(settings["private_key_file"]).expanduser())
        _from_environment(settings, "private_key_file_pwd", _PASSPHRASE)
    elif "user" in settings and not settings.keys() & {"token", "private_key"}:
        _from_environment(settings, "password", _PASSWORD)
    if settings.keys() == {"account"}:
        raise ConfigurationError(
            f"connection: snowflake://{settings['account']} names no user; the connection of that"
            f" name in connections.toml is snowflake://?connection={settings['account']}."
        )
    return settings


def _typed(name: str, text: str) -> str | int | float | bool:
    """Return a parameter of a URL as the type that the connector documents for it."""
    if name in _OURS:
        return text
    if name not in DEFAULT_CONFIGURATION:
        hint = did_you_mean(name, [*DEFAULT_CONFIGURATION, *_RENAMED, *_OURS])
        # Without a hint it may be the rest of a secret that holds a bare &.
        shown = f"{name!r} is" if hint else "one is"
        raise ConfigurationError(
            f"connection: of the parameters of the URL, {shown} none of Snowflake's connector."
            f"{hint or ' In a value, & is written as %26.'}"
        )
    kinds = DEFAULT_CONFIGURATION[name][1]
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    if str in kinds:
        return text
    if bool in kinds and text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    for kind in (int, float):
        if kind in kinds and re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
            return kind(float(text))
    wanted = {bool: "true or false", int: "a whole number", float: "a number"}
    allowed = [words for kind, words in wanted.items() if kind in kinds]
    raise ConfigurationError(
        f"connection: {name} must be {' or '.join(allowed) or 'set by a live connection'}."
    )


def _from_environment(settings: dict[str, Any], name: str, variable: str) -> None:
    if os.environ.get(variable):
        settings.setdefault(name, os.environ[variable])
