"""`fairsql convert`: a tests.json as a suite file."""

from __future__ import annotations

from pathlib import Path

import click

import fairsql
from fairsql.cli import streams
from fairsql.cli.apart import check_apart, given
from fairsql.cli.program import ERROR
from fairsql.cli.reading import Reading, reading_options


@click.command()
@reading_options
@click.option(
    "-o",
    "--output",
    default="fairsql.yml",
    show_default=True,
    callback=given,
    help="The file; - is stdout.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def convert(reading: Reading, output: str, force: bool) -> int:
    """Write the Openlayer tests.json SUITE as a commented suite file.

    What cannot run becomes a comment. The exit code is 4 when nothing can.
    """
    from fairsql.report import counted, shown

    to_stdout = output == "-"
    check_apart({"--output": output}, {"the suite": reading.files})
    if not to_stdout and not force and Path(output).exists():
        raise click.UsageError(f"{output!r} exists; --force overwrites it.")
    converted = fairsql.convert_tests_json(
        reading.suite,
        relation=reading.relation,
        timestamp_column=reading.timestamp_column,
        mapping=reading.mapping,
    )
    for name, reason in converted.left.items():
        click.echo(f"Not converted: {shown(name)}: {shown(reason)}", err=True)
    if not converted.tests:
        click.echo(f"No test of {reading.suite} could be converted.", err=True)
        return ERROR
    if converted.is_unnamed:
        click.echo(
            f"No --relation was given: put the table's name in place of {converted.relation}.",
            err=True,
        )
    if to_stdout:
        streams.write_utf8(converted.text)
        return 0
    with streams.whole_file(Path(output)) as file:
        file.write(converted.text)
    streams.write(f"Wrote {output}: {counted(converted.tests, 'test')}.\n")
    return 0
