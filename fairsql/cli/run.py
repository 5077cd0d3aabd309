"""Commands for every day: run a suite, and see what a run would do."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

import fairsql
from fairsql.cli import outputs, streams
from fairsql.cli.apart import Reads, check_apart, given
from fairsql.cli.cost import scan_facts, total_facts
from fairsql.cli.keeping import check, file_of, files_of, keep
from fairsql.cli.options import (
    Connection,
    above_zero,
    as_of_option,
    backfill_option,
    connected,
    connection_options,
)
from fairsql.cli.program import ERROR, IncompleteError
from fairsql.cli.reading import Reading, reading_options
from fairsql.cli.watching import watching

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from fairsql import Plan, Run, TestResult
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

    def run(
        self,
        warehouse: Any,
        *,
        as_of: str | None,
        backfill: str | None,
        on_statement: Callable[[int, int], None] | None,
        on_result: Callable[[TestResult], None] | None,
    ) -> Run:
        """Run the tests on a warehouse."""


def result_options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the options of :func:`deliver`."""
    options = (
        click.option(
            "--history",
            metavar="DB_OR_TABLE",
            callback=given,
            help="Append every group to a table: of a DuckDB file, such as history.duckdb, or of"
            " the warehouse, as warehouse:schema.table.",
        ),
        click.option("--allow-skips", is_flag=True, help="Let skipped tests leave exit code 0."),
        click.option("-v", "--verbose", is_flag=True, help="List every group of every test."),
    )
    for option in reversed(options):
        command = option(command)
    return outputs.options(command)


@click.command(epilog=EXIT_CODES)
@reading_options
@connection_options
@click.option(
    "--select",
    multiple=True,
    metavar="PATTERN",
    help="Run the tests of this name alone; * and ? stand for any text. May be repeated.",
)
@as_of_option
@backfill_option
@result_options
def run(reading: Reading, connection: Connection, select: Sequence[str], **results: Any) -> int:
    """Run the tests of the file SUITE: a suite file, or an Openlayer tests.json."""
    chosen = reading.load()
    if select:
        chosen = chosen.select(select)
    reads = {"the suite": reading.files, "data that is read": connection.data.values()}
    return deliver(chosen, connected(connection), reads=reads, **results)


def deliver(
    suite: Runnable,
    connection: AbstractContextManager[Warehouse],
    *,
    reads: Reads,
    as_of: str | None,
    backfill: str | None,
    history: str | None,
    allow_skips: bool,
    verbose: bool,
    **files: str | None,
) -> int:
    """Run a suite, show or write the results, and return the exit code.

    ``reads`` are the files that the suite and its data are in: nothing is written to them.
    """
    writes = {**outputs.chosen(files), "--history": file_of(history)}
    check_apart(writes, reads)
    with outputs.opened(files, reads) as write:
        with connection as warehouse:
            check(history, warehouse)
            check_apart(writes, {"a database that is read": files_of(warehouse)})
            result, elapsed = run_suite(suite, warehouse, as_of, backfill)
            is_shown = "--html" in writes
            past, faults = keep(history, result, warehouse, is_shown=is_shown)
        written = write(result, past)
    if not written.took_stdout:
        show_run(result, elapsed, verbose=verbose)
    if faults or written.faults:
        raise IncompleteError({**written.faults, **faults})
    code = result.exit_code(allow_skips=allow_skips)
    if code == 3:
        click.echo(_no_verdict(result), err=True)
    return code


def _no_verdict(result: Run) -> str:
    if result.exit_code(allow_skips=True) == 3:
        return "An illustrative result is no evidence, and no pass: exit code 3."
    return "A skipped test is not a pass: exit code 3. --allow-skips makes it 0."


def run_suite(
    suite: Runnable, warehouse: Warehouse, as_of: str | None = None, backfill: str | None = None
) -> tuple[Run, float]:
    """Run a suite, show how it goes, and return the results and how many seconds it took."""
    started = time.perf_counter()
    with watching() as (on_statement, on_result):
        result = suite.run(
            warehouse,
            as_of=as_of,
            backfill=backfill,
            on_statement=on_statement,
            on_result=on_result,
        )
    return result, time.perf_counter() - started


def show_run(result: Run, elapsed: float, *, verbose: bool = False) -> None:
    """Print the results as a table that suits stdout."""
    from fairsql.report import marks_for, run_table, spelt_run

    streams.write_rich(
        run_table(
            spelt_run(result, sys.stdout.encoding),
            width=streams.console(sys.stdout).width,
            marks=marks_for(sys.stdout.encoding),
            verbose=verbose,
            elapsed_seconds=elapsed,
        )
    )


@click.command()
@click.argument("results")
@click.option(
    "--preset",
    type=click.Choice(["nyc-ll144"]),
    help="The tables that a rule asks for, as Markdown: New York City's Local Law 144.",
)
@click.option(
    "--history",
    metavar="FILE",
    callback=given,
    help="A DuckDB file of past runs, to show measurements over time.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    callback=given,
    help="The file; a preset has stdout without one.",
)
def report(results: str, preset: str | None, history: str | None, output: str | None) -> None:
    """Write the report of the file RESULTS, which `fairsql run --json` wrote, as HTML."""
    from fairsql.report import render_html
    from fairsql.report.presets import PRESETS

    if output is None and preset is None:
        raise click.UsageError("Where to? Give --output report.html, or a --preset.")
    if history and preset:
        raise click.UsageError("--history is for the HTML report, not for a --preset.")
    reads = {"the results": [results], "the history": [history] if history else []}
    check_apart({"--output": output}, reads)
    loaded = fairsql.load_run(results)
    past = fairsql.read_history(history) if history else ()
    text = PRESETS[preset](loaded) if preset else render_html(loaded, past)
    if output is None or output == "-":
        streams.write_utf8(text)
        return
    with streams.whole_file(Path(output)) as file:
        file.write(text)
    streams.write(f"Wrote {output}.\n")


@click.command("compile")
@reading_options
@click.option("--dialect", required=True, help="The SQL to write, such as duckdb.")
@as_of_option
def compile_command(reading: Reading, dialect: str, as_of: str | None) -> int:
    """Print the SQL of the file SUITE; no connection is needed."""
    from fairsql.report import shown

    loaded = reading.load()
    streams.write(fairsql.compile(loaded, dialect=dialect, as_of=as_of))
    for test in loaded.unready:
        click.echo(f"{shown(test.name)}: {shown(test.message)}", err=True)
    return ERROR if loaded.unready else 0


@click.command()
@reading_options
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
@as_of_option
@backfill_option
def plan(
    reading: Reading,
    connection: Connection,
    sql: bool,
    price_per_tib: float | None,
    as_of: str | None,
    backfill: str | None,
) -> int:
    """Say which scans the file SUITE needs, without running one.

    BigQuery tells what each would read.
    """
    chosen = reading.load()
    with connected(connection) as warehouse:
        planned = chosen.plan(warehouse, as_of=as_of, backfill=backfill)
    if sql:
        streams.write(planned.sql_with_looks)
    else:
        _show_plan(planned, len(chosen.names), price_per_tib)
    left = planned.unjudged.values()
    return ERROR if any(result.status == "error" for result in left) else 0


_LOOK = (
    "at the first rows, before the scan: attributes that have too many values to be compared are"
    " counted alone"
)


def _show_plan(planned: Plan, tests: int, price: float | None) -> None:
    from fairsql.report import counted, facts_table

    scans = counted(len(planned.statements), "scan")
    streams.write_rich(f"{scans} for {counted(tests, 'test')}")
    parts = zip(planned.statements, planned.bytes_read, planned.looks, strict=True)
    for number, (statement, bytes_read, look) in enumerate(parts, 1):
        scan = statement.scan
        facts = [("relation", scan.relation), ("where", scan.where or "")]
        facts += [("columns", ", ".join(scan.columns))]
        for title, names in (("tests", scan.cuts_of), ("by bins", scan.counted_by_bins)):
            facts += [("" if place else title, name) for place, name in enumerate(names)]
        if look is not None:
            facts.append(("look", _LOOK))
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
@click.option("--results", is_flag=True, help="That of the results file, for programs.")
def schema(results: bool) -> None:
    """Print the JSON Schema of the suite file, for editors."""
    chosen = fairsql.results_json_schema() if results else fairsql.suite_json_schema()
    streams.write_json(json.dumps(chosen, indent=2, ensure_ascii=False))
