"""`fairsql dbt`: the fairsql tests of a dbt project, without a query for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fairsql.cli.options import (
    as_of_option,
    backfill_option,
    limit_options,
    opened,
    profile_options,
)
from fairsql.cli.run import EXIT_CODES, deliver, result_options

_MANY = ("--select", "-s", "--exclude")


class _Selecting(click.Command):
    """A command whose selectors may follow one another, as dbt's do: ``--select a b``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_one_each(args)))


def _one_each(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the option repeated before each further selector.

    >>> _one_each(["--select", "loans", "tag:fair", "-v"])
    ['--select', 'loans', '--select', 'tag:fair', '-v']
    """
    spelt: list[str] = []
    option = ""
    for argument in arguments:
        if argument.startswith("-") and argument != "-":
            name = argument.partition("=")[0]
            option = name if name in _MANY else ""
        elif option and spelt[-1] != option:
            spelt.append(option)
        spelt.append(argument)
    return spelt


@click.command(cls=_Selecting, epilog=EXIT_CODES)
@click.option(
    "--project-dir", metavar="DIR", help="The dbt project.  [default: here or a folder above]"
)
@profile_options
@limit_options
@click.option(
    "-s",
    "--select",
    multiple=True,
    metavar="SELECTOR …",
    help="Run the tests that dbt selects so: loans, tag:fair, source:raw+ and the like.",
)
@click.option("--exclude", multiple=True, metavar="SELECTOR …", help="Leave out what dbt selects.")
@as_of_option
@backfill_option
@result_options
def dbt(
    project_dir: str | None,
    profiles_dir: str | None,
    profile: str | None,
    target: str | None,
    timeout: float | None,
    maximum_bytes_billed: int | None,
    look_first: bool,
    select: Sequence[str],
    exclude: Sequence[str],
    **results: Any,
) -> int:
    """Run the fairsql tests of a dbt project here, one scan for all tests of a table.

    A test that reads a model of statistics ends in an error: `dbt test` runs it. What dbt makes
    of a failure (severity, warn_if, store_failures) is dbt's, and not asked.
    """
    from fairsql.dbt import Dbt, Limits, find_target, load_project, read_suite

    project = load_project(project_dir)
    chosen = find_target(project, profiles_dir=profiles_dir, profile=profile, target=target)
    program = Dbt(project.root, chosen.options, lambda text: click.echo(f"{text} …", err=True))
    suite = read_suite(project, chosen, program, select=select, exclude=exclude)
    limits = Limits(timeout, maximum_bytes_billed, look_first)
    reads = {"the project": [str(project.root / "dbt_project.yml")]}
    return deliver(suite, opened(lambda: chosen.open(limits)), reads=reads, **results)
