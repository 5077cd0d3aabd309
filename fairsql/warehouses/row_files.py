"""Rows in a file of CSV, Parquet or JSON lines: written whole or not at all, and read as text."""

from __future__ import annotations

import csv
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from fairsql.errors import ConfigurationError
from fairsql.files import whole_file
from fairsql.warehouses.tables import Columns, Rows, append_in_duckdb

SUFFIXES = (".csv", ".parquet", ".jsonl")
"""The kinds of files, by their ending."""

_LONGEST_FIELD = 2**31 - 1  # the csv module's own limit is 128 KiB, which answers exceed


def check_row_file(path: Path) -> None:
    """Complain of a file whose ending says none of the kinds.

    Raises
    ------
    ConfigurationError
        When it ends in something else.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ConfigurationError(
            f"{str(path)!r} must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}."
        )


def write_rows(path: Path, columns: Columns, rows: Rows) -> None:
    """Write rows to a file of the kind that its ending says.

    Raises
    ------
    ConfigurationError
        When the ending says none.
    OSError
        When it cannot be written; nothing has changed then.
    """
    check_row_file(path)
    match path.suffix.lower():
        case ".csv":
            with whole_file(path) as file:
                writer = csv.DictWriter(file, list(columns), lineterminator="\n")
                writer.writeheader()
                writer.writerows({name: row[name] for name in columns} for row in rows)
        case ".jsonl":
            with whole_file(path) as file:
                for row in rows:
                    ordered = {name: row[name] for name in columns}
                    file.write(json.dumps(ordered, ensure_ascii=False, allow_nan=False) + "\n")
        case _:
            _write_parquet(path, columns, rows)


def read_rows(path: Path, required: Iterable[str] = ()) -> list[dict[str, str | None]]:
    """Return the rows of a file, each value as text; nothing in a CSV is an empty text.

    Raises
    ------
    ConfigurationError
        When there is no such file, it is of another kind, is not what its ending says, or lacks a
        required column.
    """
    check_row_file(path)
    try:
        match path.suffix.lower():
            case ".csv":
                rows = _read_csv(path)
            case ".jsonl":
                rows = _read_json_lines(path)
            case _:
                rows = _read_parquet(path)
    except OSError as error:
        raise ConfigurationError(f"cannot read {str(path)!r}: {error.strerror}.") from None
    except (UnicodeDecodeError, csv.Error, duckdb.Error, ValueError) as error:
        first = str(error).strip().partition("\n")[0].rstrip(".")
        raise ConfigurationError(f"cannot read {str(path)!r}: {first}.") from None
    present = {name for row in rows for name in row}
    for name in required:
        if name not in present:
            columns = ", ".join(sorted(present)) or "none"
            raise ConfigurationError(f"{path} has no column {name!r}; its columns are {columns}.")
    return rows


def _read_csv(path: Path) -> list[dict[str, str | None]]:
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            rows = list(reader)
    finally:
        csv.field_size_limit(before)
    for place, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise ValueError(f"row {place} has another number of columns than the header")
    return rows


def _read_json_lines(path: Path) -> list[dict[str, str | None]]:
    rows = []
    with path.open(encoding="utf-8-sig") as file:
        for place, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"line {place} is not JSON: {error.msg}") from None
            if not isinstance(row, Mapping):
                raise ValueError(f"line {place} is no object")
            rows.append({str(name): _text(value) for name, value in row.items()})
    return rows


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _write_parquet(path: Path, columns: Columns, rows: Rows) -> None:
    if path.parent and not path.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(path.parent))
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        with duckdb.connect() as connection:
            append_in_duckdb(connection, "rows_to_write", columns, rows)
            place = str(beside).replace("'", "''")
            connection.execute(f"copy rows_to_write to '{place}' (format parquet)")
        beside.replace(path)
    except duckdb.Error as error:
        raise OSError(None, str(error).partition("\n")[0], str(path)) from None
    finally:
        beside.unlink(missing_ok=True)


def _read_parquet(path: Path) -> list[dict[str, str | None]]:
    if not path.is_file():
        raise FileNotFoundError(2, "no such file", str(path))
    with duckdb.connect() as connection:
        found = connection.execute(
            "select columns(*)::varchar from read_parquet(?)", [str(path).replace("*", "[*]")]
        )
        names: Sequence[str] = [name for name, *_ in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
