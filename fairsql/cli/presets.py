"""``fairsql report --preset``: the tables that a rule asks for, from a results file."""

from __future__ import annotations

from pathlib import Path

import click

from fairsql.cli import streams


@click.command()
@click.argument("results", metavar="RESULTS")
@click.option(
    "--preset",
    required=True,
    type=click.Choice(["nyc-ll144"]),
    help="The rule: New York City's Local Law 144.",
)
@click.option("-o", "--output", default="-", metavar="FILE", help="Markdown.  [default: stdout]")
def report(results: str, preset: str, output: str) -> None:
    """Print the tables that a rule asks for, from the file RESULTS of `fairsql run --json`."""
    from fairsql.report.presets import PRESETS
    from fairsql.results_reader import read_results

    text = PRESETS[preset](read_results(results))
    if output == "-":
        streams.write_utf8(text)
        return
    with streams.whole_file(Path(output)) as file:
        file.write(text)
