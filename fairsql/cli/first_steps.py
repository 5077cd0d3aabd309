"""Commands for the first day: see a demo, write a suite, try a connection."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import fairsql
from fairsql.cli import outputs, streams
from fairsql.cli.apart import check_apart, given
from fairsql.cli.keeping import files_of
from fairsql.cli.options import Connection, connected, connection_options
from fairsql.cli.program import ERROR, IncompleteError
from fairsql.cli.run import run_suite, show_run
from fairsql.errors import WarehouseError
from fairsql.version import __version__

if TYPE_CHECKING:
    from fairsql.selftest import Check
    from fairsql.warehouses import Warehouse

_MAX_RELATIONS = 20


@click.command()
@click.argument("folder", default="fairsql-demo", metavar="[DIR]")
@click.option("--force", is_flag=True, help="Overwrite files that hold something else.")
@outputs.options
def demo(folder: str, force: bool, **files: str | None) -> int:
    """Test two real data sets, and show what it finds.

    Writes data, a suite and a DuckDB file into DIR (fairsql-demo if none is named). The exit code
    is 0 when the demo worked, though tests in it fail.
    """
    from fairsql.demo.unpack import DATABASE, REPORT, RESULTS, SUITE, unpack
    from fairsql.report import render_html

    place = Path(folder)
    unpack(place, force=force)
    suite, database, results = place / SUITE, place / DATABASE, place / RESULTS
    reads = {"a file of the demo": [str(suite), str(database), str(results), str(place / REPORT)]}
    with outputs.opened(files, reads) as write, streams.whole_file(results) as file:
        with connected(Connection(f"duckdb:///{database}")) as warehouse:
            result, elapsed = run_suite(fairsql.load_suite(suite), warehouse)
        file.write(result.to_json() + "\n")
        written = write(result, ())
    with streams.whole_file(place / REPORT) as file:
        file.write(render_html(result))
    if not written.took_stdout:
        show_run(result, elapsed)
        streams.write(_after_the_demo(suite, database, results, place / REPORT))
    if written.faults:
        raise IncompleteError(written.faults)
    return ERROR if result.count("error") else 0


def _after_the_demo(suite: Path, database: Path, results: Path, report: Path) -> str:
    url = f"duckdb:///{database}"
    own, stricter = str(suite), str(suite.with_name("stricter.yml"))
    change = f"sed 's/value: 0.8}}/value: 0.95}}/' {shlex.quote(own)} > {shlex.quote(stricter)}"
    return f"""
The data is real, and the failed and skipped tests are the point: {own} tells each one's story.
{results.parent} also holds the data ({database.name}, and CSV) and the results ({results.name}).

See every group, and what it means, in a browser:
  {report}
Run it again, with every group:
  {_shell_command("run", own, "--connection", url, "--verbose")}
Ask more of the ranking, 0.95 in place of 0.8, and see it fail:
  {change}
  {_shell_command("run", stricter, "--connection", url, "--select", "Ranking quality by race")}
Read the SQL:
  {_shell_command("compile", own, "--dialect", "duckdb")}
Begin with data of your own:
  {_shell_command("init", "--data", "loans=loans.csv")}
"""


@click.command()
@connection_options
@click.option("--relation", multiple=True, help="A table or view to read; all if none is named.")
@click.option(
    "-o",
    "--output",
    default="fairsql.yml",
    show_default=True,
    callback=given,
    help="The file; - is stdout.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def init(
    connection: Connection,
    relation: Sequence[str],
    output: str,
    force: bool,
) -> None:
    """Write a commented suite file for the tables it finds."""
    from fairsql.starter import starter_suite

    check_apart({"--output": output}, {"data that is read": connection.data.values()})
    to_stdout = output == "-"
    if not to_stdout and not force and Path(output).exists():
        raise click.UsageError(f"{output!r} exists; --force overwrites it.")
    suite = "fairsql.yml" if to_stdout else output
    command = _shell_command("run", suite, *_arguments(connection))
    with contextlib.ExitStack() as stack:
        file = None if to_stdout else stack.enter_context(streams.whole_file(Path(output)))
        warehouse = stack.enter_context(connected(connection))
        check_apart({"--output": output}, {"a database that is read": files_of(warehouse)})
        names = list(relation) or warehouse.relations()
        text = starter_suite(warehouse, names[:_MAX_RELATIONS], command)
        if file:
            file.write(text)
    if to_stdout:
        streams.write(text)
        return
    if len(names) > _MAX_RELATIONS:
        left = len(names) - _MAX_RELATIONS
        click.echo(f"{left:,} more relations were left out; --relation names others.", err=True)
    streams.write(f"Wrote {output}. Read it, then run\n\n  {command}\n")


def _arguments(connection: Connection) -> Iterator[str]:
    """Yield the options that connect as this command did, but never a password."""
    if connection.url and "@" not in connection.url:
        yield from ("--connection", connection.url)
    for name, file in connection.data.items():
        yield from ("--data", f"{name}={file}")
    for name, value in connection.profile.items():
        yield from (f"--{name.replace('_', '-')}", value)


def _shell_command(*words: str) -> str:
    """Return a command as it is typed into a shell: by its path where the name is not found."""
    script = sys.argv[0]
    is_lost = Path(script).stem == "fairsql" and not shutil.which("fairsql")
    return shlex.join([script if is_lost else "fairsql", *words])


@click.command()
@connection_options
@click.option(
    "--self-test",
    is_flag=True,
    help="Ask the warehouse for known answers as well; writes nothing, reads no table.",
)
def debug(connection: Connection, self_test: bool) -> int:
    """Try the connection, or else DuckDB in memory, and say what works.

    The exit code is 4 when something does not, or the self-test gets a wrong answer.
    """
    from fairsql.report import facts_table

    streams.write_rich(facts_table(_versions()))
    streams.write("\n")
    facts, code = [], 0
    try:
        with connected(connection, default="duckdb://") as warehouse:
            for fact in _what_works(warehouse):
                facts.append(fact)  # noqa: PERF402 - an error must not hide what came before
            if self_test:
                streams.write_rich(facts_table(facts))
                facts = []
                code = _show_self_test(warehouse)
    except WarehouseError as error:
        facts.append(("error", str(error)))
        code = ERROR
    if facts:
        streams.write_rich(facts_table(facts))
    return code


def _show_self_test(warehouse: Warehouse) -> int:
    """Run the self-test, show each check and what they come to, and return the exit code."""
    from fairsql.report import counted, facts_table
    from fairsql.selftest import self_test

    started = time.perf_counter()
    with streams.progress() as on_statement:
        checks = list(self_test(warehouse, on_statement))
    elapsed = time.perf_counter() - started
    streams.write("\n")
    streams.write_rich(facts_table(fact for check in checks for fact in _check_facts(check)))
    wrong = sum(not check.is_right for check in checks)
    answers = counted(len(checks), "answer")
    found = f"{wrong} of {answers} wrong" if wrong else f"all {answers} right"
    streams.write(
        f"\nSelf-test: {found}, in {elapsed:.1f} s. This holds for fairsql {__version__} on"
        f" {warehouse.version()} with the settings of this connection, and for no other.\n"
    )
    return ERROR if wrong else 0


def _check_facts(check: Check) -> Iterator[tuple[str, str]]:
    """Yield the line of a check, and one for each way in which it is wrong."""
    about = [f"{check.seconds:.2f} s", f"{check.characters / 1000:.0f} kB"]
    about += [check.note] if check.note else []
    about += [f"query {check.query_id}"] if check.query_id else []
    yield check.name, f"{'ok' if check.is_right else 'WRONG'} ({', '.join(about)})"
    for fault in check.faults:
        yield "", fault


def _versions() -> Iterator[tuple[str, str]]:
    from importlib import metadata
    from platform import platform, python_version

    yield "fairsql", __version__
    yield "Python", f"{python_version()} on {platform(terse=True)}"
    for package in ("sqlglot", "duckdb", "pydantic", "numpy"):
        yield package, metadata.version(package)


def _what_works(warehouse: Warehouse) -> Iterator[tuple[str, str]]:
    yield "warehouse", f"{warehouse.name} ({warehouse.version()})"
    yield "dialect", warehouse.dialect
    names = warehouse.relations()
    left = len(names) - _MAX_RELATIONS
    listed = ", ".join(names[:_MAX_RELATIONS]) + (f" and {left:,} more" if left > 0 else "")
    yield "relations", f"{len(names)}: {listed}" if names else "none"
    (row,) = warehouse.run("select 1 as one").rows
    yield "statement", f"select 1 gives {', '.join(map(str, row.values()))}"
    result = fairsql.group_metric_parity(
        warehouse,
        "(select 'a' as team, 1 as chosen union all select 'b' as team, 1 as chosen)",
        protected_attribute_columns=["team"],
        parity_metric="rate",
        value_column="chosen",
        positive_values=["1"],
        higher_is_better=True,
        min_group_size=1,
    )
    yield "test", f"{result.status} on two rows of its own"
