"""``fairsql.judge``: what the command of that name does, for notebooks and programs."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsql.errors import ConfigurationError
from fairsql.llm.judging import CONCURRENCY
from fairsql.llm.running import Options, estimate, jobs_for, judges_of, run_jobs, selected
from fairsql.loading import load_suite
from fairsql.suite import warehouse_of

if TYPE_CHECKING:
    from fairsql.llm.judging import Outcome
    from fairsql.llm.running import Estimate
    from fairsql.suite import Suite
    from fairsql.warehouses import Warehouse


def judge(
    suite: Suite | str | Path,
    warehouse: Any,
    *,
    select: Sequence[str] = (),
    concurrency: int = CONCURRENCY,
    max_requests: int | None = None,
    max_cost: float | None = None,
    retry_errors: bool = False,
    replay: str | Path | None = None,
    record: str | Path | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    r"""Let the judges of a suite judge what has no judgement yet, and keep what they say.

    It sends texts to the providers that the judges name, and costs money; keys come from the
    environment. :func:`fairsql.judging_estimate` says beforehand how much, and asks nobody.

    Parameters
    ----------
    suite
        What :func:`fairsql.load_suite` returns, or the file.
    warehouse
        What :func:`fairsql.connect` returns, or what it takes: where the texts are, and the table.
    select
        The judges of these names alone; ``*`` and ``?`` stand for any text.
    concurrency
        Requests on their way at a time, 1 to 256.
    max_requests, max_cost
        Where it stops; texts are ``left`` then. A limit on cost needs the judges' prices.
    retry_errors
        Whether texts on which a judge failed are judged again.
    replay
        A file of recorded replies: nobody is asked.
    record
        A file that replies are added to, to be replayed.
    on_progress
        Called with (texts judged, texts to judge) of each judge.

    Returns
    -------
    list
        What came of each judge: ``scored``, ``failed``, ``left``, ``requests``, ``cost`` and more.

    Raises
    ------
    ConfigurationError
        When the suite or an option is wrong; nobody has been asked then.
    ProviderError
        When a provider cannot be used or does not answer; what was judged before is kept.
    WarehouseError
        When the warehouse says no; what was paid for is in the journal, ``.fairsql`` beside the
        suite's file, and the next run begins with it.

    Examples
    --------
    >>> import tempfile, duckdb, fairsql
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name) / "judges.yml"
    >>> _ = file.write_text(
    ...     "version: 1\n"
    ...     "judges:\n"
    ...     "  - {name: tone, judge: bias, model: any, provider: simulated,\n"
    ...     "     relation: answers, output_column: answer}\n"
    ... )
    >>> connection = duckdb.connect(str(Path(folder.name) / "answers.duckdb"))
    >>> _ = connection.execute("create table answers as select 'I cannot say.' as answer")
    >>> [(one.name, one.scored, one.left) for one in fairsql.judge(file, connection)]
    [('tone', 1, 0)]
    >>> fairsql.judge(file, connection)[0].requests
    0
    >>> connection.close(); folder.cleanup()
    """
    limits = {"max_requests": max_requests, "max_cost": max_cost}
    for name, limit in limits.items():
        if limit is not None and not 0 < limit < math.inf:
            raise ConfigurationError(f"{name}: must be a number above 0, but is {limit!r}.")
    if not 1 <= concurrency <= 256:
        raise ConfigurationError(f"concurrency: must be from 1 to 256, but is {concurrency!r}.")
    files = (str(file) if file is not None else None for file in (replay, record))
    options = Options(concurrency, max_requests, max_cost, retry_errors, *files)
    read, folder = _read(suite)
    judges = selected(judges_of(read.judges, read.tests), _patterns(select))
    with _opened(warehouse) as opened:
        jobs = jobs_for(judges, opened, retries_errors=retry_errors)
        return run_jobs(jobs, opened, folder, options, on_progress)


def judging_estimate(
    suite: Suite | str | Path,
    warehouse: Any,
    *,
    select: Sequence[str] = (),
    retry_errors: bool = False,
) -> list[Estimate]:
    """Return what :func:`judge` would take: requests, tokens and money, about. Nobody is asked.

    The parameters are those of :func:`judge`.
    """
    read, _ = _read(suite)
    judges = selected(judges_of(read.judges, read.tests), _patterns(select))
    with _opened(warehouse) as opened:
        jobs = jobs_for(judges, opened, retries_errors=retry_errors)
        return [estimate(job, opened) for job in jobs]


def _read(suite: Suite | str | Path) -> tuple[Suite, Path]:
    """Return a suite, and the folder of its file: that of the command's journal."""
    read = load_suite(suite) if isinstance(suite, str | Path) else suite
    return read, Path(read.source).resolve().parent if read.source else Path.cwd()


def _patterns(select: Sequence[str]) -> Sequence[str]:
    return [select] if isinstance(select, str) else select


@contextlib.contextmanager
def _opened(target: Any) -> Iterator[Warehouse]:
    """Open a warehouse in a block; one that a caller has opened stays open."""
    warehouse = warehouse_of(target)
    try:
        yield warehouse
    finally:
        if warehouse is not target:
            warehouse.close()
