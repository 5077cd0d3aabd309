"""Generated tables and tests of every type whose verdict SQL gives too."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from tests.dbt.derived_cases import DERIVED, FLAGGED, made
from tests.dbt.judged_cases import JUDGED, OF_BIAS, judge, judged_rows
from tests.generated_columns import (
    Column,
    attribute,
    choose_labels,
    lose_values,
    numbers,
    probabilities,
    scores,
    write_labels,
)
from tests.generator import ATTRIBUTE_NAMES, INPUT_NAMES, OPERATORS, Case, cases, effects_of
from tests.kinds.generator import kind_cases
from tests.weighted_cases import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

STATISTICS = (
    *("sum", "mean", "median", "min", "max", "std", "variance", "count", "distinct_count"),
    *("missing_rate", "p90", "p95", "p99"),
)
FACTS = (
    *("insufficient_group_count", "undefined_group_count", "missing_attribute_rate"),
    "min_group_share",
)
OF_CONDITIONS = (
    *("failing_group_count", "failing_group_percentage", *FACTS),
    *("lowest_group_value", "highest_group_value"),
)
OF_LABELS = (
    *("accuracy", "precision", "recall", "specificity", "false_positive_rate", "npv", "f1"),
    *("false_negative_rate", "false_discovery_rate", "false_omission_rate", "selection_rate"),
    *("balanced_accuracy", "geometric_mean", "base_rate"),
)
OF_A_COLUMN = (
    *("mean", "median", "p90", "p95", "p99", "sum", "min", "max", "std", "variance"),
    *("distinct_count", "missing_rate"),
)
OF_ERRORS = ("mse", "rmse", "mae", "r2", "mape")
OF_COSTS = ("mean_latency", "max_latency", "total_latency", "p99_latency")
SORTS = (*("labels", "scores", "probabilities", "errors", "column", "rate", "costs", "judged"),)
# Types of which no limit is on what is counted of groups.
WITHOUT_GROUPS = {"metric_threshold", "llm_bias", *DERIVED} - set(FLAGGED)
NEAR_ZERO_AND_ONE = (0, 0.05, 0.25, 0.5, 0.8, 1, 2, 10)


def type_cases(type_: str, seed: int, count: int) -> Iterator[Case]:
    """Generate cases of a type; the n-th depends on the type, the seed and on n alone."""
    made = {
        "group_metric_parity": cases(seed, count),
        "group_column_statistic": _column_statistics(seed),
        "metric_threshold": _metric_thresholds(seed),
        "llm_bias": _biases(seed),
        **{derived: _derived(derived, seed) for derived in DERIVED},
    }.get(type_, _of_kind(type_, seed))
    for number, case in enumerate(islice(made, count)):
        rng = Random(f"{type_} {seed}-{number}")  # noqa: S311 (tests want the same numbers again)
        made_so = _weighed(rng, _spoiled(rng, _with_facts(rng, case)))
        yield _approximated(Random(f"method {type_} {seed}-{number}"), made_so)  # noqa: S311


# --- the types that compare groups -------------------------------------------------------------


def _of_kind(type_: str, seed: int) -> Iterator[Case]:
    for case in kind_cases(seed, 1_000_000):
        if case.test["type"] == type_:
            yield case


def _with_facts(rng: Random, case: Case) -> Case:
    """Return a case that perhaps limits what is counted and not compared, skipped or not."""
    if case.test["type"] in WITHOUT_GROUPS or rng.random() < 0.7:
        return case
    fact = {
        "measurement": rng.choice(FACTS),
        "operator": rng.choice(OPERATORS),
        "value": rng.choice((0, 0.02, 0.1, 1, 2)),
    }
    return replace(case, test={**case.test, "thresholds": [*case.test.get("thresholds", []), fact]})


# --- those that do not -------------------------------------------------------------------------


def _column_statistics(seed: int) -> Iterator[Case]:
    for number in range(1_000_000):
        rng = Random(f"column statistic {seed}-{number}")  # noqa: S311
        columns = _attributes(rng)
        names = list(columns)
        effects = effects_of(rng, columns[names[0]].values)
        statistic, value_column = rng.choice(STATISTICS), rng.choice(INPUT_NAMES["value_column"])
        # Variances about 1e9 are promised to 1e-6 alone.
        drawn = numbers(rng, effects, large_offset=0)
        if statistic in ("distinct_count", "missing_rate") and rng.random() < 0.5:
            drawn = attribute(rng, len(effects))
        lose_values(rng, drawn, rng.choice((0, 0.03, 0.3)))
        columns[value_column] = drawn
        test: dict[str, Any] = {
            "protected_attribute_columns": names,
            "statistic": statistic,
            "operator": rng.choice(OPERATORS),
            "value": _limit(rng, drawn.values),
        }
        if statistic != "count":
            test["value_column"] = value_column
        if rng.random() < 0.5:
            test |= {"min_group_size": rng.choice((2, 5, 20)), "min_group_share": 0.02}
        if rng.random() < 0.2:
            test["missing_attribute_values"] = rng.choice((["Unknown", "N/A"], ["F"], ["1"]))
        if rng.random() < 0.1:
            test["min_reported_rows"] = rng.choice((5, 20))
        if rng.random() < 0.6:
            test["thresholds"] = [
                {
                    "measurement": name,
                    "operator": rng.choice(OPERATORS),
                    "value": _limit(rng, drawn.values),
                }
                for name in rng.sample(OF_CONDITIONS, rng.choice((1, 2)))
            ]
        yield _case("group_column_statistic", f"{seed}-{number}", columns, test)


def _metric_thresholds(seed: int) -> Iterator[Case]:
    for number in range(1_000_000):
        rng = Random(f"metric threshold {seed}-{number}")  # noqa: S311
        rows = rng.randint(*rng.choice(((1, 20), (20, 300))))
        effects = [rng.random() for _ in range(rows)]
        columns, test, names = _measured(rng, effects)
        for column in columns.values():
            lose_values(rng, column, rng.choice((0, 0, 0.03, 0.3)))
        number_columns = [c for c in columns.values() if c.kind in ("integer", "float")]
        values = number_columns[0].values if number_columns else []
        test["thresholds"] = [
            {
                "measurement": name,
                "operator": rng.choice(OPERATORS),
                "value": _limit(rng, values),
            }
            for name in rng.choices(names, k=rng.choice((1, 2, 3)))
        ]
        yield _case("metric_threshold", f"{seed}-{number}", columns, test)


def _biases(seed: int) -> Iterator[Case]:
    for number in range(1_000_000):
        rng = Random(f"bias {seed}-{number}")  # noqa: S311
        columns = judged_rows(rng, rng.randint(*rng.choice(((1, 20), (20, 200)))))
        names = rng.choices(OF_BIAS, k=rng.choice((1, 2, 3)))
        limits = [
            {
                "measurement": name,
                "operator": rng.choice(OPERATORS),
                "value": rng.choice((0, 0.1, 0.3, 0.4, 0.5, 1, 10, 100)),
            }
            for name in names
        ]
        test = {"judges": [judge("tone", "bias")], "thresholds": limits}
        yield _case("llm_bias", f"{seed}-{number}", columns, test)


def _derived(type_: str, seed: int) -> Iterator[Case]:
    for number in range(1_000_000):
        rng = Random(f"{type_} {seed}-{number}")  # noqa: S311
        columns, test = made(type_, rng)
        yield _case(type_, f"{seed}-{number}", columns, test)


def _measured(
    rng: Random, effects: Sequence[float]
) -> tuple[dict[str, Column], dict[str, Any], Sequence[str]]:
    """Return columns, the arguments that name them, and the metrics that they allow."""
    positives = [rng.random() < effect for effect in effects]
    sort = rng.choice(SORTS)
    if sort == "judged":
        names = rng.sample(JUDGED, 2)
        judges = [judge(f"judge_{name}", name) for name in names]
        return judged_rows(rng, len(effects)), {"judges": judges}, names
    if sort in ("column", "costs"):
        name = "value_column" if sort == "column" else "latency_column"
        columns = {rng.choice(INPUT_NAMES["value_column"]): numbers(rng, effects, large_offset=0)}
        if sort == "costs":
            return columns, {name: next(iter(columns))}, OF_COSTS
        return columns, {name: next(iter(columns))}, OF_A_COLUMN
    if sort == "errors":
        truths = numbers(rng, effects, large_offset=0)
        guesses = [float(t) + rng.gauss(0, 1) for t in truths.values]
        roles = ("prediction_column", "ground_truth_column")
        columns = {rng.choice(INPUT_NAMES[role]): Column("float", guesses) for role in roles[:1]}
        columns[rng.choice(INPUT_NAMES[roles[1]])] = truths
        return columns, dict(zip(roles, columns, strict=True)), OF_ERRORS
    labels, values = choose_labels(rng, 1 if sort == "rate" else 2)
    if sort == "rate":
        columns = {rng.choice(INPUT_NAMES["value_column"]): write_labels(rng, labels[0], positives)}
        test = {"value_column": next(iter(columns)), "positive_values": values}
        return columns, test, ("rate",)
    role, drawn, metrics = {
        "labels": (
            "prediction_column",
            write_labels(rng, labels[1], [p != (rng.random() < 0.2) for p in positives]),
            OF_LABELS,
        ),
        "scores": ("score_column", scores(rng, positives, effects), ("auc",)),
        "probabilities": (
            "probability_column",
            probabilities(rng, positives, effects),
            ("log_loss", "brier"),
        ),
    }[sort]
    columns = {rng.choice(INPUT_NAMES[role]): drawn}
    columns[rng.choice(INPUT_NAMES["ground_truth_column"])] = write_labels(
        rng, labels[0], positives
    )
    test = dict(zip((role, "ground_truth_column"), columns, strict=True))
    return columns, {**test, "positive_values": values}, metrics


def _limit(rng: Random, values: Sequence[Any]) -> float:
    """Return a limit that a statistic may well be equal to, or one of everyday use."""
    held = [float(v) for v in values if isinstance(v, int | float) and math.isfinite(v)]
    return rng.choice(held) if held and rng.random() < 0.5 else rng.choice(NEAR_ZERO_AND_ONE)


def _attributes(rng: Random) -> dict[str, Column]:
    rows = rng.randint(*rng.choice(((1, 40), (40, 300))))
    names = rng.sample(ATTRIBUTE_NAMES, rng.choice((1, 1, 1, 2, 3)))
    return {name: attribute(rng, rows) for name in names}


def _case(type_: str, number: str, columns: Mapping[str, Column], test: dict[str, Any]) -> Case:
    name = f"{number} {type_}"
    return Case(
        name=name,
        columns={name: column.kind for name, column in columns.items()},
        rows=list(zip(*(column.values for column in columns.values()), strict=True)),
        test={"name": name, "type": type_, **test},
    )


# --- what may happen to any of them ------------------------------------------------------------


def _spoiled(rng: Random, case: Case) -> Case:
    """Return a case of which, now and then, no row is left, a column is empty or not finite."""
    flaw = rng.choices(("none", "no rows", "no values", "infinite"), (90, 2, 5, 3))[0]
    if flaw == "no rows":
        return replace(case, rows=[])
    place = rng.randrange(len(case.columns))
    if flaw == "infinite" and list(case.columns.values())[place] == "float" and case.rows:
        spoiled = rng.randrange(len(case.rows))
        rows = list(case.rows)
        rows[spoiled] = (*rows[spoiled][:place], math.inf, *rows[spoiled][place + 1 :])
        return replace(case, rows=rows)
    if flaw == "no values":
        rows = [(*row[:place], None, *row[place + 1 :]) for row in case.rows]
        return replace(case, rows=rows)
    return case


def _weighed(rng: Random, case: Case) -> Case:
    """Return a case whose rows, now and then, are weighted, where the test may be."""
    if rng.random() < 0.75:
        return case
    test = {**case.test, "weight_column": 'the "weight"'}
    try:
        build_test(relation="t", **test)
    except ConfigurationError:
        return case
    draw = rng.choices(
        [draw for _, draw in SHAPES.values()], [share for share, _ in SHAPES.values()]
    )[0]
    return replace(
        case,
        columns={**case.columns, 'the "weight"': "float"},
        rows=[(*row, draw(rng)) for row in case.rows],
        test=test,
    )


def _approximated(rng: Random, case: Case) -> Case:
    """Return a case of which half compute AUC or quantiles by bins, where the test has them."""
    if rng.random() < 0.5:
        return case
    for method in ({"auc_method": "binned"}, {"quantile_method": "approximate"}):
        test = {**case.test, **method}
        try:
            build_test(relation="t", **test)
        except ConfigurationError:
            continue
        case = replace(case, test=test)
    return case
