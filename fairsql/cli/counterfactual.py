"""`fairsql counterfactual`: prompts that differ in one group alone, and a model's answers."""

from __future__ import annotations

from pathlib import Path

import click

from fairsql.cli import streams
from fairsql.cli.apart import check_apart, given


@click.group()
def counterfactual() -> None:
    """Prompts for every group of a dimension, and a model's answers to them."""


@counterfactual.command()
@click.argument("config")
@click.option(
    "--to",
    "target",
    metavar="FILE",
    required=True,
    callback=given,
    help="The file of prompts: its ending .csv, .parquet or .jsonl says what it holds.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def generate(config: str, target: str, force: bool) -> None:
    """Write the prompts that the file CONFIG describes, one row for each group and repeat."""
    from fairsql.llm.counterfactual import counterfactual_prompts, write_prompts
    from fairsql.report import counted

    check_apart({"--to": target}, {"the configuration": [config]})
    path = Path(target)
    if path.exists() and not force:
        raise click.UsageError(f"{target!r} exists; --force overwrites it.")
    rows = counterfactual_prompts(config)
    write_prompts(path, rows)
    groups = len({row["group_id"] for row in rows})
    streams.write(
        f"Wrote {target}: {counted(len(rows), 'prompt')} in {counted(groups, 'group')} of prompts"
        " that differ in one thing.\n"
    )
