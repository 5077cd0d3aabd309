"""The same cases on every engine, in Python and in SQL, against an oracle that reads the rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.dbt.rows import result_differences
from tests.differential import differences, oracle_table
from tests.engines.running import ENGINES
from tests.fixtures.relations import exactly, to_places
from tests.generator import Case, cases
from tests.oracle import judge
from tests.variants import variants

if TYPE_CHECKING:
    from tests.engines.running import Engine

QUANTILES = ("median", "p95")
# How many cases of quantiles and of other metrics are judged in Python, and how many in SQL: as
# many as an engine has time for. Spark plans a quantile for half a minute.
COUNTS = {
    "duckdb": ((10, 40), (6, 20)),
    "postgres": ((10, 40), (6, 20)),
    "googlesql": ((4, 24), (1, 12)),
    "spark": ((1, 9), (1, 8)),
}
SEED = 2026


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES],
)
def named_engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Engine]]:
    with ENGINES[request.param]() as engine:
        yield request.param, engine


def chosen(quantiles: int, others: int) -> list[Case]:
    """Return the first generated cases of each sort that are small enough for a slow engine."""
    small = [case for case in cases(SEED, 400) if len(case.rows) <= 250]
    ranked = [case for case in small if case.test["parity_metric"] in QUANTILES]
    plain = [case for case in small if case.test["parity_metric"] not in QUANTILES]
    return [*islice(ranked, quantiles), *islice(plain, others)]


def asked_of(case: Case, name: str) -> list[dict[str, Any]]:
    """Return the case's test and its siblings, but no quantile more than the case is about."""
    return [
        test
        for test in variants(case.test)
        if test["parity_metric"] not in QUANTILES
        or (case.test["parity_metric"] in QUANTILES and name != "spark")
        or test is case.test
    ]


def test_every_field_agrees_with_the_oracle(named_engine: tuple[str, Engine]) -> None:
    name, engine = named_engine
    found = []
    for case in chosen(*COUNTS[name][0]):
        engine.load("sample", case)
        tests = asked_of(case, name)
        suite = Suite(tuple(build_test(relation="sample", **test) for test in tests))
        run = suite.run(engine.warehouse)
        assert run.scans <= 1
        for test, result in zip(tests, run.tests, strict=True):
            expected = judge(oracle_table(case), case.columns, test)
            found += [f"{test['name']}: {line}" for line in differences(to_dict(result), expected)]
        engine.drop("sample")
    assert not found, "\n".join(found[:20])


def test_sql_reaches_the_verdict_of_python(named_engine: tuple[str, Engine]) -> None:
    name, engine = named_engine
    macros = macros_for(engine.warehouse.dialect)
    parameters = list(macros.call("catalogue")["types"]["group_metric_parity"]["parameters"])
    found = []
    for case in chosen(*COUNTS[name][1]):
        test = case.test
        engine.load("sample", case)
        (result,) = Suite((build_test(relation="sample", **test),)).run(engine.warehouse).tests
        # A missing or non-numeric column reaches users of SQL as the warehouse's own error.
        if result.reason not in ("column_missing", "column_not_numeric"):
            sql = macros.call(
                "default__fairsql_group_metric_parity_results",
                "sample",
                {parameter: test.get(parameter) for parameter in parameters},
                test.get("thresholds"),
                test["name"],
                None,
            )
            rows = engine.warehouse.run(sql).rows
            found += [f"{test['name']}: {x}" for x in result_differences(rows, to_dict(result))]
        engine.drop("sample")
    assert not found, "\n".join(found[:20])


def counted(groups: dict[str, tuple[int, int]]) -> Case:
    """Return a table of each group's rows, the first of them positive."""
    rows = [
        (group, int(place < positives))
        for group, (size, positives) in groups.items()
        for place in range(size)
    ]
    return Case("counted", {"who": "text", "chosen": "integer"}, rows, {})


def run_on(engine: Engine, case: Case, **test: Any) -> Any:
    engine.load("sample", case)
    test = {"relation": "sample", "min_group_size": 1, "min_group_share": 0, **test}
    (result,) = Suite((build_test(**test),)).run(engine.warehouse).tests
    engine.drop("sample")
    assert result.status in ("passed", "failed"), result.message
    return {next(iter(group.key.values())): group for group in result.groups}


RATE = {
    "parity_metric": "rate",
    "protected_attribute_columns": ["who"],
    "value_column": "chosen",
    "positive_values": ["1"],
    "higher_is_better": True,
}


def test_connecticut_v_teal(named_engine: tuple[str, Engine]) -> None:
    # 26 of 48 and 206 of 259 passed (457 U.S. 440, 1982); p by R's fisher.test.
    groups = run_on(named_engine[1], counted({"Black": (48, 26), "White": (259, 206)}), **RATE)
    assert groups["Black"].ratio == exactly(0.6810275080906149)
    assert groups["Black"].p_value == exactly(0.0004041588085768439)


def test_berkeley(named_engine: tuple[str, Engine]) -> None:
    # Bickel, Hammel and O'Connell 1975: 557 of 1,835 women, 1,198 of 2,691 men; R's fisher.test.
    groups = run_on(named_engine[1], counted({"F": (1835, 557), "M": (2691, 1198)}), **RATE)
    assert groups["F"].value == to_places(0.3035, 4)
    assert groups["F"].p_value == exactly(4.835903179337284e-22)


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_a_large_offset_costs_no_digits(named_engine: tuple[str, Engine], offset: float) -> None:
    # Variances of 1, 2, 3 and of 2, 4, 6, 9 are 1 and 107/12.
    rows = [("a", offset + x) for x in (1, 2, 3)] + [("b", offset + x) for x in (2, 4, 6, 9)]
    groups = run_on(
        named_engine[1],
        Case("moments", {"who": "text", "x": "float"}, rows, {}),
        parity_metric="mean",
        protected_attribute_columns=["who"],
        value_column="x",
        higher_is_better=True,
    )
    assert groups["a"].statistics["m2"] / 2 == pytest.approx(1, rel=1e-6)
    assert groups["b"].statistics["m2"] / 3 == pytest.approx(107 / 12, rel=1e-6)
    assert groups["a"].value == exactly(offset + 2)


SPELLINGS = {
    "F": ["F", " F", "F\t", "\u2003F\u00a0", "F\n"],
    "1": ["1", "1.0", " 1.00 "],
    "01": ["01"],
    "it's": ["it's", "it's "],
    'say "F"': ['say "F"'],
    "back\\slash": ["back\\slash", " back\\slash"],
    "${name}": ["${name}"],
    "😀": ["😀"],
    "two\nlines": ["two\nlines"],
}


def test_the_rows_of_a_group_are_all_its_spellings(named_engine: tuple[str, Engine]) -> None:
    _, engine = named_engine
    texts = [text for spellings in SPELLINGS.values() for text in spellings]
    rows = [
        (text, chosen)
        for text in [*texts, None, "", " \u3000", "Unknown "]
        for chosen in (1, 0, None)
    ]
    case = Case("spelt", {"who": "text", "chosen": "integer"}, rows, {})
    engine.load("sample", case)
    test = build_test(
        relation="sample",
        missing_attribute_values=["Unknown"],
        where="chosen = 1 or chosen is null",
        min_group_size=1,
        min_group_share=0,
        **RATE,
    )
    (result,) = Suite((test,)).run(engine.warehouse).tests
    found = {}
    for group in result.groups:
        assert group.rows_sql is not None
        answer = engine.warehouse.run(group.rows_sql)
        found[group.key["who"]] = sorted(row["who"] for row in answer.rows)
        assert len(answer.rows) == (group.rows or 0) + (group.missing_metric_inputs or 0)
    engine.drop("sample")
    # Of each spelling a positive and a row without its input; the filter drops the third.
    assert found == {key: sorted(2 * spellings) for key, spellings in SPELLINGS.items()}
