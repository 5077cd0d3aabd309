"""What a benchmark is told: how much to measure, and where its files are."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks import data

SUITES = Path(__file__).with_name("suites")
AEQUITAS = Path(sys.prefix) / "aequitas" / "bin" / "python"
QUICK_ROWS = 40_000


@dataclass(frozen=True)
class Setting:
    """How much is measured, and where.

    Attributes
    ----------
    folder
        Where tables and results are kept.
    rows
        Rows of the table, in place of each benchmark's own number.
    quick
        A tiny table and one run of each, which shows that everything runs and nothing of speed.
    everything
        What takes minutes besides: peers on large tables.
    aequitas
        The Python of an environment that has Aequitas, which does not go with others' versions.
    """

    folder: Path
    rows: int | None = None
    quick: bool = False
    everything: bool = False
    aequitas: Path = AEQUITAS

    def size(self, rows: int) -> int:
        """Return how many rows to take, where a benchmark would by itself take ``rows``."""
        return self.rows or (QUICK_ROWS if self.quick else rows)

    def repeats(self, number: int) -> int:
        """Return how often to run, where a benchmark would by itself run so often."""
        return 1 if self.quick else number

    def table(self, name: str, rows: int, select: str) -> Path:
        """Return the Parquet file of a SELECT."""
        return data.written(self.folder, f"{name}_{rows}", select)

    def people(self, rows: int) -> Path:
        """Return the table of people that most benchmarks read."""
        return self.table("people", rows, data.people(rows))

    def results(self, name: str) -> Path:
        """Return where a measured run leaves its results; none of an earlier run is there."""
        path = self.folder / f"{name}.json"
        path.unlink(missing_ok=True)
        return path


def suite(name: str) -> Path:
    """Return a suite of ``benchmarks/suites``."""
    return SUITES / f"{name}.yml"


def over(path: Path, **settings: str) -> duckdb.DuckDBPyConnection:
    """Return a connection in which the file is the view ``sample``."""
    connection = duckdb.connect(config=dict(settings))
    connection.execute("set enable_progress_bar = false")
    connection.execute(f"create view sample as select * from '{path}'")
    return connection
