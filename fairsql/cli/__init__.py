"""The command line: parse, call, print, and exit with the code that says how it went.

What is heavier than click loads in the command that needs it, so that help comes at once.
"""

from __future__ import annotations

import click

from fairsql.cli.convert import convert
from fairsql.cli.counterfactual import counterfactual
from fairsql.cli.dbt import dbt
from fairsql.cli.first_steps import debug, demo, init
from fairsql.cli.judge import judge
from fairsql.cli.program import Program
from fairsql.cli.run import compile_command, plan, report, run, schema
from fairsql.version import __version__

__all__ = ["main"]


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s", prog_name="fairsql")
@click.option(
    "--traceback",
    is_flag=True,
    envvar="FAIRSQL_TRACEBACK",
    help="Show where an unexpected error arose.",
)
def main(traceback: bool) -> None:
    """Fairness tests that run where the data lives.

    \b
    New here?      fairsql demo
    Own data?      fairsql init --data loans=loans.csv
    Then           fairsql run fairsql.yml --data loans=loans.csv
    """  # noqa: D301 - click keeps lines as they are below this very character


for command in (
    demo,
    init,
    convert,
    run,
    judge,
    report,
    dbt,
    compile_command,
    plan,
    debug,
    schema,
    counterfactual,
):
    main.add_command(command)
