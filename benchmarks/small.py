"""The small end: a small table, the import, and a large suite that is only compiled."""

from __future__ import annotations

import json
import time
from pathlib import Path

from ruamel.yaml import YAML

import fairsql
from benchmarks import by_hand, checking, measuring
from benchmarks.scans import by_hand_process, fairsql_process
from benchmarks.sections import Section, Target
from benchmarks.setting import Setting, over, suite

_TESTS, _RELATIONS = 200, 20
_LIMITS = (1.2, 0.15, 1.0, None)


def small(setting: Setting) -> Section:
    """Measure twenty tests of ten thousand rows, the import, and the SQL of two hundred tests."""
    rows = 10_000
    path, results = setting.people(rows), setting.results("small")
    repeats = setting.repeats(7)
    run, nothing = f"fairsql run, 20 tests, {rows:,} rows", "python, which does nothing"
    query = by_hand.sums(by_sets=True)
    costs = measuring.processes(
        {
            run: fairsql_process("small", path, results),
            "by hand, the same statistics": by_hand_process(path, query),
            "import fairsql": measuring.script("import fairsql"),
            "import fairsql; fairsql.load_suite": measuring.script(
                "import fairsql; fairsql.load_suite"
            ),
            nothing: measuring.script("pass"),
        },
        repeats=repeats,
    )
    with over(path) as connection:
        theirs = by_hand.metrics(by_hand.rows(connection, query))
    checked = checking.same("small", checking.values(checking.read(results)), theirs)
    table = [[name, cost.seconds, cost.megabytes] for name, cost in costs.items()]
    compiled = {}
    for relations in (1, _RELATIONS):
        name = f"compile of {_TESTS} tests, {relations} relation{'s' if relations > 1 else ''}"
        written = many_tests(setting.folder / f"many_{relations}.json", relations)
        compiled[name] = _compiling(written, relations, repeats)
        table.append([f"{name}, in process", compiled[name], None])
    bare = costs[nothing].seconds or 0
    imported = (costs["import fairsql"].seconds or 0) - bare
    measured = zip(
        (run, "import, over an interpreter", *compiled),
        (costs[run].seconds, imported, *compiled.values()),
        _LIMITS,
        strict=True,
    )
    return Section(
        "small",
        {"what": "text", "time": "s", "peak": "MB"},
        table,
        [Target(what, seconds, limit, "s") for what, seconds, limit in measured],
        checked,
    )


def many_tests(path: Path, relations: int) -> Path:
    """Write a suite of two hundred tests that share so many relations, and return its path."""
    content = YAML(typ="safe").load(suite("sums"))
    tests = []
    for number in range(_TESTS):
        test = dict(content["tests"][number % len(content["tests"])])
        test["name"] = f"{number}: {test['name']}"
        test["relation"] = f"sample_{number % relations}"
        tests.append(test)
    path.write_text(json.dumps({**content, "tests": tests}), encoding="utf-8")
    return path


def _compiling(path: Path, relations: int, repeats: int) -> float:
    """Return the shortest seconds of reading and compiling a suite of so many statements.

    Raises
    ------
    WrongNumberError
        When it is another number of statements.
    """
    best = float("inf")
    for _ in range(max(repeats // 2, 1)):
        started = time.perf_counter()
        sql = fairsql.compile(fairsql.load_suite(path), dialect="bigquery")
        best = min(best, time.perf_counter() - started)
    if sql.count(";\n") != relations:
        found = sql.count(";\n")
        raise checking.WrongNumberError(
            f"{path.name}: {found} statements for {relations} relations"
        )
    return best
