"""PostgreSQL through psycopg 3: a URL, the settings of a dbt profile, or a caller's connection.

A connection of our own that breaks is opened again for the next statement; a caller's is not.
"""

from __future__ import annotations

import functools
import hashlib
import math
import re
import string
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import Any, LiteralString, Self
from urllib.parse import parse_qsl, unquote

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row, tuple_row

from fairsql.errors import (
    ConfigurationError,
    RelationNotFoundError,
    TooLateError,
    WarehouseError,
)
from fairsql.version import __version__
from fairsql.warehouses import NO_LIMITS, Answer, Column, Label, Limits
from fairsql.warehouses.columns import lacking
from fairsql.warehouses.hints import nearest_relations
from fairsql.warehouses.numbers import number
from fairsql.warehouses.retries import retrying

# Object ids of built-in types, which are the same in every cluster (pg_type.dat). A type that is
# not among them, such as citext or an enumeration, is read as its text.
_KINDS = {
    16: "boolean",
    20: "integer",  # bigint
    21: "integer",  # smallint
    23: "integer",
    25: "text",
    700: "float",  # real
    701: "float",
    1043: "text",  # character varying
    1082: "date",
    1114: "timestamp",
    1184: "timestamptz",
    1700: "decimal",
}
_URL = re.compile(
    r"postgres(?:ql)?://(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?"
    r"(?P<host>\[[^\]@/]*\]|[^\[\]:@/?]*)(?::(?P<port>[0-9]*))?(?:/(?P<dbname>[^/?@]*))?(?:\?(?P<more>.*))?"
)
_RELATIONS = """
select
    case when pg_table_is_visible(relation.oid) then quote_ident(relation.relname)
    else quote_ident(space.nspname) || '.' || quote_ident(relation.relname) end
from pg_catalog.pg_class as relation
join pg_catalog.pg_namespace as space on space.oid = relation.relnamespace
where relation.relkind in ('r', 'p', 'v', 'm', 'f')
    and space.nspname !~ '^pg_' and space.nspname <> 'information_schema'
    and has_schema_privilege(space.oid, 'usage') and has_table_privilege(relation.oid, 'select')
"""
_TYPE_NAMES = "select format_type(id, null) from unnest(%s::oid[]) with ordinality as t(id, place)"
_NOT_FOUND = (
    psycopg.errors.FeatureNotSupported,  # another database's table
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.InvalidSchemaName,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedTable,
)
# cannot_connect_now (57P03) and too_many_connections (53300): libpq gives no code for what fails
# before there is a connection, only the server's words.
_MAY_CONNECT_LATER = re.compile(
    "the database system is |too many clients already|too many connections for "
    "|remaining connection slots are reserved"
)
# 40001, which a replica also says of a query that stands in the way of its recovery; and 40P01.
_MAY_RUN_LATER = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)
_NAME_BYTES = 63
_HAS_IS_JSON = 160_000
_EDIT_DISTANCES = ("edit_distance", "normalized_edit_distance")
_LEVENSHTEIN = "levenshtein(text, text)"
_ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtext('fairsql ' || %s))"
_COLUMNS = (
    "select attname from pg_attribute"
    " where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped"
)
_TYPES: Mapping[str, LiteralString] = {
    "text": "text",
    "integer": "bigint",
    "number": "double precision",
    "boolean": "boolean",
}
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class PostgresWarehouse:
    """A PostgreSQL connection; see :func:`fairsql.connect`. Every statement can only read."""

    dialect = "postgres"
    keeps_tables = True

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        *,
        owned: bool,
        limits: Limits = NO_LIMITS,
        reopen: Callable[[], psycopg.Connection[Any]] | None = None,
    ) -> None:
        self._connection = connection
        self._owned = owned
        self._limits = limits
        self.looks_first = limits.look_first
        self._reopen = reopen
        info = connection.info
        self.name = f"{info.dbname} at {info.host}:{info.port}"

    @classmethod
    def from_url(cls, url: str, limits: Limits = NO_LIMITS) -> Self:
        """Connect to ``postgresql://user:password@host:port/database?sslmode=require``."""
        # Not by libpq: where it misreads a URL, its message shows a part of the password.
        found = _URL.fullmatch(url)
        if found is None:
            raise ConfigurationError(
                "connection: must be postgresql://user:password@host:port/database, where special"
                " characters of a password are written as %40 for @, %2F for / and %3A for :."
            )
        parts = found.groupdict()
        more = dict(parse_qsl(parts.pop("more") or "", keep_blank_values=True))
        given = {name: unquote(part) for name, part in parts.items() if part}
        return cls.open(given | more, limits=limits)

    @classmethod
    def open(
        cls, settings: Mapping[str, Any], role: str | None = None, limits: Limits = NO_LIMITS
    ) -> Self:
        """Connect by libpq's parameters, and take on a role.

        Raises
        ------
        WarehouseError
            When there is no connection; the message holds no password.
        """
        given = {"application_name": "fairsql", **settings}
        if "host" in given:
            given["host"] = str(given["host"]).strip("[]")
        reopen = functools.partial(_connected, given, role)
        return cls(reopen(), owned=True, limits=limits, reopen=reopen)

    def fold(self, name: str) -> str:
        """Return the name with A to Z in lower case, as PostgreSQL reads unquoted names."""
        return name.translate(_LOWER)

    def describe(self, relation_sql: str, _where: str | None = None, /) -> tuple[Column, ...]:
        """Return the relation's columns, without reading a row."""
        try:
            with self._reading() as cursor:
                cursor.execute(f"select * from {relation_sql} limit 0")
                found = list(cursor.description or ())
                cursor.execute(_TYPE_NAMES, [[column.type_code for column in found]])
                types = [str(name) for (name,) in cursor.fetchall()]
        except _NOT_FOUND as error:
            is_column = isinstance(error, psycopg.errors.UndefinedColumn)
            hint = "" if is_column else self._near(relation_sql)
            raise RelationNotFoundError(
                f"cannot read {relation_sql}: {_sentence(error)}{hint}"
            ) from None
        except psycopg.Error as error:
            raise WarehouseError(f"cannot read {relation_sql}: {_sentence(error)}") from None
        return tuple(
            Column(column.name, type_name, _KINDS.get(column.type_code, "other"))
            for column, type_name in zip(found, types, strict=True)
        )

    def run(self, sql: str, label: Label | None = None, /) -> Answer:
        """Run one SELECT. psycopg cancels it when Ctrl-C interrupts.

        The label's suite is the session's ``application_name`` meanwhile; the tests' names stand
        in the statement.
        """
        started = time.monotonic()
        # A transaction that has failed for good is the caller's to begin again.
        is_within = self._connection.info.transaction_status == TransactionStatus.INTRANS
        again = retrying(lambda error: not is_within and isinstance(error, _MAY_RUN_LATER))
        try:
            rows = again(self._rows, sql, label)
        except psycopg.Error as error:
            seconds = self._limits.seconds
            is_late = seconds and time.monotonic() - started >= seconds
            if is_late and isinstance(error, psycopg.errors.QueryCanceled):
                raise TooLateError("PostgreSQL", seconds) from None
            raise WarehouseError(f"PostgreSQL says: {_without_data(error, sql)}") from None
        return Answer([{name: number(value) for name, value in row.items()} for row in rows])

    def append(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], /
    ) -> None:
        """Append rows to a table in one transaction; make the table if it is not there.

        Columns that it lacks are added.

        Raises
        ------
        WarehouseError
            When the server says no, or it is no table of fairsql's; nothing has been appended then.
        """
        name = sql.SQL(table)  # a plain name, which the server folds
        defined = [
            sql.SQL("{} {}").format(sql.Identifier(column), sql.SQL(_TYPES[kind]))
            for column, kind in columns.items()
        ]
        create = sql.SQL("create table if not exists {} ({})").format(
            name, sql.SQL(", ").join(defined)
        )
        copy = sql.SQL("copy {} ({}) from stdin").format(
            name, sql.SQL(", ").join(map(sql.Identifier, columns))
        )
        try:
            with self._connection.transaction(), self._connection.cursor() as cursor:
                # Two that create one table at a time would be in each other's way, even so.
                cursor.execute(_ONE_AT_A_TIME, [table])
                cursor.execute(create)
                present = [str(column) for (column,) in cursor.execute(_COLUMNS, [table])]
                for column in lacking(table, present, columns):
                    added = sql.SQL("alter table {} add column if not exists {} {}")
                    kind = sql.SQL(_TYPES[columns[column]])
                    cursor.execute(added.format(name, sql.Identifier(column), kind))
                with cursor.copy(copy) as copied:
                    for row in rows:
                        copied.write_row([row[column] for column in columns])
        except psycopg.Error as error:
            raise WarehouseError(f"cannot write to {table}: {_sentence(error)}") from None

    @contextmanager
    def locked(self, name: str, /) -> Iterator[bool]:
        """Hold an advisory lock of the database in a block, and tell whether it was free.

        The server lets go of it when the session ends, however that ends.
        """
        key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
        is_free = self._locking("pg_try_advisory_lock", key)
        try:
            yield is_free
        finally:
            if is_free:
                with suppress(psycopg.Error):  # the session has ended, and the lock with it
                    self._locking("pg_advisory_unlock", key)

    def _locking(self, function: LiteralString, key: int) -> bool:
        with self._reading() as cursor:
            row = cursor.execute(f"select {function}(%s)", [key]).fetchone()
        return bool(row and row[0])

    def has_schema(self, schema: str, /) -> bool:
        """Return whether a schema exists, in this database."""
        database, _, name = schema.rpartition(".")
        query = "select to_regnamespace(%s) is not null and %s in ('', lower(current_database()))"
        try:
            with self._reading() as cursor:
                cursor.execute(query, [name, database.lower()])
                return bool(cursor.fetchall()[0][0])
        except psycopg.Error as error:
            raise WarehouseError(f"cannot look for {schema}: {_sentence(error)}") from None

    def lacks(self, quantity: str, /) -> str | None:
        """Return why this server cannot compute a quantity of texts, or nothing where it can."""
        if quantity == "json_score" and self._connection.info.server_version < _HAS_IS_JSON:
            return f"IS JSON came with PostgreSQL 16, and this server is {self.version()}"
        if quantity in _EDIT_DISTANCES and not self._has(_LEVENSHTEIN):
            return (
                f"{self.version()} has levenshtein() in the extension fuzzystrmatch alone, which"
                " this database lacks: create extension fuzzystrmatch"
            )
        return None

    def _has(self, function: str) -> bool:
        try:
            with self._reading() as cursor:
                cursor.execute("select to_regprocedure(%s) is not null", [function])
                return bool(cursor.fetchall()[0][0])
        except psycopg.Error as error:
            raise WarehouseError(f"cannot look for {function}: {_sentence(error)}") from None

    def bytes_read(self, _sql: str, /) -> int | None:
        """Return nothing: PostgreSQL does not tell."""

    def relations(self) -> list[str]:
        """Return tables and views, with the schema where the search path does not lead to it."""
        try:
            with self._reading() as cursor:
                cursor.execute(_RELATIONS)
                return sorted(str(name) for (name,) in cursor.fetchall())
        except psycopg.Error as error:
            raise WarehouseError(f"cannot list the tables: {_sentence(error)}") from None

    def version(self) -> str:
        """Return the engine's name and version."""
        major, minor = divmod(self._connection.info.server_version, 10_000)
        return f"PostgreSQL {major}.{minor}"

    def close(self) -> None:
        """Close a connection of our own."""
        if self._owned:
            self._connection.close()

    def _rows(self, sql: str, label: Label | None) -> list[dict[str, Any]]:
        with self._reading(label) as cursor:
            cursor.row_factory = dict_row
            cursor.execute(sql)
            return cursor.fetchall()

    @contextmanager
    def _reading(self, label: Label | None = None) -> Iterator[psycopg.Cursor[Any]]:
        """Give a cursor in a transaction that only reads: in a caller's own, a savepoint of it.

        It is rolled back, since what is set in a savepoint would outlast its release.
        """
        if self._reopen and self._connection.broken:
            self._connection = self._reopen()
        with (
            self._connection.transaction(force_rollback=True),
            self._connection.cursor(row_factory=tuple_row) as cursor,
        ):
            cursor.execute(self._settings(label), prepare=False)
            yield cursor

    def _settings(self, label: Label | None) -> sql.Composed:
        settings = [
            sql.SQL("set transaction read only"),
            sql.SQL("set local application_name = {}").format(_application_name(label)),
            # Compiling hundreds of expressions takes seconds, which only millions of rows win back.
            sql.SQL("set local jit_above_cost = 2000000"),
        ]
        if self._limits.seconds:
            milliseconds = math.ceil(self._limits.seconds * 1000)
            settings.append(sql.SQL("set local statement_timeout = {}").format(milliseconds))
        return sql.SQL("; ").join(settings)

    def _near(self, relation_sql: str) -> str:
        try:
            return nearest_relations(relation_sql, self.relations())
        except WarehouseError:
            return ""


def _connected(settings: Mapping[str, Any], role: str | None) -> psycopg.Connection[Any]:
    """Return a new connection by libpq's parameters that has taken on the role."""
    try:
        connection: psycopg.Connection[Any] = retrying(_may_connect_later)(
            psycopg.connect, **settings, client_encoding="utf8", autocommit=True
        )
        if role:
            _take_on(role, connection)
    except psycopg.Error as error:
        raise WarehouseError(f"cannot connect to PostgreSQL: {_sentence(error)}") from None
    return connection


def _may_connect_later(error: BaseException) -> bool:
    return isinstance(error, psycopg.OperationalError) and bool(
        _MAY_CONNECT_LATER.search(str(error))
    )


def _take_on(role: str, connection: psycopg.Connection[Any]) -> None:
    # As in dbt, a role that is a plain name is folded by the server.
    name = sql.SQL(role) if re.fullmatch(r"\w+", role) else sql.Identifier(role)
    try:
        connection.execute(sql.SQL("set role {}").format(name))
    except psycopg.Error:
        connection.close()
        raise


def _application_name(label: Label | None) -> str:
    """Return what a statement says of itself, in the form that PostgreSQL takes.

    >>> _application_name(Label("audits/prüfung.yml"))[-12:]
    ' pr?fung.yml'
    """
    suite = PurePath(label.suite).name if label and label.suite else ""
    name = f"fairsql {__version__} {suite}".rstrip()
    return name.encode("ascii", "replace")[:_NAME_BYTES].decode()


def _sentence(error: psycopg.Error) -> str:
    """Return an error and the server's advice in one line."""
    said = error.diag.message_primary or str(error).partition("\n")[0] or type(error).__name__
    parts = [" ".join(part.split()).rstrip(".") for part in (said, error.diag.message_hint) if part]
    return f"{'. '.join(parts)}."


def _without_data(error: psycopg.Error, sql_text: str) -> str:
    """Return what an error says without the values of rows: none the statement did not hold."""
    line = _sentence(error)
    if not (error.sqlstate or "").startswith("22"):  # class 22: data exceptions
        return line
    return re.sub('".*"', lambda found: found[0] if found[0].strip('"') in sql_text else "…", line)
