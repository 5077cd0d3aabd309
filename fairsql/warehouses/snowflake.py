"""Snowflake through its connector: a URL, ``connections.toml``, a dbt profile, a live connection.

The connector cancels the running statement by itself, on Ctrl-C and after the seconds it is given,
and tries a request again under the same id, so that the server never runs a statement twice.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

import snowflake.connector
from snowflake.connector import errorcode, errors
from snowflake.connector.backoff_policies import exponential_backoff
from snowflake.connector.config_manager import CONFIG_MANAGER
from snowflake.connector.constants import FIELD_ID_TO_NAME

from fairsql.errors import RelationNotFoundError, TooLateError, WarehouseError
from fairsql.version import __version__
from fairsql.warehouses import NO_LIMITS, Answer, Column, Label, Limits
from fairsql.warehouses.hints import nearest_relations
from fairsql.warehouses.numbers import number
from fairsql.warehouses.retries import retrying
from fairsql.warehouses.snowflake_url import connector_settings

if TYPE_CHECKING:
    from snowflake.connector.connection import SnowflakeConnection
    from snowflake.connector.cursor import ResultMetadata, SnowflakeCursor

# What the connector calls a column's type: our kind, and the type's name in Snowflake's SQL. Any
# other (TIME, BINARY, VARIANT and the rest) keeps its name and is of kind other.
_TYPES = {
    "REAL": ("float", "FLOAT"),
    "TEXT": ("text", "VARCHAR"),
    "BOOLEAN": ("boolean", "BOOLEAN"),
    "DATE": ("date", "DATE"),
    "TIMESTAMP_NTZ": ("timestamp", "TIMESTAMP_NTZ"),
    "TIMESTAMP_LTZ": ("timestamptz", "TIMESTAMP_LTZ"),
    "TIMESTAMP_TZ": ("timestamptz", "TIMESTAMP_TZ"),
}

_SQL_TYPES = {"text": "varchar", "integer": "number", "number": "float", "boolean": "boolean"}
# A list of values may have 16,384 expressions, and a statement a megabyte of text.
_ROWS_AT_ONCE = 200

# Errors of Snowflake's by number.
_INVALID_IDENTIFIER = 904
_NOT_FOUND = 2003  # does not exist, or may not be known to exist
_NOT_THERE = 2043
_NOT_ALLOWED = 3001
_CANCELLED = 604

# What the connector tries again by itself (network.py: is_retryable_http_code, and the errors of a
# login that it hands to the authenticator), once its own tries are used up.
_TRANSIENT_NUMBERS = (
    errorcode.ER_FAILED_TO_CONNECT_TO_DB,
    errorcode.ER_CONNECTION_TIMEOUT,
    errorcode.ER_RETRYABLE_CODE,
)
_TRANSIENT = (
    errors.InternalServerError,
    errors.ServiceUnavailableError,
    errors.GatewayTimeoutError,
    errors.RequestTimeoutError,
    errors.BadGatewayError,
    errors.TooManyRequests,
    errors.OtherHTTPRetryableError,
)
_TRIES = 4

_TAG_LENGTH = 2000
_SUITE_LENGTH = 200
_UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
_CODE = re.compile(r"\d{6}(?: \(\w+\))?: (?:[0-9a-f-]{36}: )?")


class SnowflakeWarehouse:
    """A Snowflake connection; see :func:`fairsql.connect`.

    But for :meth:`append`, nothing but SELECT and SHOW is sent.
    """

    dialect = "snowflake"
    keeps_tables = True

    def __init__(
        self,
        connection: SnowflakeConnection,
        *,
        owned: bool,
        limits: Limits = NO_LIMITS,
        query_tag: str | None = None,
    ) -> None:
        self._connection = connection
        self._owned = owned
        self._limits = limits
        self.looks_first = limits.look_first
        self._query_tag = query_tag
        inside = ".".join(name for name in (connection.database, connection.schema) if name)
        self.name = f"{inside} at {connection.account}" if inside else str(connection.account)

    @classmethod
    def from_url(cls, url: str, limits: Limits = NO_LIMITS) -> Self:
        """Connect to ``snowflake://user:password@account/database/schema?warehouse=W&role=R``.

        ``snowflake://?connection=NAME`` is the connection of that name in the connector's
        ``connections.toml``, and ``snowflake://`` the default one; whatever else the URL says
        goes before the file. The connector's own parameters may follow the question mark, such as
        ``authenticator``, ``token``, ``private_key_file``, ``host``, ``port`` and ``protocol``.
        A password and the passphrase of a key are also read from ``SNOWFLAKE_PASSWORD`` and
        ``SNOWFLAKE_PRIVATE_KEY_PASSPHRASE``.

        Raises
        ------
        ConfigurationError
            When the URL is not of that form; the message shows no part of a secret.
        WarehouseError
            When there is no connection.
        """
        return cls.open(connector_settings(url), limits)

    @classmethod
    def open(cls, settings: Mapping[str, Any], limits: Limits = NO_LIMITS) -> Self:
        """Connect by the connector's parameters.

        Parameters
        ----------
        settings
            What ``snowflake.connector.connect`` takes, and ``query_tag``: a text of the user's own
            that the tag of the session and that of every statement carry.
        limits
            What a statement may cost.

        Raises
        ------
        WarehouseError
            When there is no connection; the message holds no secret.
        """
        given = dict(settings)
        query_tag = given.pop("query_tag", None)
        place = given.get("host") or given.get("account") or given.get("connection_name")
        options: dict[str, Any] = {"application": "fairsql", "backoff_policy": _waits}
        if given and "connection_name" not in given:  # or the file's own would be overridden
            options["session_parameters"] = {"QUERY_TAG": query_tag or _tag(None, None)}
        if not given:
            given["connection_name"] = CONFIG_MANAGER["default_connection_name"]
        try:
            for attempt in retrying(_is_transient):
                with attempt:
                    connection = snowflake.connector.connect(**{**options, **given})
        # A key that cannot be read raises what Python or cryptography does.
        except (errors.Error, OSError, TypeError, ValueError) as error:
            named = f" at {place}" if place else ""
            raise WarehouseError(f"cannot connect to Snowflake{named}: {_reason(error)}") from None
        return cls(connection, owned=True, limits=limits, query_tag=query_tag)

    def fold(self, name: str) -> str:
        """Return a name in upper case, as Snowflake reads it, or what stands between quotes.

        Names that need quotes are compared so too: ``Annual Income`` is ``ANNUAL INCOME``.
        """
        if len(name) > 1 and name[0] == name[-1] == '"':
            return name[1:-1].replace('""', '"')
        return name.translate(_UPPER)

    def describe(self, relation_sql: str, _where: str | None = None, /) -> tuple[Column, ...]:
        """Return the relation's columns; Snowflake compiles the statement and runs nothing."""
        try:
            with self._connection.cursor() as cursor:
                found = cursor.describe(f"select * from {relation_sql}", **self._options())
        except errors.Error as error:
            told = f"cannot read {relation_sql}: {_sentence(error)}"
            if error.errno == _NOT_FOUND:
                raise RelationNotFoundError(told + self._near(relation_sql)) from None
            if error.errno in (_INVALID_IDENTIFIER, _NOT_THERE, _NOT_ALLOWED):
                raise RelationNotFoundError(told) from None
            raise WarehouseError(told) from None
        return tuple(_column(column) for column in found)

    def run(self, sql: str, label: Label | None = None, /) -> Answer:
        """Run one SELECT under a query tag of the label's."""
        with self._asking(sql, label) as cursor:
            rows = cursor.fetchall()
            # Aliases that our SQL leaves unquoted come back in upper case.
            names = [column.name.lower() for column in cursor.description]
            return Answer(
                [dict(zip(names, map(number, row), strict=True)) for row in rows], cursor.sfqid
            )

    def append(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], /
    ) -> None:
        """Append rows to a table in one transaction; make the table if it is not there.

        Raises
        ------
        WarehouseError
            When Snowflake says no, and nothing has been appended; or when a caller's connection
            is in a transaction, which making a table would commit.
        """
        # What has no quotes is stored in upper case, but some of the names are reserved words.
        names = [f'"{self.fold(column)}"' for column in columns]
        types = [_SQL_TYPES[kind] for kind in columns.values()]
        defined = ", ".join(map(" ".join, zip(names, types, strict=True)))
        mark = "%s" if self._connection.is_pyformat else "?"
        values = ", ".join([mark] * len(names))
        insert = f"insert into {table} ({', '.join(names)}) values ({values})"
        if not self._owned and self._is_in_transaction():
            raise WarehouseError(
                f"cannot write to {table}: the connection is in a transaction, which making a table"
                " would commit. Commit it or roll it back before."
            )
        with self._cursor(f"cannot write to {table}", insert) as cursor:
            cursor.execute(f"create table if not exists {table} ({defined})", **self._options())
            cursor.execute("begin", **self._options())
            try:
                for start in range(0, len(rows), _ROWS_AT_ONCE):
                    some = rows[start : start + _ROWS_AT_ONCE]
                    listed = [[row[column] for column in columns] for row in some]
                    cursor.executemany(insert, listed, **self._options())
                cursor.execute("commit", **self._options())
            except BaseException:
                with suppress(errors.Error):
                    cursor.execute("rollback", **self._options())
                raise

    def bytes_read(self, _sql: str, /) -> int | None:
        """Return nothing: Snowflake bills the time of a warehouse, not bytes."""

    def relations(self) -> list[str]:
        """Return tables and views, with the schema and database that are not the current ones.

        ``SHOW`` needs no running warehouse; it shows 10,000 at most.
        """
        current = (self._connection.database, self._connection.schema)
        scope = "database" if current[0] else "account"
        with self._asking(f"show terse objects in {scope}", None) as cursor:
            place = {column.name.lower(): at for at, column in enumerate(cursor.description)}
            found = [
                [str(row[place[part]]) for part in ("database_name", "schema_name", "name")]
                for row in cursor.fetchall()
            ]
        return sorted(
            _written(parts, current) for parts in found if parts[1] != "INFORMATION_SCHEMA"
        )

    def version(self) -> str:
        """Return the engine's name and version."""
        [row] = self.run("select current_version() as version").rows
        [version] = row.values()
        return f"Snowflake {version}"

    def close(self) -> None:
        """Close a connection of our own."""
        if self._owned:
            self._connection.close()

    def _is_in_transaction(self) -> bool:
        [row] = self.run("select current_transaction() as transaction").rows
        return row["transaction"] is not None

    @contextmanager
    def _asking(self, sql: str, label: Label | None) -> Iterator[SnowflakeCursor]:
        """Give a cursor that has run a statement."""
        with self._cursor("Snowflake says", sql) as cursor:
            cursor.execute(sql, **self._options(label))
            yield cursor

    @contextmanager
    def _cursor(self, what: str, sql: str) -> Iterator[SnowflakeCursor]:
        """Give a cursor; an error says what failed, and no value that the SQL does not hold."""
        try:
            with self._connection.cursor() as cursor:
                yield cursor
        except errors.Error as error:
            seconds = self._limits.seconds
            if seconds and error.errno == _CANCELLED:
                raise TooLateError("Snowflake", seconds) from None
            if isinstance(error, errors.OperationalError):
                raise WarehouseError(f"Snowflake does not answer: {_reason(error)}") from None
            raise WarehouseError(f"{what}: {_without_data(error, sql)}") from None
        except OSError as error:  # of a part of the result; its text may hold a signed address
            raise WarehouseError(
                f"cannot fetch the result from Snowflake: {type(error).__name__}."
            ) from None

    def _options(self, label: Label | None = None) -> dict[str, Any]:
        """Return how a statement is to be run; its tag leaves that of the session as it is."""
        return {
            "timeout": self._limits.seconds,
            "_statement_params": {"QUERY_TAG": _tag(label, self._query_tag)},
        }

    def _near(self, relation_sql: str) -> str:
        try:
            return nearest_relations(relation_sql, self.relations())
        except WarehouseError:
            return ""


def _waits() -> Iterator[int]:
    """Yield the connector's own waits between tries of a request, but not without end.

    Its tries are endless by default, where a statement may take any time; without an answer to
    four in a row there is none to wait for.
    """
    yield from islice(exponential_backoff()(), _TRIES - 1)
    yield 0
    raise errors.OperationalError(
        msg=f"gave up after {_TRIES} tries", errno=errorcode.ER_FAILED_TO_REQUEST
    )


def _is_transient(error: BaseException) -> bool:
    """Say whether the connector would try again what led to an error."""
    if isinstance(error, errors.OperationalError):
        return error.errno in _TRANSIENT_NUMBERS
    return isinstance(error, _TRANSIENT)


def _tag(label: Label | None, query_tag: str | None) -> str:
    """Return a query tag: JSON of at most 2,000 characters, with as many tests as go in."""
    told: dict[str, Any] = {"fairsql": __version__}
    text = json.dumps(told)
    if query_tag:
        told["query_tag"] = query_tag
    if label and label.suite:
        told["suite"] = label.suite[-_SUITE_LENGTH:]
    tests = label.tests if label else ()
    for shown in range(len(tests) + 1):
        names = {"tests": tests[:shown]} if shown else {}
        rest = {"more_tests": len(tests) - shown} if shown < len(tests) else {}
        longer = json.dumps(told | names | rest, ensure_ascii=False)
        if len(longer) > _TAG_LENGTH:
            break
        text = longer
    return text


def _column(found: ResultMetadata) -> Column:
    name = FIELD_ID_TO_NAME[found.type_code]
    if name == "FIXED":
        kind = "decimal" if found.scale else "integer"
        return Column(found.name, f"NUMBER({found.precision},{found.scale})", kind)
    kind, type_name = _TYPES.get(name, ("other", name))
    return Column(found.name, type_name, kind)


def _written(parts: list[str], current: tuple[str | None, str | None]) -> str:
    """Return a relation's name without the database and schema that are the current ones."""
    if parts[0] == current[0]:
        parts = parts[1:] if parts[1] != current[1] else parts[2:]
    plain = re.compile("[A-Z_][A-Z0-9_$]*")
    return ".".join(
        part.lower() if plain.fullmatch(part) else '"' + part.replace('"', '""') + '"'
        for part in parts
    )


def _reason(error: BaseException) -> str:
    """Return why there is no connection: what the operating system says, or the connector."""
    found: BaseException | None = error
    told = ""
    while found is not None:
        if isinstance(found, OSError) and found.strerror:
            file = f": {found.filename}" if found.filename else ""
            told = f"{found.strerror[:1].lower()}{found.strerror[1:]}{file}."
        found = found.__cause__ or found.__context__
    return told or _sentence(error)


def _sentence(error: BaseException) -> str:
    """Return an error in one line, without its number."""
    said = getattr(error, "raw_msg", None) or str(error) or type(error).__name__
    line = " ".join(_CODE.sub("", said, count=1).split())
    return line if line.endswith((".", "!", "?")) else f"{line}."


def _without_data(error: errors.Error, sql_text: str) -> str:
    """Return what an error says without the values of rows: none the statement did not hold.

    Those of class 22 and of the numbers from 100000 are about data, and show it in quotes, in
    brackets or bare.
    """
    line = _sentence(error)
    if not error.sqlstate.startswith("22") and error.errno // 1000 != 100:
        return line
    return re.sub(
        r"""'.*'|".*"|\{.*\}|\[.*\]|(?<!\w)-?\d[\d.eE+-]*""",
        lambda found: found[0] if found[0].strip("'\"") in sql_text else "…",
        line,
    )
