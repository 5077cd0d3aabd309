"""Spark through PySpark: a local session, a master's address, or a caller's live session.

Spark repeats tasks that fail, and PySpark calls no error transient, so nothing is tried again here.
"""

from __future__ import annotations

import functools
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import get_ident
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark import InheritableThread, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

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

if TYPE_CHECKING:
    import logging

_URL = "spark://"
_SETTINGS = {
    "spark.app.name": "fairsql",
    # A verdict in SQL has forty parts, for which Spark's own limit of 100 passes is too low.
    "spark.sql.analyzer.maxIterations": "1000",
    # What runs the statements logs the values of rows that they fail on, as errors.
    "spark.log.level": "FATAL",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_LOCAL_SETTINGS = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
_DESCRIPTION_LENGTH = 200
_GONE = (Py4JNetworkError, OSError)
_ERRORS = (PySparkException, Py4JError, *_GONE)


class SparkWarehouse:
    """A Spark session; see :func:`fairsql.connect`."""

    dialect = "spark"

    def __init__(self, session: SparkSession, *, owned: bool, limits: Limits = NO_LIMITS) -> None:
        self._session = session
        self._owned = owned
        self._limits = limits
        self.looks_first = limits.look_first
        # Spark Connect's sessions are of a class of their own.
        self._is_remote = not isinstance(session, SparkSession)
        self._format = session.conf.get("spark.sql.sources.default", "parquet")
        self._is_case_sensitive = session.conf.get("spark.sql.caseSensitive", "false") == "true"
        self.name = "Spark Connect" if self._is_remote else session.sparkContext.master

    @classmethod
    def from_url(cls, url: str, limits: Limits = NO_LIMITS) -> Self:
        """Start a session on ``spark://local[*]``, or on the master ``spark://host:port``.

        Settings may follow, as in ``spark://local[*]?spark.driver.memory=4g``.
        """
        place, _, more = url.removeprefix(_URL).partition("?")
        if not place:
            raise ConfigurationError("connection: must be spark://local[*] or spark://host:port.")
        settings = dict(parse_qsl(more, keep_blank_values=True))
        for name in settings:
            if not name.startswith("spark."):
                raise ConfigurationError(
                    f"connection: settings of Spark begin with spark., but one is {name!r}."
                )
        master = place if place.startswith("local") else f"{_URL}{place}"
        return cls.open(master, settings, limits=limits)

    @classmethod
    def open(
        cls,
        master: str,
        settings: Mapping[str, str],
        *,
        hive: bool = False,
        database: str | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Self:
        """Start a session.

        Parameters
        ----------
        master
            Where it runs, such as ``local[*]``.
        settings
            Spark's own, which go before fairsql's.
        hive
            Whether the tables are those of a Hive metastore.
        database
            Where names without one are looked for; the default is Spark's.
        limits
            What a statement may cost.

        Raises
        ------
        ConfigurationError
            When a session is running in this process, which a second would change.
        WarehouseError
            When Spark does not start.
        """
        if SparkContext._active_spark_context is not None:
            raise ConfigurationError(
                "connection: a Spark session is running in this process; connect to the session"
                " itself, fairsql.connect(spark), or stop it before."
            )
        local = _LOCAL_SETTINGS if master.startswith("local") else {}
        builder = SparkSession.builder.master(master)
        for name, value in {**_SETTINGS, **local, **settings}.items():
            builder = builder.config(name, value)
        if hive:
            builder = builder.enableHiveSupport()
        try:
            session = builder.getOrCreate()
            if database:
                _enter(database, session)
        except _ERRORS as error:
            raise WarehouseError(f"cannot connect to Spark at {master}: {said(error)}") from None
        return cls(session, owned=True, limits=limits)

    @property
    def keeps_tables(self) -> bool:
        """False for a session of our own whose catalogue is its memory alone."""
        if not self._owned:
            return True
        settings = self._session.sparkContext.getConf().getAll()
        return any(
            name.startswith("spark.sql.catalog.")
            or (name, value) == ("spark.sql.catalogImplementation", "hive")
            for name, value in settings
        )

    def fold(self, name: str) -> str:
        """Return the name in lower case, unless ``spark.sql.caseSensitive`` tells cases apart."""
        return name if self._is_case_sensitive else name.lower()

    def describe(self, relation_sql: str, _where: str | None = None, /) -> tuple[Column, ...]:
        """Return the relation's columns; Spark analyses the statement and runs nothing."""
        try:
            with _unlogged():
                schema = self._session.sql(f"select * from {relation_sql} limit 0").schema
        except _ERRORS as error:
            raise unreadable(relation_sql, error, _state(error), self.relations) from None
        types = [(field.name, field.dataType.simpleString()) for field in schema.fields]
        return tuple(Column(name, type_name, kind_of(type_name)) for name, type_name in types)

    def run(self, sql: str, label: Label | None = None, /) -> Answer:
        """Run one SELECT as a job group, named by the query's id and described by the label.

        It runs in a thread of its own, so that the job group of a caller's is left alone.
        """
        return self._answer(sql, label)

    def append(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], /
    ) -> None:
        """Append rows to a table in one job; make the table if it is not there.

        A new table is of the format that ``spark.sql.sources.default`` names. The rows' value of
        the first column must be their own: by it they are counted afterwards, since Spark calls
        a job done whose files another one, that wrote to the same plain files, has deleted.

        Raises
        ------
        WarehouseError
            When Spark says no, or not in time, or when the rows are not there.
        """
        what = f"cannot write to {table}"
        self._answer(f"{creating(table, columns)} using {self._format}", what=what)
        self._answer(appending(table, columns), what=what, rows=json.dumps(rows))
        if not rows:
            return
        first = next(iter(columns))
        count = f"select count(*) as n from {table} where `{first}` = :own"
        [found] = self._answer(count, what=what, own=rows[0][first]).rows
        if found["n"] < len(rows):
            raise WarehouseError(
                f"{what}: {found['n']} of {len(rows)} rows are there. Another job wrote to the"
                " table at the same time; one of Delta or Iceberg would hold both."
            )

    def bytes_read(self, _sql: str, /) -> int | None:
        """Return nothing: Spark does not tell."""

    def relations(self) -> list[str]:
        """Return tables and views of the current database, and temporary views."""
        try:
            return sorted(row["tableName"] for row in self._session.sql("show tables").collect())
        except _ERRORS as error:
            raise WarehouseError(f"cannot list the tables: {said(error)}") from None

    def version(self) -> str:
        """Return the engine's name and version."""
        try:
            return f"Spark {self._session.version}"
        except _ERRORS as error:
            raise WarehouseError(f"Spark does not answer: {said(error)}") from None

    def lacks(self, quantity: str, /) -> str | None:
        """Return why this session cannot compute a quantity of texts, or nothing where it can."""
        if quantity != "json_score" or self._session.catalog.functionExists("try_parse_json"):
            return None
        return f"try_parse_json() came with Spark 4, and this is {self.version()}"

    def close(self) -> None:
        """Stop a session of our own."""
        if self._owned:
            with suppress(*_GONE):
                self._session.stop()

    def _answer(
        self, sql: str, label: Label | None = None, what: str = "Spark says", **parameters: Any
    ) -> Answer:
        """Run a statement; an error says what failed."""
        query_id = f"fairsql-{uuid.uuid4()}"
        try:
            rows = interruptible(
                lambda: self._rows(sql, query_id, label, parameters),
                lambda: self._cancel(query_id),
                self._limits.seconds,
                functools.partial(InheritableThread, session=self._session),
            )
        except TimeoutError:
            raise TooLateError("Spark", self._limits.seconds) from None
        except _ERRORS as error:
            if isinstance(error, _GONE):
                raise WarehouseError(f"Spark does not answer: {said(error)}") from None
            told = without_data(str(error), _state(error), sql)
            raise WarehouseError(f"{what}: {told}") from None
        return Answer(rows, query_id)

    def _rows(
        self, sql: str, query_id: str, label: Label | None, parameters: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        if self._is_remote:
            self._session.addTag(query_id)
        else:
            context = self._session.sparkContext
            context.setJobGroup(query_id, _description(label), interruptOnCancel=True)
        with _unlogged():
            found = self._session.sql(sql, dict(parameters) or None)
            names = found.columns
            return [dict(zip(names, map(number, row), strict=True)) for row in found.collect()]

    def _cancel(self, query_id: str) -> None:
        if self._is_remote:
            self._session.interruptTag(query_id)
        else:
            self._session.sparkContext.cancelJobGroup(query_id)


def _enter(database: str, session: SparkSession) -> None:
    try:
        session.catalog.setCurrentDatabase(database)
    except PySparkException:
        session.stop()
        raise


def _description(label: Label | None) -> str:
    """Return what Spark's pages show of a statement.

    >>> _description(Label("loans.yml", ("a", "b")))[-16:]
    ' loans.yml: a; b'
    """
    suite = f" {label.suite}" if label and label.suite else ""
    tests = f": {'; '.join(label.tests)}" if label and label.tests else ""
    return f"fairsql {__version__}{suite}{tests}"[:_DESCRIPTION_LENGTH]


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep PySpark 4 from logging this thread's errors, with stacks and values, to stderr."""
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        yield
        return
    here = get_ident()

    def is_of_others(record: logging.LogRecord) -> bool:
        return record.thread != here

    logger = PySparkLogger.getLogger("SQLQueryContextLogger")
    logger.addFilter(is_of_others)
    try:
        yield
    finally:
        logger.removeFilter(is_of_others)


def _state(error: BaseException) -> str:
    told = error.getSqlState() if isinstance(error, PySparkException) else None
    return told or state_of(str(error))
