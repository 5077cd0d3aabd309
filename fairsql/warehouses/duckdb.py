"""DuckDB: a file, memory over data files, or a caller's live connection."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import duckdb

from fairsql.errors import ConfigurationError, RelationNotFoundError, WarehouseError
from fairsql.warehouses import Column

_READERS = {
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".parquet": "read_parquet",
    ".json": "read_json",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}
_COMPRESSED = (".gz", ".zst")
_KINDS = {
    "BOOLEAN": "boolean",
    "DATE": "date",
    "DOUBLE": "float",
    "FLOAT": "float",
    "VARCHAR": "text",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    '"NULL"': "integer",  # a column of nulls: any kind will do
}
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")


class DuckDBWarehouse:
    """A DuckDB connection; see :func:`fairsql.connect`."""

    dialect = "duckdb"

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, *, owned: bool, name: str = "live connection"
    ) -> None:
        self._connection = connection
        self._owned = owned
        self.name = name

    @classmethod
    def from_url(cls, url: str, data: Mapping[str, str | Path]) -> Self:
        """Open ``duckdb:///file.duckdb`` read-only, or ``duckdb://`` in memory over data files."""
        place = url.removeprefix("duckdb://")
        if place in ("", "/", "/:memory:"):
            connection = duckdb.connect(":memory:")
            connection.execute("set python_enable_replacements = false")
            for name, path in data.items():
                _create_view(connection, name, str(path))
            return cls(connection, owned=True, name="memory")
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
        if not path.is_file():
            raise WarehouseError(f"there is no DuckDB file {str(path)!r}.{_near_file(path)}")
        try:
            connection = duckdb.connect(str(path), read_only=True)
            connection.execute("set python_enable_replacements = false")
        except duckdb.Error as error:
            raise WarehouseError(f"cannot open {str(path)!r}: {_first_line(error)}") from None
        return cls(connection, owned=True, name=str(path))

    def fold(self, name: str) -> str:
        """Return the name in lower case: DuckDB compares names without case."""
        return name.casefold()

    def describe(self, relation_sql: str) -> tuple[Column, ...]:
        """Return the relation's columns, without reading a row."""
        try:
            described = self._connection.sql(f"select * from {relation_sql}")
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            raise RelationNotFoundError(
                f"cannot read {relation_sql}: {_first_line(error)}{self._near(relation_sql)}"
            ) from None
        except duckdb.Error as error:
            raise WarehouseError(f"cannot read {relation_sql}: {_first_line(error)}") from None
        return tuple(
            Column(name, str(kind), _kind(str(kind)))
            for name, kind in zip(described.columns, described.types, strict=True)
        )

    def run(self, sql: str) -> list[dict[str, Any]]:
        """Run one SELECT; a relation of its own, so that a caller's result stays readable."""
        try:
            result = self._connection.sql(sql)
            return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]
        except duckdb.Error as error:
            raise WarehouseError(f"DuckDB says: {_first_line(error)}") from None

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

    def _near(self, relation_sql: str) -> str:
        wanted = relation_sql.replace('"', "").casefold()
        known = {name.casefold(): name for name in self.relations()}
        near = [known[name] for name in difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)]
        if near:
            return " Nearest: " + ", ".join(near) + "."
        return " There are: " + ", ".join(sorted(known.values())[:10]) + "." if known else ""


def _create_view(connection: duckdb.DuckDBPyConnection, name: str, path: str) -> None:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    reader = _READERS.get(suffixes[-1]) if suffixes else None
    if reader is None:
        allowed = ", ".join(_READERS)
        raise ConfigurationError(f"data {name}: {path!r} must end in one of {allowed}.")
    quoted = '"' + name.replace('"', '""') + '"'
    literal = "'" + path.replace("'", "''") + "'"
    try:
        connection.execute(f"create view {quoted} as select * from {reader}({literal})")
    except duckdb.Error as error:
        raise WarehouseError(f"data {name}: cannot read {path!r}: {_first_line(error)}") from None


def _kind(type_name: str) -> str:
    if type_name.startswith("DECIMAL"):
        return "decimal"
    if type_name in _INTEGERS or type_name.removeprefix("U") in _INTEGERS:
        return "integer"
    if type_name in _KINDS:
        return _KINDS[type_name]
    return "timestamp" if type_name.startswith("TIMESTAMP") else "other"


def _first_line(error: duckdb.Error) -> str:
    return str(error).strip().splitlines()[0].rstrip(".") + "."


def _near_file(path: Path) -> str:
    if not path.parent.is_dir():
        return f" The folder {str(path.parent)!r} does not exist."
    names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    near = difflib.get_close_matches(path.name, names, n=1, cutoff=0.5)
    return f" Did you mean {str(path.with_name(near[0]))!r}?" if near else ""
