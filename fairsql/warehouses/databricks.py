"""Databricks through its SQL connector: a URL, a dbt profile, or a caller's live connection.

The connector itself tries again what its service calls transient, and nothing else is.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import socket
from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.parse import parse_qsl, unquote
from urllib.request import getproxies

from databricks import sql as connector
from databricks.sql.client import Connection, Cursor
from databricks.sql.exc import Error

from fairsql.errors import (
    ConfigurationError,
    TooLateError,
    WarehouseError,
)
from fairsql.version import __version__
from fairsql.warehouses import NO_LIMITS, Answer, Column, Label, Limits
from fairsql.warehouses.numbers import number
from fairsql.warehouses.spark_words import (
    appending,
    creating,
    kind_of,
    said,
    state_of,
    unreadable,
    without_data,
)
from fairsql.warehouses.waiting import interruptible

_URL = re.compile(
    r"databricks://(?:token(?::(?P<access_token>[^@/?]*))?@)?(?P<server_hostname>[^@/?:]+)"
    r"(?::443)?(?:/(?P<catalog>[^/?@]+))?(?:/(?P<schema>[^/?@]+))?/?(?:\?(?P<more>.*))?"
)
_TOKEN = "DATABRICKS_TOKEN"  # noqa: S105 - the name of a variable of the environment
_PARAMETERS = ("http_path", "catalog", "schema", "auth_type", "oauth_client_id")
_SECONDS_TO_ANSWER = 30
# Session parameter and limits: https://docs.databricks.com/sql/user/queries/query-tags.html
_TAG_LENGTH = 128
_HAS_QUERY_TAGS = "query_tags" in inspect.signature(Cursor.execute).parameters
# The connector raises what its HTTP library and the operating system do, too.
_ERRORS = (Error, OSError, ValueError)


class DatabricksWarehouse:
    """A connection to Databricks SQL; see :func:`fairsql.connect`.

    But for :meth:`append`, nothing but SELECT and SHOW is sent.
    """

    dialect = "databricks"
    keeps_tables = True

    def __init__(self, connection: Connection, *, owned: bool, limits: Limits = NO_LIMITS) -> None:
        self._connection = connection
        self._owned = owned
        self._limits = limits
        self.looks_first = limits.look_first
        self.name = str(connection.session.host)

    @classmethod
    def from_url(cls, url: str, limits: Limits = NO_LIMITS) -> Self:
        """Connect to ``databricks://token:TOKEN@host/catalog/schema?http_path=/sql/…``.

        Without a token in it, the URL needs the environment's ``DATABRICKS_TOKEN``, or
        ``auth_type=databricks-oauth`` to log in with a browser.
        """
        found = _URL.fullmatch(url)
        if found is None:
            raise ConfigurationError(
                "connection: must be databricks://token:TOKEN@host/catalog/schema?http_path=path."
            )
        parts = found.groupdict()
        more = dict(parse_qsl(parts.pop("more") or ""))
        for name in more:
            if name not in _PARAMETERS:
                raise ConfigurationError(
                    f"connection: parameters of databricks:// are {', '.join(_PARAMETERS)}, but"
                    f" one is {name!r}."
                )
        given = {name: unquote(part) for name, part in parts.items() if part} | more
        if "http_path" not in given:
            raise ConfigurationError(
                "connection: databricks:// needs the http_path of a SQL warehouse or cluster, as"
                " in ?http_path=/sql/1.0/warehouses/0123456789abcdef."
            )
        if not given.keys() & {"access_token", "auth_type"}:
            if not os.environ.get(_TOKEN):
                raise ConfigurationError(
                    f"connection: databricks:// needs a token, or {_TOKEN} in the environment, or"
                    " auth_type=databricks-oauth to log in with a browser."
                )
            given["access_token"] = os.environ[_TOKEN]
        return cls.open(given, limits)

    @classmethod
    def open(cls, settings: Mapping[str, Any], limits: Limits = NO_LIMITS) -> Self:
        """Connect by the parameters of ``databricks.sql.connect``.

        Raises
        ------
        WarehouseError
            When there is no connection; the message holds no secret.
        """
        options = {"user_agent_entry": f"fairsql/{__version__}", "enable_telemetry": False}
        host = str(settings["server_hostname"])
        try:
            _knock(host)
            connection = connector.connect(**{**options, **settings})
        except _ERRORS as error:
            raise WarehouseError(f"cannot connect to Databricks at {host}: {said(error)}") from None
        return cls(connection, owned=True, limits=limits)

    def fold(self, name: str) -> str:
        """Return the name in lower case: Databricks does not tell cases apart."""
        return name.lower()

    def describe(self, relation_sql: str, _where: str | None = None, /) -> tuple[Column, ...]:
        """Return the relation's columns, without reading a row."""
        try:
            _, description, _ = self._answer(f"select * from {relation_sql} limit 0", None)
        except TimeoutError:
            raise TooLateError("Databricks", self._limits.seconds) from None
        except _ERRORS as error:
            raise unreadable(relation_sql, error, state_of(str(error)), self.relations) from None
        return tuple(
            Column(name, type_name, kind_of(type_name)) for name, type_name, *_ in description
        )

    def run(self, sql: str, label: Label | None = None, /) -> Answer:
        """Run one SELECT, under query tags of the label's where the connector has them (4.2)."""
        try:
            rows, description, query_id = self._answer(sql, label)
        except TimeoutError:
            raise TooLateError("Databricks", self._limits.seconds) from None
        except _ERRORS as error:
            raise WarehouseError(f"Databricks says: {_told(error, sql)}") from None
        names = [column[0] for column in description]
        return Answer([dict(zip(names, map(number, row), strict=True)) for row in rows], query_id)

    def append(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], /
    ) -> None:
        """Append rows to a table in one statement; make the table, of Delta, if it is not there.

        Raises
        ------
        WarehouseError
            When Databricks says no, or not in time; the rows are all there then, or none is.
        """
        self._write(table, creating(table, columns))
        self._write(table, appending(table, columns), {"rows": json.dumps(rows)})

    def bytes_read(self, _sql: str, /) -> int | None:
        """Return nothing: Databricks bills the time of a warehouse, not bytes."""

    def relations(self) -> list[str]:
        """Return tables and views of the current schema."""
        rows = self.run("show tables").rows
        return sorted(str(row["tableName"]) for row in rows)

    def version(self) -> str:
        """Return the engine's name and version."""
        [row] = self.run("select current_version().dbsql_version as version").rows
        return f"Databricks {row['version'] or ''}".rstrip()

    def close(self) -> None:
        """Close a connection of our own."""
        if self._owned:
            self._connection.close()

    def _answer(self, sql: str, label: Label | None) -> tuple[list[Any], list[Any], str | None]:
        """Return rows, the description of their columns, and the query's id."""
        options = _options(label)
        with self._connection.cursor() as cursor:

            def rows() -> list[Any]:
                cursor.execute(sql, **options)
                return list(cursor.fetchall())

            found = interruptible(rows, cursor.cancel, self._limits.seconds)
            return found, list(cursor.description or ()), getattr(cursor, "query_id", None)

    def _write(self, table: str, sql: str, parameters: Mapping[str, str] | None = None) -> None:
        try:
            with self._connection.cursor() as cursor:
                interruptible(
                    lambda: cursor.execute(sql, parameters, **_options(None)),
                    cursor.cancel,
                    self._limits.seconds,
                )
        except TimeoutError:
            raise TooLateError("Databricks", self._limits.seconds) from None
        except _ERRORS as error:
            raise WarehouseError(f"cannot write to {table}: {_told(error, sql)}") from None


def _knock(host: str) -> None:
    """Find out whether there is such a host: the connector would ask for it for 15 minutes.

    It waits so for a warehouse that starts. Behind a proxy, only the proxy may know the host.
    """
    if not getproxies():
        socket.create_connection((host, 443), timeout=_SECONDS_TO_ANSWER).close()


def _told(error: Exception, sql: str) -> str:
    """Return what an error says, without the values of rows."""
    text = str(error)
    gone = isinstance(error, OSError)
    return said(error) if gone else without_data(text, state_of(text), sql)


def _options(label: Label | None) -> dict[str, Any]:
    return {"query_tags": _tags(label)} if _HAS_QUERY_TAGS else {}


def _tags(label: Label | None) -> dict[str, str]:
    """Return query tags, each cut to its length.

    >>> list(_tags(Label("loans.yml", ("a", "b"))).items())[1:]
    [('fairsql_suite', 'loans.yml'), ('fairsql_tests', 'a; b')]
    """
    tags = {"fairsql": __version__}
    if label and label.suite:
        tags["fairsql_suite"] = label.suite[-_TAG_LENGTH:]
    if label and label.tests:
        tags["fairsql_tests"] = "; ".join(label.tests)[:_TAG_LENGTH]
    return tags
