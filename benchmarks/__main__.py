"""Measure, check, and write what was found into the page beside this file.

Every benchmark runs in a process of its own. Its numbers are compared with those of another way to
them; where one differs, nothing of that benchmark is written, and the run ends with 1.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks import report
from benchmarks.checking import WrongNumberError
from benchmarks.measuring import ROOT, DidNotRunError
from benchmarks.page import write
from benchmarks.setting import AEQUITAS, Setting

if TYPE_CHECKING:
    from benchmarks.sections import Section

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Benchmark:
    """Where a benchmark is, what it measures besides DuckDB, and whether it takes minutes."""

    module: str
    packages: tuple[str, ...] = ()
    takes_minutes: bool = False

    def function(self, name: str) -> Callable[[Setting], Section]:
        """Return what runs it."""
        found: Callable[[Setting], Section] = getattr(
            import_module(f"benchmarks.{self.module}"), name
        )
        return found


BENCHMARKS = {
    "sums": Benchmark("scans"),
    "ranks": Benchmark("scans"),
    "auc": Benchmark("ranked"),
    "quantiles": Benchmark("ranked"),
    "cardinality": Benchmark("cardinality"),
    "growth": Benchmark("scans", takes_minutes=True),
    "small": Benchmark("small"),
    "engines": Benchmark("engines", ("psycopg", "pyspark")),
    "dbt": Benchmark("in_dbt", ("dbt-core",)),
    "peers": Benchmark("side_by_side", ("fairlearn", "pandas", "polars")),
}
"""The benchmarks by name, in the order of the page."""


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(BENCHMARKS)), help="Run these alone.")
@click.option("--rows", type=click.IntRange(min=1000), help="Rows, in place of each one's own.")
@click.option("--quick", is_flag=True, help="Tiny tables: whether it runs, and nothing of speed.")
@click.option("--all", "everything", is_flag=True, help="What takes minutes too.")
@click.option("--tables", type=click.Path(path_type=Path), default=HERE / "data", help="Folder.")
@click.option("--page", type=click.Path(path_type=Path), default=HERE, help="Folder of the page.")
@click.option("--aequitas", type=click.Path(path_type=Path), default=AEQUITAS, help="Its Python.")
def main(
    only: tuple[str, ...],
    rows: int | None,
    quick: bool,
    everything: bool,
    tables: Path,
    page: Path,
    aequitas: Path,
) -> None:
    """Measure fairsql, check every number, and refresh the page."""
    setting = Setting(tables.resolve(), rows, quick, everything, aequitas)
    page.mkdir(parents=True, exist_ok=True)
    if len(only) == 1:
        sys.exit(run(only[0], setting, page))
    options = ["--tables", str(setting.folder), "--page", str(page.resolve())]
    options += ["--aequitas", str(aequitas)]
    options += [*(["--rows", str(rows)] if rows else []), *(["--quick"] if quick else [])]
    options += ["--all"] if everything else []
    failed = []
    for name in only or [n for n, one in BENCHMARKS.items() if everything or not one.takes_minutes]:
        command = [sys.executable, "-m", "benchmarks", *options, "--only", name]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(name)
    if failed:
        click.echo(f"wrong, or did not run: {', '.join(failed)}", err=True)
    sys.exit(1 if failed else 0)


def run(name: str, setting: Setting, page: Path) -> int:
    """Run one benchmark and write its section; 1 where a number is wrong, which writes nothing."""
    started = time.perf_counter()
    benchmark = BENCHMARKS[name]
    try:
        section = benchmark.function(name)(setting)
    except (DidNotRunError, WrongNumberError) as error:
        click.echo(f"{name}: {error}", err=True)
        return 1
    write(section, page, list(BENCHMARKS), benchmark.packages)
    for target in section.targets:
        click.echo(f"{name}: {report.target_line(target)}", err=True)
    click.echo(f"{name}: {time.perf_counter() - started:.0f} s", err=True)
    return 0


if __name__ == "__main__":
    main()
