"""docs/agreement.md, whose commands tell how near a judge is to people."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, mean_absolute_error

import fairsql
from tests.docs.pages import blocks, run

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/agreement.md"


@dataclass(frozen=True)
class Marked:
    """An answer that people have marked, and what the judge will say of it."""

    persona: str
    by_people: float
    by_judge: float


def marked(worse_for_b: float) -> list[Marked]:
    """Return marks of people, and a judge that misreads some answers, of persona b more."""
    rng = Random(7)  # noqa: S311
    found = []
    for place in range(400):
        people = rng.choice((0.0, 0.1, 0.2, 0.6, 0.9))
        misreads = rng.random() < (0.1 if place % 2 else 0.1 + worse_for_b)
        found.append(
            Marked("ab"[place % 2 == 0], people, round(1 - people, 1) if misreads else people)
        )
    return found


def done(folder: Path, rows: list[Marked]) -> None:
    """Make the table and the files of the page, and let the simulated judge judge."""
    (suite,), (sql,) = blocks(PAGE, "yaml"), blocks(PAGE, "sql")
    assert "provider: openai" in suite
    suite = suite.replace("provider: openai", "provider: simulated")
    suite = suite.replace("{temperature: 0}", "{truth: mark}")
    (folder / "agreement.yml").write_text(suite, encoding="utf-8")
    (folder / "agreement.sql").write_text(sql, encoding="utf-8")
    with duckdb.connect(str(folder / "answers.duckdb")) as connection:
        connection.execute(
            "create table answers (id int, persona text, answer text, human_score double)"
        )
        connection.executemany(
            "insert into answers values (?, ?, ?, ?)",
            [
                (place, row.persona, f"{place} {{{{truth {row.by_judge}}}}}", row.by_people)
                for place, row in enumerate(rows)
            ]
            + [(-1, "a", "nobody has marked this", None)],
        )
    judging, *_ = commands()
    result = run("-m", *judging.split(), folder=folder)
    assert result.returncode == 0, result.stderr


def commands() -> list[str]:
    (block,) = blocks(PAGE)
    return block.splitlines()


@pytest.mark.parametrize(("worse_for_b", "statuses"), [(0.0, "pp"), (0.35, "ff")])
def test_the_suite_tells_how_far_the_judge_is_from_people(
    tmp_path: Path, worse_for_b: float, statuses: str
) -> None:
    rows = marked(worse_for_b)
    done(tmp_path, rows)
    with duckdb.connect(str(tmp_path / "answers.duckdb"), read_only=True) as connection:
        whole, groups = fairsql.load_suite(tmp_path / "agreement.yml").run(connection).tests
    people = [row.by_people for row in rows]
    error = mean_absolute_error(people, [row.by_judge for row in rows])
    assert whole.measurements["mae"] == pytest.approx(error, rel=1e-9)
    assert whole.status[0] + groups.status[0] == statuses
    for group in groups.groups:
        own = [row for row in rows if row.persona == group.key["persona"]]
        error = mean_absolute_error([row.by_people for row in own], [row.by_judge for row in own])
        assert group.value == pytest.approx(error, rel=1e-9)


def test_kappa_is_scikit_learns(tmp_path: Path) -> None:
    rows = marked(0.2)
    done(tmp_path, rows)
    with duckdb.connect(str(tmp_path / "answers.duckdb"), read_only=True) as connection:
        table = connection.sql((tmp_path / "agreement.sql").read_text(encoding="utf-8")).df()
    assert list(table["persona"]) == ["a", "all", "b"]
    for found in table.to_dict("records"):
        own = [row for row in rows if found["persona"] in ("all", row.persona)]
        people = np.array([row.by_people >= 0.5 for row in own])
        judge = np.array([row.by_judge >= 0.5 for row in own])
        assert found["answers"] == len(own)
        assert found["agreement"] == pytest.approx((people == judge).mean())
        assert found["kappa"] == pytest.approx(cohen_kappa_score(people, judge), rel=1e-9)
        assert found["yes_of_people"] == pytest.approx(people.mean())
        assert 0 < found["give_or_take"] < 0.2


def test_the_last_command_prints_the_table(tmp_path: Path) -> None:
    done(tmp_path, marked(0.2))
    command = commands()[-1]
    program = command.removeprefix('python -c "').removesuffix('"')
    printed = run("-c", program, folder=tmp_path)
    assert printed.returncode == 0, printed.stderr
    assert "kappa" in printed.stdout
