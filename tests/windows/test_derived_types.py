"""Types over rows that a macro makes: windows and ``where`` are read before, or refused by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import TESTS, build_test
from fairsql.config.derived import DerivedTest
from fairsql.errors import ConfigurationError
from fairsql.results import TestResult, to_dict
from fairsql.suite import Suite
from tests.dbt.rows import near
from tests.dbt.verdicts import in_duckdb, limit
from tests.llm.test_derived_in_sql import JUDGE, JUDGEMENTS, VARIANTS, judgements
from tests.llm.texts import answers, variants
from tests.windows.test_backfill import assert_same, differences

BY_GROUP = {"relation": "answers", "protected_attribute_columns": ["grp"]}
TONE = {
    "name": "tone",
    "judge": "bias",
    "model": "m",
    "prompt_version": "v1",
    "output_column": "answer",
    "table": "judged",
}
OF_ROWS: Mapping[str, dict[str, Any]] = {
    "refusal_rate_disparity": {**BY_GROUP, "output_column": "answer", "max_difference": 0.05},
    "toxicity_sentiment_disparity": {**BY_GROUP, "scorer_column": "score"},
    "stereotype_association_score": {
        **BY_GROUP,
        "answer_column": "answer",
        "stereotyped_answer_column": "grp",
    },
    "llm_bias": {
        **BY_GROUP,
        "judges": [TONE],
        "thresholds": [limit("bias_mean_score", "<=", 0.5)],
    },
}
OF_PAIRS: Mapping[str, dict[str, Any]] = {
    "counterfactual_fairness_divergence": {
        "relation": "variants",
        "output_column": "answer",
        "dimension": "dimension",
        "max_divergence": 0.2,
    },
    "pairwise_divergence": {
        "relation": "variants",
        "judges": [JUDGE],
        "max_mean_divergence": 0.2,
    },
}
TOLD = ("status", "reason", "rows", "measurements", "intervals")
WEEK = {"timestamp_column": "said_at", "evaluation_window": 7 * 86_400}
WEEKS = ("2024-03-04", "2024-03-25")
ENDS = ("2024-03-11", "2024-03-18", "2024-03-25")


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Answers of three weeks, and judgements of texts and of pairs."""
    with duckdb.connect() as opened:
        opened.execute("set timezone = 'America/New_York'")
        opened.execute(
            "create table answers (grp text, answer text, score double, said_at timestamp)"
        )
        for place, row in enumerate(answers(5, 480)):
            opened.execute(
                "insert into answers values (?, ?, ?, timestamp '2024-03-04' + to_hours(?))",
                [*row, place],
            )
        place_of = in_duckdb(opened)
        place_of.load("variants", VARIANTS, variants(3, 30))
        place_of.load("judged", JUDGEMENTS, judgements(3))
        opened.execute(
            "insert into judged select 'bias', 'v1', 'm',"
            " sha256(length(answer) || ':' || answer), length(answer) % 10 / 10.0, null, '2026'"
            " from (select distinct answer from answers where answer is not null) as texts"
        )
        yield opened


def suite(tests: Mapping[str, dict[str, Any]], **more: Any) -> Suite:
    return Suite(
        tuple(
            build_test(type_, name=type_, **{**fields, **more}) for type_, fields in tests.items()
        )
    )


def assert_alike(found: Sequence[TestResult], wanted: Sequence[TestResult]) -> None:
    """Compare what is told of the rows, whatever relation and filter they came from."""
    mine, other = ([told(one) for one in results] for results in (found, wanted))
    assert differences(mine, other) == []


def told(result: TestResult) -> dict[str, Any]:
    whole = to_dict(result)
    groups = [{**group, "rows_sql": None} for group in whole["groups"]]
    return {**{name: whole[name] for name in TOLD}, "groups": groups}


def test_every_derived_type_is_here() -> None:
    derived = {name for name, model in TESTS.items() if issubclass(model, DerivedTest)}
    assert derived == {*OF_ROWS, *OF_PAIRS}


def test_a_window_is_a_condition_on_the_rows(connection: duckdb.DuckDBPyConnection) -> None:
    windowed = suite(OF_ROWS, **WEEK)
    for start, end in (WEEKS[0], ENDS[0]), ENDS[:2]:
        condition = f"said_at >= '{start}' and said_at < '{end}'"
        found = windowed.run(connection, as_of=end).tests
        wanted = suite(OF_ROWS, where=condition).run(connection).tests
        assert_alike(found, wanted)
        assert {one.rows.total for one in found} == {7 * 24}
        assert {one.status for one in found} == {"passed", "failed"}


def test_each_window_of_a_backfill_is_as_it_is_alone(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    windowed = suite(OF_ROWS, **WEEK)
    run = windowed.run(connection, backfill=WEEKS)
    assert len(run.tests) == len(OF_ROWS) * len(ENDS)
    for place, end in enumerate(ENDS):
        assert_same(run.tests[place :: len(ENDS)], windowed.run(connection, as_of=end).tests)


def test_dbt_looks_at_the_same_window(connection: duckdb.DuckDBPyConnection) -> None:
    macros = macros_for("duckdb")
    results = suite(OF_ROWS, **WEEK).run(connection, as_of=ENDS[0]).tests
    for (type_, fields), result in zip(OF_ROWS.items(), results, strict=True):
        parameters = macros.call("catalogue")["types"][type_]["parameters"]
        given = {name: {**fields, **WEEK}.get(name) for name in parameters}
        limits = fields.get("thresholds")
        macro = f"default__fairsql_{type_}_results"
        sql = macros.call(macro, '"answers"', given, limits, type_, None, ENDS[0])
        found = connection.execute(sql)
        names = [column[0] for column in found.description]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
        assert {row["status"] for row in rows} == {result.status}
        assert {row["rows_total"] for row in rows} == {7 * 24}


@pytest.mark.parametrize("type_", OF_PAIRS)
def test_pairs_have_no_time_and_say_so(type_: str) -> None:
    fields = {**OF_PAIRS[type_], **WEEK}
    said = "timestamp_column: is not available for pairs; filter answers by where."
    with pytest.raises(ConfigurationError, match=re.escape(said)):
        build_test(type_, **fields)
    del fields["relation"]
    with duckdb.connect() as opened, pytest.raises(ConfigurationError) as error:
        in_duckdb(opened).failures(type_, "variants", **fields)
    assert "is not available for pairs; filter answers by where" in str(error.value)


def test_a_backfill_runs_a_test_of_pairs_once(connection: duckdb.DuckDBPyConnection) -> None:
    both = Suite((*suite(OF_PAIRS).tests, *suite(OF_ROWS, **WEEK).tests))
    run = both.run(connection, backfill=WEEKS)
    assert [one.name for one in run.tests][: len(OF_PAIRS)] == list(OF_PAIRS)
    assert len(run.tests) == len(OF_PAIRS) + len(OF_ROWS) * len(ENDS)
    alone = suite(OF_PAIRS).run(connection).tests
    assert_alike(run.tests[: len(OF_PAIRS)], alone)


@pytest.mark.parametrize(
    ("tests", "condition", "key"),
    [(OF_ROWS, "score >= 0.5 or grp = 'o''r'", "grp"), (OF_PAIRS, "role <> 'old'", "dimension")],
)
def test_where_is_read_before_rows_are_made(
    connection: duckdb.DuckDBPyConnection,
    tests: Mapping[str, dict[str, Any]],
    condition: str,
    key: str,
) -> None:
    """As of a table that holds those rows alone; and as dbt writes it, in place of the model."""
    (table,) = {fields["relation"] for fields in tests.values()}
    connection.execute(f"create or replace table kept as from {table} where {condition}")
    found = suite(tests, where=condition).run(connection).tests
    wanted = suite(tests, relation="kept").run(connection).tests
    everything = suite(tests).run(connection).tests
    assert_alike(found, wanted)
    for (type_, fields), one, whole in zip(tests.items(), found, everything, strict=True):
        assert (one.rows.total or 0) < (whole.rows.total or 0)
        given = {name: value for name, value in fields.items() if name != "relation"}
        if type_ == "llm_bias":  # which has no groups in dbt
            del given["protected_attribute_columns"]
        relation = f"(select * from {table} where {condition}) dbt_subquery"
        rows = in_duckdb(connection).groups(type_, relation, **given)
        assert {row["status"] for row in rows} == {one.status}
        values = {group.key.get(key): group.value for group in one.groups if group.key}
        in_sql = {row["key_1"]: row["value"] for row in rows if row.get("key_1") is not None}
        assert set(in_sql) <= set(values)
        assert all(near(value, values[name]) for name, value in in_sql.items())
