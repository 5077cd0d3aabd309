"""`fairsql counterfactual`: prompts that differ in one group alone, and a model's answers."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from fairsql.cli import streams
from fairsql.cli.apart import check_apart, given
from fairsql.cli.judge import money
from fairsql.cli.options import Connection, above_zero, connected, connection_options

if TYPE_CHECKING:
    from fairsql.llm.budget import Prices
    from fairsql.llm.responding import Responses


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


STOPPED = 3
"""Exit code: a limit was reached, and prompts are left without an answer."""


def _parameters(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[str, Any]:
    """Return NAME=VALUE as a mapping; a value that is JSON is what it says, any other a text."""
    parameters: dict[str, Any] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not name.strip() or not equals:
            raise click.BadParameter(
                f"must be NAME=VALUE, such as temperature=0, but is {value!r}."
            )
        if name in parameters:
            raise click.BadParameter(f"names {name!r} twice.")
        try:
            parameters[name] = json.loads(text)
        except ValueError:
            parameters[name] = text
    return parameters


def _prices(
    _: click.Context, __: click.Parameter, values: tuple[float, float] | None
) -> Prices | None:
    """Return the prices of the model, which are no less than nothing."""
    from fairsql.llm.budget import Prices

    if values is None:
        return None
    if not all(0 <= value < math.inf for value in values):
        raise click.BadParameter(
            f"must be two numbers from 0, but are {values[0]:g} {values[1]:g}."
        )
    return Prices(*values)


@counterfactual.command()
@click.argument("prompts")
@connection_options
@click.option(
    "--table",
    required=True,
    metavar="NAME",
    callback=given,
    help="The table that answers go into; it is made if it is not there.",
)
@click.option("--provider", default="openai", show_default=True, help="Who is asked.")
@click.option("--model", required=True, metavar="NAME", callback=given, help="Which model.")
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parameters,
    help="What the model is given besides, such as temperature=0.7; may be repeated.",
)
@click.option("--replay-only", is_flag=True, help="Ask nobody; an answer that is not there fails.")
@click.option("--dry-run", is_flag=True, help="Say how many requests and tokens; nobody is asked.")
@click.option(
    "--max-requests",
    type=int,
    callback=above_zero,
    metavar="N",
    help="Stop after as many requests, those that are tried again included.",
)
@click.option(
    "--prices",
    type=float,
    nargs=2,
    callback=_prices,
    metavar="INPUT OUTPUT",
    help="What a million tokens cost, those in and those out.",
)
@click.option(
    "--max-cost",
    type=float,
    callback=above_zero,
    metavar="MONEY",
    help="Stop before more is spent, by --prices.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 256),
    default=8,
    show_default=True,
    help="Requests on their way at a time.",
)
@click.option("--retry-errors", is_flag=True, help="Ask again what was declined before.")
def respond(
    prompts: str,
    connection: Connection,
    table: str,
    provider: str,
    model: str,
    parameters: dict[str, Any],
    replay_only: bool,
    dry_run: bool,
    max_requests: int | None,
    prices: Prices | None,
    max_cost: float | None,
    concurrency: int,
    retry_errors: bool,
) -> int:
    """Put the prompts of the file PROMPTS to a model, and keep its answers in a table.

    What has an answer of this model, with these parameters, is not asked again. Keys come from the
    environment. Exit code 3: a limit was reached, and prompts are left.
    """
    from fairsql.llm.prompt_files import lacks_file, make_file, read_prompts
    from fairsql.llm.responding import Question
    from fairsql.llm.responding import respond as responses_of

    path = Path(prompts)
    rows = read_prompts(path)
    question = Question(provider, model, parameters)
    url = connection.url or os.environ.get("FAIRSQL_CONNECTION")
    with ExitStack() as stack:
        if not (replay_only or connection.profile):
            if dry_run and lacks_file(url):
                # A dry run leaves nothing behind: it counts against an empty file that goes again.
                folder = stack.enter_context(TemporaryDirectory())
                connection = replace(connection, url=(url := f"duckdb:///{folder}/empty.duckdb"))
                make_file(url)
            elif not dry_run:
                make_file(url)
        warehouse = stack.enter_context(connected(connection))
        on_progress = stack.enter_context(streams.progress(what="prompt"))
        done = responses_of(
            rows,
            question,
            warehouse,
            table,
            folder=path.resolve().parent,
            max_requests=max_requests,
            max_cost=max_cost,
            prices=prices,
            concurrency=concurrency,
            replay_only=replay_only,
            retries_errors=retry_errors,
            is_dry=dry_run,
            on_progress=on_progress,
        )
    _show(done, is_dry=dry_run)
    if done.left and not dry_run:
        click.echo("A limit was reached, and prompts are left: exit code 3.", err=True)
        return STOPPED
    return 0


def _show(done: Responses, *, is_dry: bool) -> None:
    from fairsql.report import counted, facts_table

    about = "about " if is_dry else ""
    counts = f"{done.input_tokens:,} in, {done.output_tokens:,} out"
    facts = [
        ("prompts", f"{done.prompts:,}"),
        ("to ask" if is_dry else "not answered before", counted(done.asked, "question")),
        ("answered now", "" if is_dry else f"{done.answered:,}"),
        ("without an answer", f"{done.failed:,}" if done.failed else ""),
        ("left", f"{done.left:,}" if done.left and not is_dry else ""),
        ("requests", "" if is_dry else f"{done.requests:,}"),
        ("tokens", f"{about}{counts}" if done.asked else ""),
        ("cost", "" if done.cost is None else f"{about}{money(done.cost)}"),
    ]
    streams.write_rich(facts_table((label, text) for label, text in facts if text))
    if is_dry:
        streams.write_rich("Nobody was asked: this was a dry run.")
