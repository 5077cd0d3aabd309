"""Many groups: a thousand, three attributes crossed, and an id that is no attribute at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fairsql
from benchmarks import by_hand, checking, data, measuring
from benchmarks.scans import COLUMNS, by_hand_process, fairsql_process, row
from benchmarks.sections import Section, Target, ratio
from benchmarks.setting import Setting, over, suite

if TYPE_CHECKING:
    from benchmarks.measuring import Cost

_MOST_ROWS = 1_001
_LIMIT = 60
_CASES = {
    "1,000 groups": ("many_groups", ("shop",)),
    "three attributes crossed": ("crossed", by_hand.ATTRIBUTES),
}


@dataclass
class Watched:
    """A warehouse that counts the rows of every answer."""

    warehouse: Any
    rows: list[int] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.warehouse, name)

    def run(self, *asked: Any) -> Any:
        """Run a statement, and remember how many rows came back."""
        answer = self.warehouse.run(*asked)
        self.rows.append(len(answer.rows))
        return answer


def cardinality(setting: Setting) -> Section:
    """Measure tests of many groups, and how soon a test of far too many is skipped."""
    rows = setting.size(10_000_000)
    ids = setting.table("ids", rows, data.with_ids(rows))
    paths = {"many_groups": ids, "crossed": setting.people(rows)}
    table, checked = [], 0
    for name, (wanted, groups) in _CASES.items():
        listed = ", ".join(groups)
        query = (
            f"select {listed}, count(*), avg(amount) as mean, var_samp(amount), min(amount),"
            f" max(amount) from sample group by {listed}"
        )
        found = _found(setting, paths[wanted], wanted, query)
        table += [
            row(f"{name}: fairsql", rows, found.seconds["fairsql"], found.costs["fairsql"]),
            row(f"{name}: by hand", rows, found.seconds["by hand"], found.costs["by hand"]),
        ]
        theirs = {
            ("mean", groups, tuple(each[group] for group in groups)): each["mean"]
            for each in found.by_hand
        }
        checked += checking.same(name, checking.values(found.results), theirs)
    too_many = _found(setting, ids, "person", "select count(distinct person) as n from sample")
    return _section(rows, table, checked, too_many)


@dataclass(frozen=True)
class _Found:
    """What came of one suite and of the query beside it."""

    seconds: dict[str, float | None]
    costs: dict[str, Cost]
    results: dict[str, Any]
    by_hand: list[dict[str, Any]]
    most_rows: int | None


def _found(setting: Setting, path: Path, name: str, query: str) -> _Found:
    results = setting.results(name)
    costs = measuring.processes(
        {"fairsql": fairsql_process(name, path, results), "by hand": by_hand_process(path, query)},
        repeats=setting.repeats(2),
        limit=_LIMIT,
    )
    with over(path) as connection:
        asked = fairsql.load_suite(suite(name))
        watched = Watched(fairsql.connect(connection))
        works: dict[str, Callable[[], object]] = {
            "by hand": lambda: connection.execute(query).fetchall()
        }
        ended = costs["fairsql"].seconds is not None
        if ended:
            works["fairsql"] = lambda: asked.run(watched)
        seconds = measuring.calls(works, repeats=setting.repeats(3))
        return _Found(
            {"fairsql": seconds.get("fairsql"), "by hand": seconds["by hand"]},
            costs,
            checking.read(results) if ended else {"tests": []},
            by_hand.rows(connection, query),
            max(watched.rows, default=0) if ended else None,
        )


def _section(rows: int, table: list[Any], checked: int, too_many: _Found) -> Section:
    """Return the section, with the test of an id that must have been skipped for it."""
    for test in too_many.results["tests"]:
        if test["reason"] != "too_many_groups":
            raise checking.WrongNumberError(f"{test['name']}: {test['status']}, {test['message']}")
        ((distinct,),) = [one.values() for one in too_many.by_hand]
        counted = {"groups": test["groups_total"]}
        checked += checking.same("an id", {("groups",): counted["groups"]}, {("groups",): distinct})
    seconds, costs = too_many.seconds, too_many.costs
    table += [
        row("an id of two rows each: fairsql", rows, seconds["fairsql"], costs["fairsql"]),
        row("an id: one count(distinct)", rows, seconds["by hand"], costs["by hand"]),
    ]
    beside = ratio(seconds["fairsql"], seconds["by hand"])
    return Section(
        "cardinality",
        COLUMNS,
        table,
        [
            Target("an id is skipped / one count(distinct)", beside, 2, "×"),
            Target("an id: rows that come back", too_many.most_rows, _MOST_ROWS, "rows"),
        ],
        checked,
        notes=(
            "Here a *statement* of fairsql's is the run in process: plan, statement and verdict.",
        ),
    )
