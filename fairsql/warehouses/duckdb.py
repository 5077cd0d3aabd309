"""DuckDB: a file, memory over data files, or a caller's live connection."""

from __future__ import annotations

import difflib
import functools
import re
import string
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import duckdb

from fairsql.errors import (
    ConfigurationError,
    RelationNotFoundError,
    TooLateError,
    WarehouseError,
)
from fairsql.warehouses import NO_LIMITS, Answer, Column, Label, Limits
from fairsql.warehouses.hints import nearest_relations
from fairsql.warehouses.tables import Columns, Rows, append_in_duckdb, append_to_file
from fairsql.warehouses.waiting import interruptible

_READERS = {
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".parquet": "read_parquet",
    ".json": "read_json",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}
_COMPRESSED = (".gz", ".zst")
_NOT_ONE_FILE = re.compile(r"[*?\[]|://")
_KINDS = {
    "BOOLEAN": "boolean",
    "DATE": "date",
    "DOUBLE": "float",
    "FLOAT": "float",
    "VARCHAR": "text",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "TIMESTAMPTZ_NS": "timestamptz",
    '"NULL"': "integer",  # a column of nulls: any kind will do
}
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_ON_VALUES = (duckdb.ConversionException, duckdb.InvalidInputException, duckdb.OutOfRangeException)
_CSV_FAULTS = (
    "Error when converting",
    "Expected Number of Columns",
    "Invalid unicode",
    "Maximum line size",
    "Value with unterminated quote",
)
_COLUMN = re.compile(r'(column "[^"]*").*')
_CANDIDATES = "Candidate bindings: "
_VALUE = re.compile(r"""'.*'|".*"|(?<!Line: )(?<![\w'"])-?\d[\d.e+-]*""")


class DuckDBWarehouse:
    """A DuckDB connection; see :func:`fairsql.connect`."""

    dialect = "duckdb"

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        *,
        owned: bool,
        name: str = "live connection",
        limits: Limits = NO_LIMITS,
        reopen: Callable[[], duckdb.DuckDBPyConnection] | None = None,
    ) -> None:
        self._connection = connection
        self._owned = owned
        self._limits = limits
        self.looks_first = limits.look_first
        self._reopen = reopen
        self.name = name
        self.keeps_tables = reopen is not None or not owned

    @classmethod
    def from_url(cls, url: str, data: Mapping[str, str | Path], limits: Limits = NO_LIMITS) -> Self:
        """Open ``duckdb:///file.duckdb`` read-only, or ``duckdb://`` in memory over data files."""
        place = url.removeprefix("duckdb://")
        if place in ("", "/", "/:memory:"):
            connection = duckdb.connect(":memory:")
            connection.execute("set python_enable_replacements = false")
            for name, path in data.items():
                _create_view(connection, name, str(path))
            return cls(connection, owned=True, name="memory", limits=limits)
        if data:
            raise ConfigurationError(
                "data: a database file is opened read-only, so files go with duckdb:// alone,"
                f" not {url}."
            )
        if not place.startswith("/"):
            raise ConfigurationError(
                f"connection: a file follows three slashes, duckdb:///{place}, but is {url}."
            )
        path = Path(place[1:])
        if _reader(str(path)):
            raise ConfigurationError(
                f"connection: {str(path)!r} holds data and is no database; such files go with"
                f" duckdb:// alone, as in --data {path.name.partition('.')[0]}={path}."
            )
        return cls.open(path, limits=limits)

    @classmethod
    def open(
        cls, path: Path, attached: Sequence[tuple[str, str]] = (), limits: Limits = NO_LIMITS
    ) -> Self:
        """Open a file read-only, and attach others likewise: for each its name and its path."""
        if not path.is_file():
            raise WarehouseError(f"there is no DuckDB file {str(path)!r}.{_near_file(path)}")
        reopen = functools.partial(_opened, path, attached)
        return cls(reopen(), owned=True, name=str(path), limits=limits, reopen=reopen)

    def fold(self, name: str) -> str:
        """Return the name with A to Z in lower case: DuckDB tells ``É`` from ``é``."""
        return name.translate(_LOWER)

    def describe(self, relation_sql: str, _where: str | None = None, /) -> tuple[Column, ...]:
        """Return the relation's columns, without reading a row."""
        try:
            described = self._connection.sql(f"select * from {relation_sql}")
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            hint = _near_columns(error) or self._near(relation_sql)
            raise RelationNotFoundError(
                f"cannot read {relation_sql}: {_sentence(error)}{hint}"
            ) from None
        except duckdb.Error as error:
            raise WarehouseError(f"cannot read {relation_sql}: {_sentence(error)}") from None
        return tuple(
            Column(name, str(kind), _kind(str(kind)))
            for name, kind in zip(described.columns, described.types, strict=True)
        )

    def run(self, sql: str, _label: Label | None = None, /) -> Answer:
        """Run one SELECT; a relation of its own, so that a caller's result stays readable."""
        try:
            return Answer(
                interruptible(
                    lambda: self._rows(sql), self._connection.interrupt, self._limits.seconds
                )
            )
        except TimeoutError:
            raise TooLateError("DuckDB", self._limits.seconds) from None
        except duckdb.Error as error:
            said = _without_data(error, sql) + _near_columns(error)
            raise WarehouseError(f"DuckDB says: {said}") from None

    def append(self, table: str, columns: Columns, rows: Rows, /) -> None:
        """Append rows to a table in one transaction; make the table if it is not there.

        A file is opened for writing meanwhile. Of a caller's connection no transaction is touched.

        Raises
        ------
        WarehouseError
            When DuckDB says no; nothing has been appended then.
        """
        if self._reopen:
            self._connection.close()
            try:
                append_to_file(Path(self.name), table, columns, rows)
            finally:
                self._connection = self._reopen()
            return
        try:
            with self._connection.cursor() as cursor:
                append_in_duckdb(cursor, table, columns, rows)
        except duckdb.Error as error:
            raise WarehouseError(f"cannot write to {table}: {_sentence(error)}") from None

    def files(self) -> tuple[str, ...]:
        """Return the files of the databases that are open or attached."""
        rows = self._connection.sql(
            "select path from duckdb_databases() where path is not null and not internal"
        ).fetchall()
        return tuple(str(path) for (path,) in rows)

    def has_schema(self, schema: str, /) -> bool:
        """Return whether a schema exists; a database that is attached will do."""
        names = [name.strip('"') for name in schema.split(".")]
        rows = self._connection.sql(
            "select database_name, schema_name from duckdb_schemas() where not internal or"
            " schema_name = 'main'"
        ).fetchall()
        ours = self._connection.sql("select current_database()").fetchall()[0][0]
        known = {
            name
            for database, place in rows
            for name in (f"{database}.{place}", database, *([place] if database == ours else []))
        }
        return self.fold(".".join(names)) in {self.fold(name) for name in known}

    def lacks(self, quantity: str, /) -> str | None:
        """Return why this version cannot compute a quantity of texts, or nothing where it can."""
        if quantity not in ("edit_distance", "normalized_edit_distance"):
            return None
        counts_characters = self._connection.sql("select levenshtein('é', 'e') = 1").fetchall()
        if counts_characters[0][0]:
            return None
        return f"levenshtein() counts bytes before DuckDB 2.0, and this is {self.version()}"

    def bytes_read(self, _sql: str, /) -> int | None:
        """Return nothing: DuckDB does not tell."""

    def relations(self) -> list[str]:
        """Return tables and views, with the schema where it is not ``main``."""
        rows = self._connection.sql(
            "select schema_name, table_name from duckdb_tables() where not internal"
            " union all select schema_name, view_name from duckdb_views() where not internal"
        ).fetchall()
        return sorted(table if schema == "main" else f"{schema}.{table}" for schema, table in rows)

    def version(self) -> str:
        """Return the engine's name and version."""
        return f"DuckDB {duckdb.__version__}"

    def close(self) -> None:
        """Close a connection of our own."""
        if self._owned:
            self._connection.close()

    def _rows(self, sql: str) -> list[dict[str, Any]]:
        result = self._connection.sql(sql)
        return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]

    def _near(self, relation_sql: str) -> str:
        try:
            return nearest_relations(relation_sql, self.relations())
        except duckdb.Error:  # a caller's connection that is busy or in a failed transaction
            return ""


def _opened(path: Path, attached: Sequence[tuple[str, str]]) -> duckdb.DuckDBPyConnection:
    try:
        connection = duckdb.connect(str(path), read_only=True)
        for name, other in attached:
            connection.execute(f"attach {_literal(other)} as {_quoted(name)} (read_only)")
        connection.execute("set python_enable_replacements = false")
    except duckdb.Error as error:
        raise WarehouseError(f"cannot open {str(path)!r}: {_sentence(error)}") from None
    return connection


def _create_view(connection: duckdb.DuckDBPyConnection, name: str, path: str) -> None:
    reader = _reader(path)
    if reader is None:
        allowed = ", ".join(_READERS)
        raise ConfigurationError(f"data {name}: {path!r} must end in one of {allowed}.")
    if not _NOT_ONE_FILE.search(path) and not Path(path).exists():
        raise WarehouseError(f"data {name}: there is no file {path!r}.{_near_file(Path(path))}")
    read = f"{reader}({_literal(path)})"
    try:
        connection.execute(f"create view {_quoted(name)} as select * from {read}")
    except duckdb.Error as error:
        raise WarehouseError(f"data {name}: cannot read {path!r}: {_sentence(error)}") from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _reader(path: str) -> str | None:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return _READERS.get(suffixes[-1]) if suffixes else None


def _kind(type_name: str) -> str:
    if type_name.startswith("DECIMAL"):
        return "decimal"
    if type_name in _INTEGERS or type_name.removeprefix("U") in _INTEGERS:
        return "integer"
    if type_name in _KINDS:
        return _KINDS[type_name]
    return "timestamp" if type_name.startswith("TIMESTAMP") else "other"


def _sentence(error: duckdb.Error) -> str:
    """Return what an error says first, and what is wrong with a line of CSV, but not that line."""
    first, *others = str(error).strip().splitlines()
    # Of a value that does not convert, the column is named first, and then the value.
    faults = [_COLUMN.sub(r"\1", line) for line in others if line.startswith(_CSV_FAULTS)]
    return ". ".join(line.strip().rstrip(".!") for line in [first, *faults[:1]]) + "."


def _near_columns(error: duckdb.Error) -> str:
    lines = str(error).splitlines()
    names = [line.removeprefix(_CANDIDATES) for line in lines if line.startswith(_CANDIDATES)]
    return f" Nearest columns: {names[0]}." if names else ""


def _without_data(error: duckdb.Error, sql: str) -> str:
    """Return what an error says without the values of rows: none the statement did not hold."""
    line = _sentence(error)
    if not isinstance(error, _ON_VALUES):
        return line
    return _VALUE.sub(lambda value: value[0] if value[0].strip("'\"") in sql else "…", line)


def _near_file(path: Path) -> str:
    if not path.parent.is_dir():
        return f" The folder {str(path.parent)!r} does not exist."
    names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    near = difflib.get_close_matches(path.name, names, n=1, cutoff=0.5)
    return f" Did you mean {str(path.with_name(near[0]))!r}?" if near else ""
