"""The tables that are measured: drawn from hashes, so that each is the same wherever it is made."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

_QUIET = (
    "import duckdb; connection = duckdb.connect();"
    " connection.execute('set enable_progress_bar = false')"
)
_FULL_WORD = "18446744073709551616.0"
_PEOPLE = """
    select
        case when {gender} < 0.52 then 'female' else 'male' end as gender,
        'region ' || cast(floor(10 * {region}) as integer) as region,
        (['18-29', '30-39', '40-49', '50-64', '65 and over'])[
            1 + cast(floor(5 * {age}) as integer)
        ] as age_band,
        {score} as score,
        cast({luck} < 0.15 + 0.6 * {score} as integer) as truth,
        cast({score} > 0.4 + 0.2 * {opinion} as integer) as prediction,
        round(exp(7 + 2 * {wealth}), 2) as amount,
        round(exp(7 + 2 * {wealth}) * (0.8 + 0.4 * {error}), 2) as forecast
"""
_DRAWS = ("gender", "region", "age", "score", "luck", "opinion", "wealth", "error")

SCORES = {
    "distinct": "{score}",
    "100 values": "floor(100 * {score}) / 100",
    "all equal": "0.5",
    "99 % at one value": "case when {opinion} < 0.99 then 0.5 else {score} end",
    "1e-300 to 1e300": "power(10.0, 600 * {score} - 300)",
}
"""Distributions of a score, each a hard one for whoever ranks it."""

SHARES = {
    "10 groups": "'group ' || cast(floor(10 * {region}) as integer)",
    "half of the rows in one of 100 groups": (
        "case when {gender} < 0.5 then 'group 0'"
        " else 'group ' || cast(1 + floor(99 * {region}) as integer) end"
    ),
    "3 groups": "'group ' || cast(floor(3 * {region}) as integer)",
}
"""Divisions of the rows into groups, each a hard one for whoever compares quantiles."""


def draw(expression: str) -> str:
    """Return an expression with its draws, each uniform on [0, 1) and independent of the others."""
    draws = {
        name: f"(hash({len(_DRAWS)} * i + {place}) / {_FULL_WORD})"
        for place, name in enumerate(_DRAWS)
    }
    return expression.format(**draws)


def people(rows: int) -> str:
    """Return a SELECT of people: three attributes, a classifier's columns and a forecast's."""
    return f"{draw(_PEOPLE)} from range({rows}) as numbers(i)"


def scored(rows: int, score: str) -> str:
    """Return a SELECT of ten regions with a score that is distributed as ``SCORES`` says."""
    region = draw("'region ' || cast(floor(10 * {region}) as integer)")
    truth = draw("cast({luck} < 0.15 + 0.6 * {score} as integer)")
    return (
        f"select {region} as region, {truth} as truth, {draw(SCORES[score])} as score"
        f" from range({rows}) as numbers(i)"
    )


def divided(rows: int, share: str) -> str:
    """Return a SELECT of amounts in groups as ``SHARES`` divides them, the first a tenth lower."""
    group, amount = draw(SHARES[share]), draw("round(exp(7 + 2 * {wealth}), 2)")
    lower = "amount * (case when region = 'group 0' then 0.9 else 1 end) as amount"
    drawn = f"select {group} as region, {amount} as amount from range({rows}) as numbers(i)"
    return f"select region, {lower} from ({drawn}) as drawn"


def with_ids(rows: int) -> str:
    """Return a SELECT of amounts by shop, of which there are a thousand, and by person."""
    people = max(rows // 2, 1)
    return (
        f"select 'shop ' || cast(hash(3 * i) % 1000 as integer) as shop,"
        f" 'person ' || cast(hash(3 * i + 1) % {people} as bigint) as person,"
        f" hash(3 * i + 2) / {_FULL_WORD} as amount from range({rows}) as numbers(i)"
    )


def written(folder: Path, name: str, select: str) -> Path:
    """Return a Parquet file of a SELECT; what an earlier run made is made no second time.

    A process of its own makes it, whose memory is then not that of what is measured.
    """
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(select.encode()).hexdigest()[:8]
    path = folder / f"{name}_{digest}.parquet"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        copy = f"copy ({select}) to '{unfinished}' (format parquet)"
        script = f"{_QUIET}; connection.execute({copy!r})"
        subprocess.run([sys.executable, "-c", script], check=True)
        unfinished.replace(path)
    return path
