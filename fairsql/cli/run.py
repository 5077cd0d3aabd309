"""Commands for every day: run a suite, and see what a run would do."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

import fairsql
from fairsql.cli import streams
from fairsql.cli.cost import scan_facts, total_facts
from fairsql.cli.options import Connection, above_zero, connected, connection_options
from fairsql.cli.program import ERROR

if TYPE_CHECKING:
    from fairsql import Plan, Run
    from fairsql.warehouses import Warehouse

_Result = TypeVar("_Result")

EXIT_CODES = """\b
Exit codes, the first that applies:
  2  the suite or the usage is wrong, nothing ran
  4  at least one test ended in an error, or the warehouse said no
  1  at least one test failed
  3  at least one test was skipped (0 with --allow-skips)
  0  every test passed
"""
"""What the help of a command that runs tests ends with."""


class Runnable(Protocol):
    """A suite, or what holds one."""

    def run(self, warehouse: Any, *, on_statement: Callable[[int, int], None] | None) -> Run:
        """Run the tests on a warehouse."""


def result_options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the options of :func:`deliver`."""
    options = (
        click.option("--json", "json_file", metavar="FILE", help="Write results; - is stdout."),
        click.option("--html", "html_file", metavar="FILE", help="Write a report for browsers."),
        click.option("--allow-skips", is_flag=True, help="Let skipped tests leave exit code 0."),
        click.option("-v", "--verbose", is_flag=True, help="List every group of every test."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command(epilog=EXIT_CODES)
@click.argument("suite")
@connection_options
@click.option(
    "--select",
    multiple=True,
    metavar="PATTERN",
    help="Run the tests of this name alone; * and ? stand for any text. May be repeated.",
)
@result_options
def run(suite: str, connection: Connection, select: Sequence[str], **results: Any) -> int:
    """Run the tests of the file SUITE."""
    chosen = fairsql.load_suite(suite)
    if select:
        chosen = chosen.select(select)
    return deliver(chosen, connected(connection), **results)


def deliver(
    suite: Runnable,
    connection: AbstractContextManager[Warehouse],
    *,
    json_file: str | None,
    html_file: str | None,
    allow_skips: bool,
    verbose: bool,
) -> int:
    """Run a suite, show or write the results, and return the exit code."""
    to_stdout = json_file == "-"
    with contextlib.ExitStack() as stack:
        json_names = [] if to_stdout or not json_file else [json_file]
        # All are opened before the run: what cannot be written is known before it costs anything.
        for_json = [stack.enter_context(streams.whole_file(Path(name))) for name in json_names]
        for_html = [stack.enter_context(streams.whole_file(Path(html_file)))] if html_file else []
        result, elapsed = run_suite(suite, stack.enter_context(connection))
        for file in for_json:
            file.write(result.to_json() + "\n")
        for file in for_html:
            from fairsql.report import render_html

            file.write(render_html(result))
    if to_stdout:
        streams.write_json(result.to_json())
    else:
        show_run(result, elapsed, verbose=verbose)
    code = result.exit_code(allow_skips=allow_skips)
    if code == 3:
        click.echo("A skipped test is not a pass: exit code 3. --allow-skips makes it 0.", err=True)
    return code


def run_suite(suite: Runnable, warehouse: Warehouse) -> tuple[Run, float]:
    """Run a suite behind a progress bar; return the results and how many seconds it took."""
    started = time.perf_counter()
    with streams.progress() as on_statement:
        result = suite.run(warehouse, on_statement=on_statement)
    return result, time.perf_counter() - started


def show_run(result: Run, elapsed: float, *, verbose: bool = False) -> None:
    """Print the results as a table that suits stdout."""
    from fairsql.report import marks_for, run_table

    streams.write_rich(
        run_table(
            result,
            width=streams.console(sys.stdout).width,
            marks=marks_for(sys.stdout.encoding),
            verbose=verbose,
            elapsed_seconds=elapsed,
        )
    )


@click.command()
@click.argument("results")
@click.option("-o", "--output", required=True, metavar="FILE", help="The report, such as f.html.")
def report(results: str, output: str) -> None:
    """Write the report of the file RESULTS, which `fairsql run --json` wrote, as HTML."""
    from fairsql.report import render_html

    loaded = fairsql.load_run(results)
    with streams.whole_file(Path(output)) as file:
        file.write(render_html(loaded))
    streams.write(f"Wrote {output}.\n")


@click.command("compile")
@click.argument("suite")
@click.option("--dialect", required=True, help="The SQL to write, such as duckdb.")
def compile_command(suite: str, dialect: str) -> None:
    """Print the SQL of the file SUITE; no connection is needed."""
    loaded = fairsql.load_suite(suite)
    streams.write(fairsql.compile(loaded, dialect=dialect))


@click.command()
@click.argument("suite")
@connection_options
@click.option("--sql", is_flag=True, help="Print the statements themselves, and nothing else.")
@click.option(
    "--price-per-tib",
    type=float,
    callback=above_zero,
    envvar="FAIRSQL_PRICE_PER_TIB",
    metavar="PRICE",
    help="BigQuery: show the cost as well, in the currency of the price."
    "  [default: the environment's FAIRSQL_PRICE_PER_TIB]",
)
def plan(suite: str, connection: Connection, sql: bool, price_per_tib: float | None) -> int:
    """Say which scans the file SUITE needs, without running one.

    BigQuery tells what each would read.
    """
    chosen = fairsql.load_suite(suite)
    with connected(connection) as warehouse:
        planned = chosen.plan(warehouse)
    if sql:
        streams.write(planned.sql)
    else:
        _show_plan(planned, len(chosen.tests), price_per_tib)
    left = planned.unjudged.values()
    return ERROR if any(result.status == "error" for result in left) else 0


def _show_plan(planned: Plan, tests: int, price: float | None) -> None:
    from fairsql.report import counted, facts_table

    scans = counted(len(planned.statements), "scan")
    streams.write_rich(f"{scans} for {counted(tests, 'test')}")
    pairs = zip(planned.statements, planned.bytes_read, strict=True)
    for number, (statement, bytes_read) in enumerate(pairs, 1):
        scan = statement.scan
        facts = [("relation", scan.relation), ("where", scan.where or "")]
        facts += [("columns", ", ".join(scan.columns))]
        facts += [("" if place else "tests", name) for place, name in enumerate(scan.cut_of)]
        facts += scan_facts(bytes_read, price)
        streams.write_rich(f"\nscan {number}")
        streams.write_rich(facts_table((label, text) for label, text in facts if text))
    if total := list(total_facts(planned.bytes_read, price)):
        streams.write_rich("\nin all")
        streams.write_rich(facts_table(total))
    if planned.unjudged:
        streams.write_rich("\nwithout a scan")
        left = planned.unjudged.values()
        streams.write_rich(facts_table((one.status, f"{one.name}: {one.message}") for one in left))


@click.command()
def schema() -> None:
    """Print the JSON Schema of the suite file, for editors."""
    streams.write_json(json.dumps(fairsql.suite_json_schema(), indent=2, ensure_ascii=False))
