"""The engines that the cases run on, each with tables to fill and a warehouse to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb
import psycopg
from pyspark.sql import types as spark_types

import fairsql
from tests.dbt.warehouses import postgres
from tests.engines.googlesql import GoogleSQL
from tests.generator import load as load_in_duckdb
from tests.warehouses.spark_session import spark_session

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse
    from tests.generator import Case

SPARK_TYPES = {
    "integer": spark_types.LongType(),
    "float": spark_types.DoubleType(),
    "decimal": spark_types.DecimalType(12, 3),
    "boolean": spark_types.BooleanType(),
    "text": spark_types.StringType(),
    "date": spark_types.DateType(),
    "timestamp": spark_types.TimestampNTZType(),
    "timestamptz": spark_types.TimestampType(),
}


@dataclass(frozen=True)
class Engine:
    """An engine that runs: ``load`` creates a table of a case, ``drop`` removes it."""

    warehouse: Warehouse
    load: Callable[[str, Case], None]
    drop: Callable[[str], object]


@contextmanager
def duckdb_engine() -> Iterator[Engine]:
    with duckdb.connect() as connection:
        yield Engine(
            fairsql.connect(connection),
            lambda name, case: load_in_duckdb(connection, case, name),
            lambda name: connection.execute(f"drop table {name}"),
        )


@contextmanager
def postgres_engine() -> Iterator[Engine]:
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            yield Engine(
                fairsql.connect(connection),
                lambda name, case: server.load([(name, case)]),
                lambda name: connection.execute(f"drop table {name}") and None,
            )


@contextmanager
def googlesql_engine() -> Iterator[Engine]:
    tables = GoogleSQL()
    yield Engine(tables, tables.load, tables.drop)


@contextmanager
def spark_engine() -> Iterator[Engine]:
    session = spark_session()

    def load(name: str, case: Case) -> None:
        fields = [
            spark_types.StructField(column, SPARK_TYPES[kind])
            for column, kind in case.columns.items()
        ]
        kinds = case.columns.values()
        rows = [
            tuple(
                float(value) if kind == "float" and value is not None else value
                for value, kind in zip(row, kinds, strict=True)
            )
            for row in case.rows
        ]
        frame = session.createDataFrame(rows, spark_types.StructType(fields))
        frame.coalesce(1).createOrReplaceTempView(name)

    yield Engine(fairsql.connect(session), load, session.catalog.dropTempView)


ENGINES: dict[str, Callable[[], AbstractContextManager[Engine]]] = {
    "duckdb": duckdb_engine,
    "postgres": postgres_engine,
    "googlesql": googlesql_engine,
    "spark": spark_engine,
}
