"""Random tables and random valid tests of them, the same for the same seed.

The cases lean towards what goes wrong: tiny groups, ties, constants, large offsets, one class only,
hostile names, and columns that are empty, absent or of the wrong type.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from tests.generated_columns import (
    Column,
    attribute,
    choose_labels,
    lose_values,
    numbers,
    predictions,
    probabilities,
    scores,
    write_labels,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import duckdb

    from tests.oracle.canonical import Kind

METRICS = (
    "auc",
    "log_loss",
    "brier",
    "npv",
    "false_omission_rate",
    "mae",
    "rmse",
    "r2",
    "mean",
    "median",
    "p95",
    "rate",
)
# What other test types take besides; group metric parity refuses them.
FURTHER_METRICS = (
    "accuracy",
    "precision",
    "recall",
    "specificity",
    "false_positive_rate",
    "false_negative_rate",
    "false_discovery_rate",
    "selection_rate",
    "base_rate",
    "f1",
    "balanced_accuracy",
    "geometric_mean",
    "mse",
    "mape",
    "p5",
    "p10",
    "p25",
    "p75",
    "p90",
    "p99",
    "sum",
    "min",
    "max",
    "std",
    "variance",
    "count",
    "distinct_count",
    "missing_rate",
    "scoring_rate",
    "standardized_mean_difference",
)
CELLS = {"npv", "false_omission_rate", *FURTHER_METRICS[:12]}
PROPORTIONS = {*CELLS, "rate", "missing_rate", "scoring_rate"}
OF_NUMBERS = {
    "p5",
    "p10",
    "p25",
    "p75",
    "p90",
    "p99",
    "sum",
    "min",
    "max",
    "std",
    "variance",
    "scoring_rate",
}
OF_NUMBERS |= {"mean", "median", "p95", "standardized_mean_difference"}
OF_ANYTHING = {"distinct_count", "missing_rate"}
# A variance about 1e9 is promised to 1e-6 only, and these show it.
OF_SPREADS = {"r2", "std", "variance", "standardized_mean_difference"}
WITH_DIRECTION = {"rate", "selection_rate", "base_rate", "count", *OF_NUMBERS, *OF_ANYTHING}
WITHOUT_OVERALL = {"auc", "r2", "sum", "min", "max", "std", "variance", "count", "distinct_count"}
WITHOUT_OVERALL |= {"standardized_mean_difference"}
WITHOUT_P_VALUE = {"r2", "f1", "balanced_accuracy", "geometric_mean", "missing_rate"}
WITHOUT_P_VALUE |= WITHOUT_OVERALL - {"auc", "standardized_mean_difference"}

# A measurement's plausible thresholds: the operator of everyday use, and values near the results.
THRESHOLDS: dict[str, tuple[str, tuple[float, ...]]] = {
    "failing_group_count": ("<=", (0, 0, 1, 2)),
    "failing_group_percentage": ("<=", (0, 0.2, 0.25, 0.5, 1)),
    "min_metric_ratio": (">=", (0.8, 0.8, 0.5, 0.9, 1)),
    "max_metric_difference": ("<=", (0, 0.05, 0.1, 1, 20)),
    "worst_group_value": (">=", (0, 0.1, 0.5, 1, 10, 50)),
    "significant_disparity_count": ("<=", (0, 0, 1)),
    "insufficient_group_count": ("<=", (0, 1, 3)),
    "missing_attribute_rate": ("<=", (0, 0.01, 0.1, 0.5)),
    "min_group_share": (">=", (0.005, 0.02, 0.1, 0.25)),
    "undefined_group_count": ("<=", (0, 0, 1)),
}
OPERATORS = (">", ">=", "<", "<=", "is", "!=")

ATTRIBUTE_NAMES = ("gender", "race", "age_band", 'quo"te', "two words", "select", "naïve", "it's")
INPUT_NAMES: dict[str, tuple[str, ...]] = {
    "score_column": ("score", "Score 1", "order"),
    "probability_column": ("probability", "p", "100%"),
    "prediction_column": ("prediction", "predicted", 'the "guess"'),
    "ground_truth_column": ("truth", "approved", "dot.ted", "user"),
    "value_column": ("value", "latency_ms", "{{ value }}", "back\\slash"),
}

# What may be wrong with a table, by how often; None stands for nothing.
FLAWS: dict[str | None, float] = {
    None: 85,
    "empty": 1.2,
    "column_absent": 1.5,
    "wrong_type": 1.5,
    "input_all_missing": 1.2,
    "attribute_all_missing": 1.2,
    "infinite": 1.5,
    "out_of_range": 4,
    "disjoint": 1.2,
    "all_positive": 3,
    "all_negative": 1.5,
    "one_group": 1.2,
    "constant_truth": 1,
}

SQL_TYPES: dict[str, str] = {
    "integer": "BIGINT",
    "float": "DOUBLE",
    "decimal": "DECIMAL(12,3)",
    "boolean": "BOOLEAN",
    "text": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMP WITH TIME ZONE",
}


@dataclass(frozen=True)
class Case:
    """A table and a valid test of it, as a suite file would hold it but for its relation."""

    name: str
    columns: dict[str, Kind]
    rows: list[tuple[Any, ...]]
    test: dict[str, Any]
    where: None = None

    @property
    def table(self) -> dict[str, list[Any]]:
        """The rows by column."""
        return {name: [row[i] for row in self.rows] for i, name in enumerate(self.columns)}


def cases(seed: int, count: int, metrics: Sequence[str] = METRICS) -> Iterator[Case]:
    """Generate cases; the n-th depends on the seed, the metrics and on n alone.

    Examples
    --------
    >>> [case.name for case in cases(1, 2)] == [case.name for case in cases(1, 3)][:2]
    True
    """
    for index in range(count):
        rng = Random(f"{seed}-{index}")  # noqa: S311 (tests want the same numbers again)
        yield _case(rng, f"{seed}-{index}", metrics)


def create_table_sql(case: Case, table_name: str) -> tuple[str, list[tuple[Any, ...]]]:
    """Write DuckDB's CREATE TABLE for a case, and the rows to insert as parameters.

    Examples
    --------
    >>> create_table_sql(Case("c", {'a"b': "text", "x": "float"}, [("f", 1.0)], {}), "t")
    ('CREATE TABLE "t" ("a""b" VARCHAR, "x" DOUBLE)', [('f', 1.0)])
    """
    columns = ", ".join(f"{_quoted(name)} {SQL_TYPES[kind]}" for name, kind in case.columns.items())
    return f"CREATE TABLE {_quoted(table_name)} ({columns})", case.rows


def load(connection: duckdb.DuckDBPyConnection, case: Case, table_name: str) -> None:
    """Create a case's table in DuckDB and fill it, in order.

    A list a column is some seventy times as fast as ``executemany``, which binds row by row.
    """
    statement, rows = create_table_sql(case, table_name)
    connection.execute(statement)
    if rows:
        lists = ", ".join(f"unnest(?::{SQL_TYPES[kind]}[])" for kind in case.columns.values())
        connection.execute(
            f"INSERT INTO {_quoted(table_name)} SELECT {lists}",
            [list(column) for column in zip(*rows, strict=True)],
        )


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _case(rng: Random, number: str, metrics: Sequence[str]) -> Case:
    metric = rng.choice(metrics)
    flaw = rng.choices(list(FLAWS), list(FLAWS.values()))[0]
    row_count = 0 if flaw == "empty" else rng.randint(*rng.choice(((1, 40), (40, 400), (40, 400))))

    names = rng.sample(ATTRIBUTE_NAMES, rng.choices((1, 2, 3), (7, 2, 1))[0])
    attributes = {name: attribute(rng, row_count) for name in names}
    if flaw == "one_group":
        for column in attributes.values():
            column.values = column.values[:1] * row_count
    effects = effects_of(rng, attributes[names[0]].values)
    inputs, positive_values = _inputs(rng, metric, effects, flaw)
    test: dict[str, Any] = {
        "name": f"{number} {metric}",
        "type": "group_metric_parity",
        "protected_attribute_columns": names,
        "parity_metric": metric,
        **{parameter: rng.choice(INPUT_NAMES[parameter]) for parameter in inputs},
    }
    if positive_values:
        test["positive_values"] = positive_values
    if metric in WITH_DIRECTION:
        test["higher_is_better"] = rng.random() < 0.5
    add_options(rng, test, metric, attributes)

    columns = attributes | {test[parameter]: column for parameter, column in inputs.items()}
    _spoil(rng, flaw, columns, names, [test[parameter] for parameter in inputs])
    if rng.random() < 0.1:
        columns["unrelated"] = Column("text", ["x"] * row_count)
    return Case(
        name=str(test["name"]),
        columns={name: column.kind for name, column in columns.items()},
        rows=list(zip(*(column.values for column in columns.values()), strict=True)),
        test=test,
    )


def effects_of(rng: Random, groups: Sequence[Any]) -> list[float]:
    """Give each row its group's effect, 0 to 1; in many cases it hardly differs between groups."""
    strength = rng.choice((0.0, 0.1, 0.5, 1.0))
    base = rng.random() * (1 - strength)
    by_group = {repr(g): base + strength * rng.choice((0.0, rng.random(), 1.0)) for g in groups}
    return [by_group[repr(g)] for g in groups]


def _inputs(
    rng: Random, metric: str, effects: Sequence[float], flaw: str | None
) -> tuple[dict[str, Column], list[Any]]:
    """Draw the metric's input columns by parameter, and the positive values where it needs them."""
    chances = list(effects)
    if flaw in {"all_positive", "all_negative"}:
        chances = [float(flaw == "all_positive")] * len(effects)
    elif metric not in PROPORTIONS and rng.random() < 0.7:
        chances = [0.2 + 0.6 * effect for effect in effects]
    positives = [rng.random() < chance for chance in chances]
    values: list[Any] = []
    large_offset = 0 if metric in OF_SPREADS else 0.1
    if metric == "count":
        inputs = {}
    elif metric in OF_NUMBERS:
        inputs = {"value_column": numbers(rng, effects, large_offset)}
    elif metric in OF_ANYTHING:
        inputs = {"value_column": _anything(rng, effects, positives)}
    elif metric in {"mae", "rmse", "r2", "mse", "mape"}:
        truths = numbers(rng, effects, large_offset)
        if flaw == "constant_truth":
            truths = Column("float", [0.1] * len(effects))
        inputs = {"prediction_column": predictions(rng, truths, effects)}
        inputs["ground_truth_column"] = truths
    elif metric == "rate":
        (labels,), values = choose_labels(rng, 1)
        inputs = {"value_column": write_labels(rng, labels, positives)}
    else:
        (truth, other), values = choose_labels(rng, 2)
        inputs = {}
        if metric == "auc":
            inputs["score_column"] = scores(rng, positives, effects)
        elif metric in {"log_loss", "brier"}:
            inputs["probability_column"] = probabilities(rng, positives, effects)
        else:
            wrong = rng.choice((0.0, 0.1, 0.4))
            predicted = [p != (rng.random() < wrong) for p in positives]
            inputs["prediction_column"] = write_labels(rng, other, predicted)
        inputs["ground_truth_column"] = write_labels(rng, truth, positives)
    if values and rng.random() < 0.03:
        values = ["never"]
    for column in inputs.values():
        lose_values(rng, column, rng.choice((0.0, 0.0, 0.0, 0.03, 0.3)))
    return inputs, values


def _anything(rng: Random, effects: Sequence[float], positives: Sequence[bool]) -> Column:
    """Draw a column of any type; group after group may hold one value in several spellings."""
    sort = rng.choice(("attribute", "labels", "numbers"))
    if sort == "attribute":
        return attribute(rng, len(effects))
    if sort == "labels":
        (labels,), _ = choose_labels(rng, 1)
        return write_labels(rng, labels, positives)
    return numbers(rng, effects)


def add_options(
    rng: Random, test: dict[str, Any], metric: str, attributes: Mapping[str, Column]
) -> None:
    """Add optional parameters, within the bounds and the requirements of SPEC §2.1."""

    def sometimes(chance: float, key: str, choices: Sequence[Any]) -> None:
        if rng.random() < chance:
            test[key] = rng.choice(choices)

    # Small enough that most tables reach a verdict.
    row_count = len(next(iter(attributes.values())).values)
    sizes = [size for size in (1, 1, 2, 3, 5, 10, 20) if size <= 1 + row_count / 15]
    sometimes(0.9, "min_group_size", sizes)
    sometimes(0.8, "min_group_share", (0, 0, 0, 0.01, 0.05, 0.1, 0.125)[: 8 - len(attributes)])
    sometimes(0.4, "min_ratio", (0.5, 0.8, 0.9, 0.95, 1, 0.01))
    gaps = (0, 0.02, 0.1, 0.25, 1) if metric in PROPORTIONS else (0, 0.02, 0.1, 1, 10)
    # A standardized gap is judged by nothing else.
    sometimes(1.0 if metric == "standardized_mean_difference" else 0.45, "max_difference", gaps)
    sometimes(0.4, "alpha", (0.01, 0.1, 0.5, 0.05, 0.001, 0.0625))
    sometimes(0.1, "significance_test", ("none", "auto"))
    sometimes(0.1, "min_reported_rows", (1, 5, 20, 100))
    sometimes(0.2, "missing_attribute_values", (["Unknown"], ["N/A", "Unknown"], ["M"], ["1"]))
    adjustments = ["none", "holm", "benjamini_hochberg"]
    if metric not in WITHOUT_OVERALL and rng.random() < 0.3:
        test["comparison"] = "overall"
    elif len(attributes) == 1 and rng.random() < 0.25:
        test["reference_strategy"] = "named"
        test["reference_value"] = _reference(rng, next(iter(attributes.values())))
    else:
        sometimes(0.2, "comparison", ("reference",))
        sometimes(0.1, "reference_strategy", ("highest",))
        adjustments.append("holm_all_pairs")
    sometimes(0.4, "p_value_adjustment", adjustments)
    significance = metric not in WITHOUT_P_VALUE and test.get("significance_test") != "none"
    if significance:
        sometimes(0.3, "require_significance", (True, True, False))
    if "max_difference" in test and rng.random() < 0.2:
        # The ratio alone: null, and then undefined, where a worse group has none.
        test["thresholds"] = [{"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8}]
    elif rng.random() < 0.85:
        test["thresholds"] = _thresholds(rng, significance)


def _thresholds(rng: Random, significance: bool) -> list[dict[str, Any]]:
    measurements = [m for m in THRESHOLDS if significance or m != "significant_disparity_count"]
    thresholds = []
    for measurement in rng.choices(measurements, k=rng.choice((1, 1, 2, 3))):
        usual, values = THRESHOLDS[measurement]
        operator = usual if rng.random() < 0.75 else rng.choice(OPERATORS)
        thresholds.append(
            {"measurement": measurement, "operator": operator, "value": rng.choice(values)}
        )
    return thresholds


def _reference(rng: Random, column: Column) -> Any:
    """Name one of the groups as a user would, or one that does not exist."""
    present = [v for v in column.values if v is not None and v == v and str(v).strip()]
    if not present or rng.random() < 0.1:
        return "nowhere"
    value = rng.choice(present)
    match column.kind:
        case "text":
            return value.strip()
        case "boolean":
            return rng.choice((value, str(value), str(value).lower()))
        case "integer" | "decimal":
            return rng.choice((float(value), str(value)))
        case "float":
            return value
    return value.isoformat()[: len("2024-01-31T09:05:00.25")]


def _spoil(
    rng: Random,
    flaw: str | None,
    columns: dict[str, Column],
    attributes: Sequence[str],
    inputs: Sequence[str],
) -> None:
    """Make the flaw that a case was given, where its columns allow it."""
    if not inputs:
        return
    row_count = len(columns[inputs[0]].values)
    numeric = columns[inputs[0]].kind in {"integer", "float", "decimal"}
    match flaw:
        case "column_absent":
            del columns[rng.choice([*attributes, *inputs])]
        case "wrong_type":
            text, boolean = (
                Column("text", ["1.5"] * row_count),
                Column("boolean", [True] * row_count),
            )
            columns[inputs[0]] = rng.choice((text, boolean))
        case "input_all_missing":
            columns[rng.choice(inputs)].values = [None] * row_count
        case "attribute_all_missing":
            columns[rng.choice(attributes)].values = [None] * row_count
        case "disjoint":
            # No row has both a metric input and the attribute.
            for i in range(row_count):
                columns[attributes[0] if i % 2 else inputs[0]].values[i] = None
        case "infinite" if numeric and row_count:
            finite = [None if v is None else float(v) for v in columns[inputs[0]].values]
            finite[rng.randrange(row_count)] = rng.choice((math.inf, -math.inf))
            columns[inputs[0]] = Column("float", finite)
        case "out_of_range" if numeric and row_count:
            floats = [None if v is None else float(v) for v in columns[inputs[0]].values]
            floats[rng.randrange(row_count)] = rng.choice((1.0000001, -1e-9, 7.0))
            columns[inputs[0]] = Column("float", floats)
