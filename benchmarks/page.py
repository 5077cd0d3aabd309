"""The page of results: what was found is kept as JSON, of which tables and charts are made."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import duckdb

from benchmarks import charts, report
from benchmarks.sections import Section

PAGE = Path(__file__).with_name("README.md")
_NAMES = {
    "dbt-core": "dbt",
    "fairlearn": "fairlearn",
    "pandas": "pandas",
    "polars": "polars",
    "psycopg": "psycopg",
    "pyspark": "Spark",
}


def kept(folder: Path) -> dict[str, Section]:
    """Return the sections that earlier runs left in a folder, by name."""
    path = folder / "results.json"
    if not path.exists():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    return {section["name"]: Section.from_dict(section) for section in found}


def write(section: Section, folder: Path, order: Sequence[str], packages: Sequence[str]) -> None:
    """Put a section in its place on the page of a folder, beside those of earlier runs.

    Parameters
    ----------
    section
        What was found, right in every number.
    folder
        Where `README.md`, `results.json` and `images/` are; the page is made where there is none.
    order
        The names of all sections, in the order of the page.
    packages
        What was measured besides DuckDB, whose versions the page has.
    """
    found = kept(folder)
    found[section.name] = replace(section, conditions=conditions(packages))
    found = {name: found[name] for name in order if name in found}
    text = json.dumps([one.to_dict() for one in found.values()], indent=1, ensure_ascii=False)
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")
    page = folder / "README.md"
    before = page if page.exists() else PAGE
    page.write_text(report.refreshed(before.read_text(encoding="utf-8"), found), encoding="utf-8")
    charts.draw(folder / "images", found.values())


def conditions(packages: Sequence[str]) -> str:
    """Return when, on what machine and with which versions something was measured."""
    machine = f"{os.cpu_count()} cores, {_memory()}{platform.system()} {platform.machine()}"
    python = f"Python {platform.python_version()}, DuckDB {duckdb.__version__}"
    others = [f"{_NAMES[name]} {metadata.version(name)}" for name in packages]
    return f"{time.strftime('%Y-%m-%d')}: {', '.join([machine, python, *others])}."


def _memory() -> str:
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):  # not every system tells
        return ""
    return f"{pages * size / 1024**3:.0f} GB, "
