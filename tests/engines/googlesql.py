"""Google's own analyzer and reference executor of GoogleSQL, in this process, as a warehouse.

It is the language that BigQuery runs, in BigQuery's mode; not BigQuery's engine. It accepts more
than BigQuery does: APPROX_* and HLL_* are missing, and PERCENTILE_CONT passes without OVER.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsql.errors import RelationNotFoundError, WarehouseError
from fairsql.warehouses import Answer, Column, Label

if TYPE_CHECKING:
    from tests.generator import Case

TYPES = {
    "integer": "INT64",
    "float": "FLOAT64",
    "decimal": "NUMERIC",
    "boolean": "BOOL",
    "text": "STRING",
    "date": "DATE",
    "timestamp": "DATETIME",
    "timestamptz": "TIMESTAMP",
}
Table = tuple[Mapping[str, str], Sequence[Sequence[Any]]]


@cache
def _library() -> Any:
    """Load the library; its code is compiled once and kept, which saves a minute each time."""
    import wasmtime
    import zetasql.core.wasm_client as client

    class KeptModule(wasmtime.Module):
        @classmethod
        def from_file(cls, engine: Any, path: Any) -> Any:
            home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
            home = home / "fairsql-tests"
            home.mkdir(parents=True, exist_ok=True)
            kept = home / f"googlesql-{version('zetasql')}-{version('wasmtime')}"
            if kept.exists():
                return wasmtime.Module.deserialize_file(engine, str(kept))
            module = wasmtime.Module.from_file(engine, path)
            partial = kept.with_suffix(f".{uuid.uuid4().hex}")
            partial.write_bytes(module.serialize())
            partial.replace(kept)
            return module

    client._Module = client.Module = KeptModule

    import zetasql.api as api
    import zetasql.types as types
    from zetasql.api.type_factory import TypeFactory
    from zetasql.core.exceptions import ServerError
    from zetasql.core.local_service import ZetaSqlLocalService
    from zetasql.types.proto_model.generated import LanguageFeature, ProductMode
    from zetasql.wasi._pb2.zetasql.local_service import local_service_pb2

    class Library:
        pass

    found = Library()
    found.__dict__.update(
        api=api,
        types=types,
        factory=TypeFactory,
        error=ServerError,
        service=ZetaSqlLocalService,
        external=ProductMode.PRODUCT_EXTERNAL,
        collation=LanguageFeature.FEATURE_COLLATION_SUPPORT,
        messages=local_service_pb2,
    )
    return found


class GoogleSQL:
    """Tables in memory, by name; a :class:`fairsql.warehouses.Warehouse`."""

    dialect = "bigquery"
    name = "GoogleSQL reference implementation"
    looks_first = False

    def __init__(self) -> None:
        library = _library()
        self._language = library.types.LanguageOptions.maximum_features()
        self._language.product_mode = library.external
        # Which BigQuery has, though the library counts it among what is in development.
        self._language.enabled_language_features.append(library.collation)
        self._functions = library.types.ZetaSQLBuiltinFunctionOptions(
            language_options=self._language
        )
        self._tables: dict[str, Table] = {}

    def create(self, name: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        """Create a table from column -> GoogleSQL type, and its rows."""
        self._tables[name] = (columns, rows)

    def load(self, name: str, case: Case) -> None:
        """Create a table from a generated case."""
        columns = {column: TYPES[kind] for column, kind in case.columns.items()}
        self.create(name, columns, case.rows)

    def drop(self, name: str) -> None:
        del self._tables[name]

    def fold(self, name: str) -> str:
        return name.lower()

    def describe(self, relation_sql: str, where: str | None = None, /) -> tuple[Column, ...]:
        kinds = {type_name: kind for kind, type_name in TYPES.items()}
        condition = f" where {where}" if where else ""
        try:
            found = self.analyze(f"select * from {relation_sql}{condition}")
        except WarehouseError as error:
            raise RelationNotFoundError(str(error)) from None
        return tuple(Column(name, kind, kinds.get(kind, "other")) for name, kind in found)

    def run(self, sql: str, _label: Label | None = None, /) -> Answer:
        with self._prepared(sql) as query:
            names = [column.name for column in query.columns]
            library = _library()
            try:
                answer = library.service.get_instance().wasm_client.call_grpc_func(
                    "ZetaSqlLocalService_EvaluateQuery",
                    library.messages.EvaluateQueryRequest(
                        prepared_query_id=query.prepared_query_id
                    ),
                    library.messages.EvaluateQueryResponse,
                )
            except library.error as error:
                raise WarehouseError(str(error)) from None
            rows = [map(_received, row.cell) for row in answer.content.table_data.row]
            return Answer([dict(zip(names, row, strict=True)) for row in rows])

    def bytes_read(self, _sql: str, /) -> int | None:
        return None

    def relations(self) -> list[str]:
        return list(self._tables)

    def version(self) -> str:
        return f"GoogleSQL {version('zetasql')}"

    def close(self) -> None:
        self._tables.clear()

    def analyze(self, sql: str) -> list[tuple[str, str]]:
        """Return the names and types of a SELECT's columns, as Google's analyzer finds them."""
        with self._prepared(sql) as query:
            return [(column.name, _type_name(column.type)) for column in query.columns]

    @contextmanager
    def _prepared(self, sql: str) -> Iterator[Any]:
        library = _library()
        builder = library.api.PreparedQuery.builder().set_sql(sql)
        builder = builder.set_analyzer_options(self._options()).set_catalog(self._catalog())
        content = {
            name: _content(columns, rows) for name, (columns, rows) in self._tables.items() if rows
        }
        try:
            prepared = (builder.set_table_content(content) if content else builder).prepare()
        except library.error as error:
            raise WarehouseError(str(error)) from None
        with prepared as query:
            yield query

    def _options(self) -> Any:
        return _library().types.AnalyzerOptions(language_options=self._language)

    def _catalog(self) -> Any:
        library = _library()
        catalog = library.api.CatalogBuilder("bigquery").with_builtin_functions(self._functions)
        for name, (columns, _) in self._tables.items():
            table = library.api.TableBuilder(name)
            for column, type_name in columns.items():
                table = table.add_column(column, _kind(type_name))
            catalog = catalog.add_table(table.build())
        return catalog.build()


def _kind(type_name: str) -> Any:
    kinds = _library().types.TypeKind
    return {
        "INT64": kinds.TYPE_INT64,
        "FLOAT64": kinds.TYPE_DOUBLE,
        "NUMERIC": kinds.TYPE_NUMERIC,
        "BOOL": kinds.TYPE_BOOL,
        "STRING": kinds.TYPE_STRING,
        "DATE": kinds.TYPE_DATE,
        "DATETIME": kinds.TYPE_DATETIME,
        "TIMESTAMP": kinds.TYPE_TIMESTAMP,
    }[type_name]


@cache
def _names() -> dict[Any, str]:
    return {_kind(name): name for name in TYPES.values()}


def _type_name(found: Any) -> str:
    return _names().get(found.type_kind, str(found.type_kind))


def _content(columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> Any:
    types = _library().types
    cells = [types.TableData.Row(cell=list(map(_sent, row, columns.values()))) for row in rows]
    return types.TableContent(table_data=types.TableData(row=cells))


def _sent(value: Any, type_name: str) -> Any:
    """Return a value in the library's own form (googlesql/public/value.proto)."""
    proto = _library().types.Value
    if value is None:
        return proto()
    match type_name:
        case "INT64":
            return proto(int64_value=value)
        case "FLOAT64":
            return proto(double_value=float(value))
        case "BOOL":
            return proto(bool_value=value)
        case "STRING":
            return proto(string_value=value)
        case "NUMERIC":
            scaled = int(Decimal(value) * 10**9)
            size = (scaled.bit_length() + 8) // 8
            return proto(numeric_value=scaled.to_bytes(size, "little", signed=True))
        case "DATE":
            return proto(date_value=(value - date(1970, 1, 1)).days)
        case "DATETIME":
            return proto(datetime_value=_packed(value))
    from google.protobuf.timestamp_pb2 import Timestamp  # type: ignore[import-untyped]

    instant = value.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    seconds = instant.days * 86_400 + instant.seconds
    sent = Timestamp(seconds=seconds, nanos=instant.microseconds * 1000)
    return proto(timestamp_value=sent)


def _packed(value: datetime) -> Any:
    bits = 0
    for part, width in (
        (value.year, 14),
        (value.month, 4),
        (value.day, 5),
        (value.hour, 5),
        (value.minute, 6),
        (value.second, 6),
    ):
        bits = bits << width | part
    packed = _library().types.Value.Datetime
    return packed(bit_field_datetime_seconds=bits, nanos=value.microsecond * 1000)


def _received(cell: Any) -> Any:
    which = cell.WhichOneof("value")
    return None if which is None else getattr(cell, which)
