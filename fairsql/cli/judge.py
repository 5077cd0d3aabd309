"""``fairsql judge``: language models judge texts, once, and what they say goes into a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairsql.cli import streams
from fairsql.cli.apart import check_apart, given
from fairsql.cli.options import Connection, above_zero, connected, connection_options
from fairsql.cli.reading import Reading, reading_options

if TYPE_CHECKING:
    from fairsql.config.judging import JudgeSpec
    from fairsql.llm.judging import Outcome
    from fairsql.llm.running import Estimate, Options

STOPPED = 3
"""Exit code: a limit was reached, and texts are left."""

_EXIT_CODES = """\b
Exit codes, the first that applies:
  2  the suite or the usage is wrong, nothing was asked
  4  a provider or the warehouse said no; what was judged before is kept
  3  --max-requests or --max-cost was reached, and texts are left
  0  every text has its judgement
"""


@click.command(epilog=_EXIT_CODES)
@reading_options
@connection_options
@click.option(
    "--select",
    multiple=True,
    metavar="NAME",
    help="The judge of this name alone; * and ? stand for any text. May be repeated.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say how many requests, tokens and money; nobody is asked."
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 256),
    default=8,
    show_default=True,
    help="Requests on their way at a time.",
)
@click.option(
    "--max-requests",
    type=int,
    callback=above_zero,
    metavar="N",
    help="Stop after as many requests, those that are tried again included.",
)
@click.option(
    "--max-cost",
    type=float,
    callback=above_zero,
    metavar="MONEY",
    help="Stop before more is spent, by the prices of the judges.",
)
@click.option("--retry-errors", is_flag=True, help="Judge again what a judge failed on.")
@click.option("--replay", metavar="FILE", callback=given, help="Recorded replies: nobody is asked.")
@click.option(
    "--record", metavar="FILE", callback=given, help="Add each reply to a file, to be replayed."
)
def judge(
    reading: Reading,
    connection: Connection,
    select: Sequence[str],
    dry_run: bool,
    concurrency: int,
    max_requests: int | None,
    max_cost: float | None,
    retry_errors: bool,
    replay: str | None,
    record: str | None,
) -> int:
    """Let the judges of the file SUITE judge what has no judgement yet.

    Texts are sent to the provider that a judge names; keys come from the environment.
    """
    from fairsql.llm.running import Options, judges_of, selected

    suite = reading.load()
    judges = selected(judges_of(suite.judges, suite.tests), select)
    reads = {"the suite": reading.files, "data that is read": connection.data.values()}
    check_apart({"--record": record}, {**reads, "the replies": [replay] if replay else []})
    options = Options(concurrency, max_requests, max_cost, retry_errors, replay, record)
    folder = Path(reading.suite).resolve().parent
    return _judge(judges, connection, folder, options, is_dry=dry_run)


def _judge(
    judges: Sequence[JudgeSpec],
    connection: Connection,
    folder: Path,
    options: Options,
    *,
    is_dry: bool,
) -> int:
    from fairsql.llm.running import estimate, jobs_for, run_jobs

    outcomes: list[Outcome] = []
    with connected(connection) as warehouse:
        jobs = jobs_for(judges, warehouse, retries_errors=options.retries_errors)
        for spec in judges:
            if spec.provider == "in_warehouse":
                click.echo(f"{spec.name}: judged in the warehouse itself, not from here.", err=True)
        if is_dry:
            _show_estimates([estimate(job, warehouse) for job in jobs])
            return 0
        try:
            with streams.progress(what="text") as on_progress:
                run_jobs(jobs, warehouse, folder, options, on_progress, outcomes)
        finally:
            _show_outcomes(outcomes)
    if any(outcome.left for outcome in outcomes):
        click.echo("A limit was reached, and texts are left: exit code 3.", err=True)
        return STOPPED
    return 0


def _show_outcomes(outcomes: Sequence[Outcome]) -> None:
    from fairsql.report import counted, facts_table

    for outcome in outcomes:
        counts = outcome.counts
        tokens = f"{outcome.input_tokens:,} in, {outcome.output_tokens:,} out"
        facts = [
            ("judged", counted(outcome.scored + outcome.failed, "text")),
            ("without a score", f"{outcome.failed:,}" if outcome.failed else ""),
            ("judged before", _some(counts.texts - counts.unjudged_texts)),
            ("left", _some(outcome.left)),
            ("rows without texts", _some(counts.rows_without_texts)),
            ("requests", f"{outcome.requests:,}"),
            ("tokens", tokens if outcome.requests else ""),
            ("cost", "" if outcome.cost is None else money(outcome.cost)),
        ]
        streams.write_rich(outcome.name)
        streams.write_rich(facts_table((label, text) for label, text in facts if text))


def _show_estimates(estimates: Sequence[Estimate]) -> None:
    from fairsql.report import counted, facts_table

    for one in estimates:
        counts, spec = one.counts, one.spec
        facts = [
            ("judge", f"{spec.judge}, by {spec.model} ({spec.provider})"),
            ("to judge", f"{counted(counts.unjudged_texts, 'text')} of {counts.texts:,}"),
            ("rows without texts", _some(counts.rows_without_texts)),
            ("requests", f"{one.requests:,}"),
            ("tokens", f"about {one.input_tokens:,} in, {one.output_tokens:,} out"),
            ("cost", "no prices" if one.cost is None else f"about {money(one.cost)}"),
        ]
        streams.write_rich(spec.name)
        streams.write_rich(facts_table((label, text) for label, text in facts if text))
    streams.write_rich("Nobody was asked: this was a dry run.")


def _some(count: int) -> str:
    return f"{count:,}" if count else ""


def money(amount: float) -> str:
    """Return an amount as people write it; a small one with two digits that say something."""
    return f"{amount:,.2f}" if amount >= 1 or amount == 0 else f"{amount:.2g}"
