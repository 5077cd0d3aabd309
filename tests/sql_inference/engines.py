"""Engines that run a chain of stages over rows given as numbers."""

from __future__ import annotations

import csv
import io
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fairsql.compile.loader import macros_for

if TYPE_CHECKING:
    import duckdb

# Text sorts as people do it, `a` before `B`, so that an order by bytes shows; PostgreSQL 15 has it.
ICU = ("--locale-provider=icu", "--icu-locale=en-US")

Number = int | float | None
Row = Sequence[Number]


class Engine(Protocol):
    """A database that can run one SELECT of numbers."""

    @property
    def dialect(self) -> str:
        """The dialect its macros are rendered in."""

    def select(self, sql: str) -> list[tuple[float | None, ...]]:
        """Return the rows of a SELECT."""


@dataclass(frozen=True)
class DuckDB:
    """An embedded database."""

    connection: duckdb.DuckDBPyConnection
    dialect: str = "duckdb"

    def select(self, sql: str) -> list[tuple[float | None, ...]]:
        return self.connection.execute(sql).fetchall()


@dataclass(frozen=True)
class PostgreSQL:
    """A server that listens on a socket in `directory`, asked through its own client."""

    programs: Path
    directory: Path
    dialect: str = "postgres"

    def select(self, sql: str) -> list[tuple[float | None, ...]]:
        command: list[str | Path] = [
            *(self.programs / "psql", "-h", self.directory, "-U", "postgres"),
            *("-X", "-q", "--csv", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"),
        ]
        asked = subprocess.run(command, input=sql, text=True, capture_output=True, check=False)
        assert asked.returncode == 0, asked.stderr
        return [
            tuple(float(cell) if cell else None for cell in row)
            for row in csv.reader(io.StringIO(asked.stdout))
        ]


def postgres_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, from PATH or where Debian has them."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max(
        (path.parent for path in versions), key=lambda path: int(path.parent.name), default=None
    )


@contextmanager
def postgres_server(programs: Path, *locale: str) -> Iterator[PostgreSQL]:
    """Start a server of one's own in a new folder, and remove both at the end.

    ``locale`` holds more options for ``initdb``, such as those of `ICU`; without any, text sorts by
    its bytes.
    """
    # The server refuses to run as root; Debian's package comes with a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    # Not pytest's folder: a socket's path must be short, and root's is closed to other users.
    directory = Path(tempfile.mkdtemp(prefix="fairsql-"))
    data = directory / "data"
    settings = f"-c listen_addresses='' -k {directory} -c fsync=off"

    def run(program: str, *arguments: str | Path) -> None:
        command = [programs / program, "-D", data, *arguments]
        done = subprocess.run(
            command, cwd=directory, user=user, text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr

    try:
        if user:
            shutil.chown(directory, user)
        options = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        run("initdb", *options, *locale)
        run("pg_ctl", "start", "-w", "-l", directory / "log", "-o", settings)
        try:
            yield PostgreSQL(programs, directory)
        finally:
            run("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(directory)


def p_values(
    engine: Engine,
    macro: str,
    columns: str,
    rows: Sequence[Row],
    *arguments: str,
    result: str = "p_value",
) -> list[float | None]:
    """Run a macro's stages over rows of one cut; what comes back is in the order of the rows.

    Parameters
    ----------
    engine : Engine
        Where to run them.
    macro : str
        A macro that takes a relation's name and returns stages of [name, body].
    columns : str
        The relation's columns after ``cut, group_number``, separated by blanks.
    rows : sequence of sequence of numbers
        The relation. A column is of whole numbers where all its values are.
    arguments
        What the macro takes besides.
    result
        The column of the last stage that is wanted.

    Returns
    -------
    list of float or None
        That column, a number for each row of the relation.
    """
    stages = macros_for(engine.dialect).call(macro, "given", *arguments)
    named = [f"{name} as (\n{body}\n)" for name, body in stages]
    text = ",\n".join([f"given as ({_values(columns.split(), rows)})", *named])
    found = engine.select(
        f"with {text}\nselect cut, group_number, {result} from {stages[-1][0]}"
        " order by group_number;"
    )
    assert [row[:2] for row in found] == [(1, number) for number in range(len(rows))]
    return [row[2] for row in found]


def evaluate(engine: Engine, macro: str, columns: str, rows: Sequence[Row]) -> list[float | None]:
    """Evaluate a macro that returns an expression of columns, for each row of their values."""
    names = columns.split()
    expression = macros_for(engine.dialect).call(macro, *names)
    given = _values(names, rows)
    found = engine.select(f"select {expression} from ({given}) as given order by group_number;")
    return [value for (value,) in found]


def _values(names: Sequence[str], rows: Sequence[Row]) -> str:
    """Return a SELECT of the rows, numbered from 0."""
    types = [
        "bigint" if all(isinstance(row[i], int) for row in rows) else "double precision"
        for i in range(len(names))
    ]
    columns = [f"cast({name} as {kind}) as {name}" for name, kind in zip(names, types, strict=True)]
    listed = (
        f"({', '.join([str(number), *map(_literal, row)])})" for number, row in enumerate(rows)
    )
    return (
        f"select 1 as cut, group_number, {', '.join(columns)}"
        f" from (values {', '.join(listed)}) as listed(group_number, {', '.join(names)})"
    )


def _literal(value: Number) -> str:
    if value is None:
        return "null"
    if value == math.inf:
        return "cast('infinity' as double precision)"
    text = repr(value)
    return text if isinstance(value, int) or "e" in text else f"{text}e0"
