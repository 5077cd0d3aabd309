"""Rows into a table of BigQuery: one load job, whose rows appear all at once or never.

https://cloud.google.com/bigquery/docs/reference/rest/v2/Job#JobConfigurationLoad
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from google.api_core.exceptions import Conflict
from google.cloud import bigquery

if TYPE_CHECKING:
    from google.api_core.retry import Retry

_TYPES = {"text": "STRING", "integer": "INT64", "number": "FLOAT64", "boolean": "BOOL"}
_MORE_TRIES = 3  # within some ten seconds
_SECONDS_FOR_A_REQUEST = 120


def begin_load(
    client: bigquery.Client,
    table: bigquery.TableReference,
    columns: Mapping[str, str],
    rows: Sequence[Mapping[str, Any]],
    labels: Mapping[str, str],
    retry: Retry,
) -> bigquery.LoadJob:
    """Start a job that appends rows to a table, which the job makes if it is not there.

    An upload is tried again under one id of the job, so that no two append the same rows. The job
    itself is not: where its outcome is not known, it may have appended them.
    """
    config = bigquery.LoadJobConfig(
        schema=[bigquery.SchemaField(name, _TYPES[kind]) for name, kind in columns.items()],
        create_disposition=bigquery.CreateDisposition.CREATE_IF_NEEDED,
        write_disposition=bigquery.WriteDisposition.WRITE_APPEND,
    )
    config.labels = dict(labels)
    job_id = str(uuid.uuid4())
    try:
        return client.load_table_from_json(
            map(dict, rows),
            table,
            num_retries=_MORE_TRIES,
            job_id=job_id,
            job_config=config,
            timeout=_SECONDS_FOR_A_REQUEST,
        )
    except Conflict:  # a try whose answer was lost had begun it
        job = client.get_job(
            job_id, location=client.location, retry=retry, timeout=_SECONDS_FOR_A_REQUEST
        )
        return cast("bigquery.LoadJob", job)
