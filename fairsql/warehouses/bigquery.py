"""BigQuery through Google's own client: a URL, a dbt profile, or a caller's client."""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from google.api_core.client_info import ClientInfo
from google.api_core.exceptions import Forbidden, NotFound
from google.cloud import bigquery
from google.cloud.bigquery.retry import DEFAULT_JOB_RETRY

from fairsql.errors import (
    ConfigurationError,
    RelationNotFoundError,
    TooLateError,
    WarehouseError,
    did_you_mean,
)
from fairsql.version import __version__
from fairsql.warehouses import NO_LIMITS, Answer, Column, Label, Limits
from fairsql.warehouses.bigquery_credentials import credentials_of, default_for
from fairsql.warehouses.bigquery_errors import FAULTS, complaint, reason, said_of, sentence
from fairsql.warehouses.bigquery_labels import MOST, job_labels
from fairsql.warehouses.bigquery_loads import begin_load
from fairsql.warehouses.hints import nearest_relations
from fairsql.warehouses.numbers import number

if TYPE_CHECKING:
    from google.auth.credentials import Credentials

# The names of types that the API uses besides those of the SQL.
_TYPES = {"INTEGER": "INT64", "FLOAT": "FLOAT64", "BOOLEAN": "BOOL", "RECORD": "STRUCT"}
_KINDS = {
    "INT64": "integer",
    "FLOAT64": "float",
    "NUMERIC": "decimal",
    "BIGNUMERIC": "decimal",
    "BOOL": "boolean",
    "STRING": "text",
    "DATE": "date",
    "DATETIME": "timestamp",
    "TIMESTAMP": "timestamptz",
}
_PARAMETERS = (
    "location",
    "credentials_path",
    "credentials",
    "api_endpoint",
    "maximum_bytes_billed",
)

# What is retried is Google's own choice of transient errors, of requests and of whole jobs, and
# nothing else; only its patience of ten and forty minutes is ours, as a test waits for it.
_RETRY = bigquery.DEFAULT_RETRY.with_timeout(10)
_JOB_RETRY = DEFAULT_JOB_RETRY.with_timeout(30)
_SECONDS_FOR_A_REQUEST = 120
_SECONDS_TO_CANCEL = 5

_MAX_DATASETS = 50
_UNREADABLE = ("notFound", "accessDenied")
_TABLE = re.compile(r"[Tt]able:? ?([\w.:-]+?)[:.](\w+)\.([^\s:.]+)")
_DATASET = re.compile(r"[Dd]ataset:? ?([\w.:-]+)[:.](\w+)")


class BigQueryWarehouse:
    """A client of BigQuery; see :func:`fairsql.connect`. Every statement is a job with labels."""

    dialect = "bigquery"
    looks_first = False  # the bytes of a column are billed whole, whatever a LIMIT says
    keeps_tables = True

    def __init__(
        self,
        connection: bigquery.Client,
        *,
        owned: bool,
        limits: Limits = NO_LIMITS,
        restarts: bool = True,
    ) -> None:
        self._client = connection
        self._owned = owned
        self._limits = limits
        self._restarts = restarts
        defaults = connection.default_query_job_config
        self._dataset = defaults.default_dataset if defaults else None
        self._labels: Mapping[str, str] = defaults.labels if defaults else {}
        place = self._dataset
        self.name = f"{place.project}.{place.dataset_id}" if place else str(connection.project)

    @classmethod
    def from_url(cls, url: str, limits: Limits = NO_LIMITS) -> Self:
        """Connect to ``bigquery://project/dataset?location=EU&credentials_path=key.json``.

        Without credentials they are the environment's (application default credentials), and none
        at all for a server on this machine. ``api_endpoint``, ``credentials=anonymous`` and
        ``maximum_bytes_billed`` may be given as well.
        """
        parts = urlsplit(url)
        dataset = unquote(parts.path.strip("/"))
        if "@" in parts.netloc or "/" in dataset or parts.fragment:
            raise ConfigurationError(
                "connection: must be bigquery://project/dataset, with parameters after a ?; there"
                " is no password in it, a key is named by credentials_path=/key.json."
            )
        given = dict(parse_qsl(parts.query, keep_blank_values=True))
        for name in given:
            if name not in _PARAMETERS:
                raise ConfigurationError(
                    f"connection: bigquery:// takes {', '.join(_PARAMETERS)}, but not"
                    f" {name!r}.{did_you_mean(name, _PARAMETERS)}"
                )
        most = _bytes(given.get("maximum_bytes_billed"))
        return cls.open(
            unquote(parts.netloc) or None,
            dataset or None,
            credentials=credentials_of(given),
            location=given.get("location"),
            api_endpoint=given.get("api_endpoint"),
            limits=replace(limits, bytes_billed=limits.bytes_billed or most),
        )

    @classmethod
    def open(
        cls,
        project: str | None = None,
        dataset: str | None = None,
        *,
        dataset_project: str | None = None,
        credentials: Credentials | None = None,
        location: str | None = None,
        api_endpoint: str | None = None,
        quota_project: str | None = None,
        job: Mapping[str, Any] | None = None,
        restarts: bool = True,
        limits: Limits = NO_LIMITS,
    ) -> Self:
        """Connect, and try it by a statement that is not run.

        Parameters
        ----------
        project
            The project that jobs run in and are billed to; else that of the environment.
        dataset, dataset_project
            Where tables without a dataset are; it is in ``project`` unless said otherwise.
        credentials
            Google's; else those of the environment, and none for a server on this machine.
        location, api_endpoint, quota_project
            As in Google's client.
        job
            Properties of every job, such as ``{"priority": "BATCH"}``.
        restarts
            Whether a job that failed for no fault of its own is started again.

        Raises
        ------
        WarehouseError
            When there is no connection, or no right to run jobs; the message holds no secret.
        """
        try:
            client = bigquery.Client(
                project,
                credentials or default_for(api_endpoint),
                location=location,
                client_info=ClientInfo(user_agent=f"fairsql/{__version__}"),
                client_options={"api_endpoint": api_endpoint, "quota_project_id": quota_project},
            )
        except FAULTS as error:
            raise WarehouseError(f"cannot connect to BigQuery: {sentence(error)}") from None
        config = bigquery.QueryJobConfig(**(job or {}))
        if dataset:
            config.default_dataset = f"{dataset_project or client.project}.{dataset}"
        client.default_query_job_config = config
        warehouse = cls(client, owned=True, limits=limits, restarts=restarts)
        if api_endpoint:
            warehouse.name += f" at {urlsplit(api_endpoint).netloc.rpartition('@')[2]}"
        try:
            warehouse._dry_run("select 1")
        except FAULTS as error:
            client.close()
            raise WarehouseError(f"cannot connect to BigQuery: {sentence(error)}") from None
        return warehouse

    def fold(self, name: str) -> str:
        """Return the name in lower case: columns are compared so."""
        return name.lower()

    def describe(self, relation_sql: str, where: str | None = None, /) -> tuple[Column, ...]:
        """Return the relation's columns: those of a table from its metadata, others by a dry run.

        The dry run holds ``where``, without which some tables may not be read.
        """
        try:
            schema = self._schema(relation_sql, where)
        except FAULTS as error:
            said = f"cannot read {relation_sql}: {said_of(error, f'{relation_sql} {where}')}"
            if reason(error) in _UNREADABLE:
                raise RelationNotFoundError(said + self._near(said)) from None
            raise WarehouseError(said) from None
        return tuple(map(_column, schema))

    def run(self, sql: str, label: Label | None = None, /) -> Answer:
        """Run one SELECT as a job of its own, whose id is the answer's."""
        seconds = self._limits.seconds
        job = None
        try:
            # Ctrl-C in the moment before the server has answered with the job's id lets it run.
            job = self._begin(sql, self._config(label))
            restarting = _JOB_RETRY if self._restarts else None
            found = job.result(retry=_RETRY, job_retry=restarting, timeout=seconds)
            rows = [dict(row.items()) for row in found]
        except KeyboardInterrupt:
            self._cancel(job)
            raise
        except TimeoutError:
            self._cancel(job)
            raise TooLateError("BigQuery", seconds) from None
        except FAULTS as error:
            said = complaint(error, sql)
            was_stopped = seconds is not None and "Job timed out" in said  # by the server itself
            if was_stopped:
                raise TooLateError("BigQuery", seconds) from None
            raise WarehouseError(said) from None
        return Answer(
            [{name: number(value) for name, value in row.items()} for row in rows],
            str(job.job_id),
        )

    def append(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], /
    ) -> None:
        """Append rows to a table by one load job, which makes the table if it is not there.

        Raises
        ------
        WarehouseError
            When BigQuery says no, and nothing has been appended; or not in time.
        """
        place = self._table(f"`{table.replace('.', '`.`')}`")
        if place is None:
            raise WarehouseError(f"cannot write to {table}: it needs a dataset, as dataset.table.")
        seconds = self._limits.seconds
        job = None
        try:
            labels = self._job_labels(None)
            job = begin_load(self._client, place, columns, rows, labels, _RETRY)
            job.result(retry=_RETRY, timeout=seconds)
        except KeyboardInterrupt:
            self._cancel(job)
            raise
        except TimeoutError:
            self._cancel(job)
            raise TooLateError("BigQuery", seconds) from None
        except FAULTS as error:
            raise WarehouseError(f"cannot write to {table}: {said_of(error, table)}") from None

    def bytes_read(self, sql: str, /) -> int | None:
        """Return the bytes that a dry run says would be read; at most, of a clustered table."""
        try:
            found = self._dry_run(sql).total_bytes_processed
        except FAULTS as error:
            raise WarehouseError(complaint(error, sql)) from None
        return None if found is None else int(found)

    def relations(self) -> list[str]:
        """Return tables and views: the default dataset's, else those of the project's datasets."""
        try:
            datasets = [self._dataset] if self._dataset else self._datasets(None)
            return sorted(name for dataset in datasets for name in self._tables(dataset))
        except FAULTS as error:
            raise WarehouseError(f"cannot list the tables: {sentence(error)}") from None

    def version(self) -> str:
        """Return the engine's name, and the client's version: BigQuery itself has none."""
        return f"BigQuery by google-cloud-bigquery {bigquery.__version__}"

    def close(self) -> None:
        """Close a client of our own."""
        if self._owned:
            self._client.close()

    def _schema(self, relation_sql: str, where: str | None) -> Sequence[bigquery.SchemaField]:
        table = self._table(relation_sql)
        if table is not None:
            # What is read like a table and is none, such as events_*, is left to the dry run, and
            # so is one that may be read, but not asked for its metadata.
            with contextlib.suppress(NotFound, Forbidden):
                found = self._client.get_table(table, _RETRY, _SECONDS_FOR_A_REQUEST)
                return list(found.schema)
        condition = f"\nwhere (\n{where}\n)" if where else ""
        return self._dry_run(f"select * from {relation_sql}{condition}").schema or ()

    def _table(self, relation_sql: str) -> bigquery.TableReference | None:
        """Return the table of a quoted name; ``None`` for a select, and a name in no dataset."""
        if not re.fullmatch(r"`[^`]+`(\.`[^`]+`){0,2}", relation_sql):
            return None
        names = relation_sql.replace("`", "").split(".")
        if len(names) == 1 and self._dataset:
            names = [self._dataset.project, self._dataset.dataset_id, *names]
        if len(names) == 2:
            names.insert(0, (self._dataset or self._client).project)
        if len(names) < 3:
            return None
        *project, dataset, table = names
        return bigquery.DatasetReference(".".join(project), dataset).table(table)

    def _dry_run(self, sql: str) -> bigquery.QueryJob:
        # A statement whose result is cached would read nothing.
        return self._begin(sql, bigquery.QueryJobConfig(dry_run=True, use_query_cache=False))

    def _begin(self, sql: str, config: bigquery.QueryJobConfig) -> bigquery.QueryJob:
        """Start a job. Here only the request is retried; the job is where one waits for it."""
        return self._client.query(
            sql,
            job_config=config,
            retry=_RETRY,
            timeout=_SECONDS_FOR_A_REQUEST,
            job_retry=None,
        )

    def _config(self, label: Label | None) -> bigquery.QueryJobConfig:
        """Return what is said of a job; the rest is the client's own defaults."""
        config = bigquery.QueryJobConfig()
        config.labels = self._job_labels(label)
        if self._limits.seconds is not None:
            config.job_timeout_ms = math.ceil(1000 * self._limits.seconds)
        if self._limits.bytes_billed is not None:
            config.maximum_bytes_billed = self._limits.bytes_billed
        return config

    def _job_labels(self, label: Label | None) -> dict[str, str]:
        labels = {**self._labels, **job_labels(label or Label())}
        return dict(itertools.islice(labels.items(), MOST))

    def _cancel(self, job: bigquery.QueryJob | bigquery.LoadJob | None) -> None:
        if job is None:
            return
        with contextlib.suppress(*FAULTS):
            self._client.cancel_job(
                job.job_id,
                project=job.project,
                location=job.location,
                retry=_RETRY.with_timeout(_SECONDS_TO_CANCEL),
                timeout=_SECONDS_TO_CANCEL,
            )

    def _datasets(self, project: str | None) -> list[bigquery.DatasetReference]:
        listed = self._client.list_datasets(
            project, max_results=_MAX_DATASETS, retry=_RETRY, timeout=_SECONDS_FOR_A_REQUEST
        )
        return [dataset.reference for dataset in listed]

    def _tables(self, dataset: bigquery.DatasetReference) -> list[str]:
        """Return a dataset's tables as one would write them."""
        listed = self._client.list_tables(dataset, retry=_RETRY, timeout=_SECONDS_FOR_A_REQUEST)
        return [self._shown(dataset, table.table_id) for table in listed]

    def _shown(self, dataset: bigquery.DatasetReference, table: str) -> str:
        if dataset == self._dataset:
            return table
        own = (self._dataset or self._client).project
        shown = f"{dataset.dataset_id}.{table}"
        return shown if dataset.project == own else f"{dataset.project}.{shown}"

    def _near(self, said: str) -> str:
        """Return a hint at the table, or the dataset, that a message says is not there."""
        try:
            if table := _TABLE.search(said):
                dataset = bigquery.DatasetReference(table[1], table[2])
                return nearest_relations(self._shown(dataset, table[3]), self._tables(dataset))
            if missing := _DATASET.search(said):
                there = [dataset.dataset_id for dataset in self._datasets(missing[1])]
                if missing[2] in there:
                    return " There is one in another location, which the connection may name."
                return did_you_mean(missing[2], there)
        except FAULTS:
            pass
        return ""


def _bytes(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch("[0-9]+", text) or not int(text):
        raise ConfigurationError(
            f"connection: maximum_bytes_billed must be a whole number above 0, but is {text!r}."
        )
    return int(text)


def _column(field: bigquery.SchemaField) -> Column:
    type_name = _TYPES.get(field.field_type, field.field_type)
    if field.mode == "REPEATED":
        return Column(field.name, f"ARRAY<{type_name}>", "other")
    return Column(field.name, type_name, _KINDS.get(type_name, "other"))
