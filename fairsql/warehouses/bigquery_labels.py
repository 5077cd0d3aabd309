"""What a job of BigQuery says of itself: fairsql's version, the suite's file, the tests' names.

https://cloud.google.com/bigquery/docs/labels-intro#requirements
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import TYPE_CHECKING

from fairsql.version import __version__

if TYPE_CHECKING:
    from fairsql.warehouses import Label

MOST = 64
"""Labels that a job may have."""

_LETTERS = 63
_BYTES = 128
_TESTS = 20


def job_labels(label: Label) -> dict[str, str]:
    """Return a job's labels: fairsql's version, the suite's file and up to twenty tests.

    Letters in lower case, digits, ``_`` and ``-`` are allowed, 63 of them and 128 bytes; whatever
    else stands in a name becomes a ``-``.

    >>> from fairsql.warehouses import Label
    >>> job_labels(Label("audits/Loans 2024.yml", ("AUC parity, by gender", "50 %")))["suite"]
    'loans-2024-yml'
    >>> job_labels(Label(None, ("AUC parity, by gender", "50 %")))["test_1"]
    'auc-parity-by-gender'
    """
    labels = {"fairsql_version": _label(__version__)}
    if label.suite:
        labels["suite"] = _label(PurePath(label.suite).name)
    for place, test in enumerate(label.tests[:_TESTS], 1):
        labels[f"test_{place}"] = _label(test)
    if len(label.tests) > _TESTS:
        labels["tests"] = str(len(label.tests))
    return labels


def _label(text: str) -> str:
    lowered = unicodedata.normalize("NFC", text).lower()
    kept = "".join(
        letter if letter in "_-" or unicodedata.category(letter) in ("Ll", "Lo", "Nd") else "-"
        for letter in lowered
    )
    short = re.sub("-+", "-", kept).strip("-")[:_LETTERS]
    return short.encode()[:_BYTES].decode(errors="ignore")
