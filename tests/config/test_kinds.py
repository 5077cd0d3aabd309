"""Tests besides group metric parity: what is refused, in which words, and by the schema too."""

from __future__ import annotations

import math
from typing import Any

import jsonschema
import pytest

import fairsql
from fairsql.config import TESTS, parse_suite, suite_json_schema
from fairsql.config.fields import camel_case
from tests.config.kinds import FIELDS, kind, limit, metric, outcome, performance, score, statistic
from tests.config.samples import refusal, suite_of

VALIDATOR = jsonschema.Draft202012Validator(suite_json_schema())
UNLABELLED = ("prediction_column", "positive_values")
SMD: dict[str, Any] = {"statistic": "standardized_mean_difference", "max_difference": 0.2}
SCORED: dict[str, Any] = {"score_column": "s", "decision_threshold": 0.5}

# A schema of one file says what a field may hold; what goes together is the reader's alone.
FIELDS_AT_FAULT: list[tuple[dict[str, Any], str]] = [
    # group_outcome_disparity
    (
        outcome(outcome_colum="x"),
        "outcome_colum: is not a known key. Did you mean 'outcome_column'?",
    ),
    (outcome("outcome_column"), "outcome_column: is required: a column name."),
    (outcome("favorable_values"), "favorable_values: is required: a list of at least one value."),
    (
        outcome(favorable_values=[]),
        "favorable_values: must be a list of at least one value, but is",
    ),
    (outcome(favorable_values="1"), "but is '1'. Write it as a list: ['1']."),
    (outcome(favorable_values=[None]), "favorable_values[0]: must be a text that is not blank, a "),
    (outcome("protected_attribute_columns"), "protected_attribute_columns: is required: a list of"),
    (outcome(positive_values=["1"]), "positive_values: is not a known key."),
    (outcome(higher_is_better=True), "higher_is_better: is not a known key. Known are name, type,"),
    (outcome(parity_metric="rate"), "parity_metric: is not a known key. Known are name, type, rel"),
    (outcome(stratify_by_columns="department"), "Write it as a list: ['department']."),
    (outcome(stratify_by_columns=list("abcd")), "must be a list of up to 3 column names, but is a"),
    (outcome(stratify_by_columns=[1]), "stratify_by_columns[0]: must be a column name, but is 1."),
    (outcome(min_ratio=0), "min_ratio: must be a number greater than 0 and at most 1, but is 0."),
    (outcome(alpha=1), "alpha: must be a number greater than 0 and less than 1, but is 1."),
    (outcome(min_reported_rows=0), "min_reported_rows: must be a whole number of at least 1 and b"),
    (outcome(thresholds=[limit("impactRation")]), "Did you mean 'impact_ratio'?"),
    (outcome(thresholds=[limit("recall_difference")]), "but is 'recall_difference'."),
    # group_score_disparity
    (score("score_column"), "score_column: is required: a column name."),
    (score("higher_is_better"), "higher_is_better: is required: true or false."),
    (score(statistic="meen"), "but is 'meen'. Did you mean 'mean'?"),
    (score(value_column="x"), "value_column: is not a known key. Did you mean 'score_column'?"),
    (score(max_difference=-1), "max_difference: must be a finite number of at least 0, but is -1."),
    (score(thresholds=[limit("impact_ratio")]), "but is 'impact_ratio'."),
    # group_performance_parity
    (performance("performance_metrics"), "performance_metrics: is required: a list of metrics and"),
    (performance(performance_metrics=[]), "performance_metrics: must be a list of metrics and cri"),
    (performance(performance_metrics="recall"), "Write it as a list: ['recall']."),
    (performance(performance_metrics=["recal"]), "but is 'recal'. Did you mean 'recall'?"),
    (performance(performance_metrics=["auc"]), "performance_metrics[0]: must be one of accuracy, "),
    (performance("ground_truth_column"), "ground_truth_column: is required: a column name."),
    (performance("positive_values", average="micro"), "average: must be macro, but is 'micro'."),
    (performance(thresholds=[limit("recall_diference")]), "Did you mean 'recall_difference'?"),
    # group_column_statistic
    (statistic("statistic"), "statistic: is required: one of sum, mean, median, min, max, std, va"),
    (statistic("operator"), "operator: is required: one of >, >=, <, <=, is, !=."),
    (statistic("value"), "value: is required: a finite number."),
    (statistic(statistic="avg"), "statistic: must be one of sum, mean, median, min, max, std, var"),
    (
        statistic(operator="=="),
        """operator: must be one of >, >=, <, <=, is, !=, but is '=='. Did """,
    ),
    (statistic(value="3"), "value: must be a finite number, but is '3'. Write the number without"),
    (statistic(min_ratio=0.8), "min_ratio: is not a known key. Known are name, type, relation, "),
    (statistic(comparison="overall"), "comparison: is not a known key. Known are name, type, rela"),
    (statistic(min_group_size=0), "min_group_size: must be a whole number of at least 1 and below"),
    (statistic(thresholds=[limit("min_metric_ratio")]), "but is 'min_metric_ratio'."),
    # metric_threshold
    (metric(without=("thresholds",)), "thresholds: is required: a list of thresholds."),
    (metric(thresholds=[]), "thresholds: must be a list of thresholds, but is an empty list."),
    (metric("rocAuk"), "thresholds[0].measurement: must be one of accuracy, precision, recall, sp"),
    (metric("failing_group_count"), "but is 'failing_group_count'."),
    (metric(protected_attribute_columns=["g"]), "protected_attribute_columns: is not a known key."),
    (metric(min_group_size=3), "min_group_size: is not a known key. Known are name, type, relati"),
    (metric(alpha=0), "alpha: must be a number greater than 0 and less than 1, but is 0."),
    (
        metric("log_loss", class_score_columns=["a"], without=UNLABELLED),
        "class_score_columns: must be a mapping of two or more classes, each to the column of its",
    ),
]
TOGETHER: list[tuple[dict[str, Any], str]] = [
    (outcome(max_difference=2), "must be at most 1, because rate is a proportion, but is 2."),
    (outcome(outcome_column="gender"), "names 'gender', which is also the outcome_column."),
    (outcome(stratify_by_columns=["gender"]), "stratify_by_columns: names 'gender' twice."),
    (outcome(stratify_by_columns=["a", "a"]), "stratify_by_columns: names 'a' twice."),
    (outcome(stratify_by_columns=["hired"]), "names 'hired', which is also the outcome_column."),
    (
        outcome(thresholds=[limit("mantelHaenszelOddsRatio")]),
        "thresholds: mantel_haenszel_odds_ratio needs stratify_by_columns.",
    ),
    (
        outcome(significance_test="none", require_significance=True),
        "require_significance: cannot be true, because significance_test is none.",
    ),
    (outcome(comparison="overall", reference_value="F"), "reference_value: cannot be used with co"),
    (
        score(statistic="standardized_mean_difference"),
        "max_difference: is required by statistic standardized_mean_difference, which has no rat",
    ),
    (score(**SMD, comparison="overall"), "comparison: overall is not available for standardized_"),
    (
        score(**SMD, thresholds=[limit("minMetricRatio")]),
        "thresholds: cannot limit min_metric_ratio, because statistic standardized_mean_differen",
    ),
    (score(statistic="scoring_rate", max_difference=2), "because scoring_rate is a proportion, bu"),
    (score(score_column="gender"), "names 'gender', which is also the score_column."),
    (performance(performance_metrics=["recall"] * 2), "performance_metrics: names recall twice."),
    (performance("prediction_column"), "is required, or score_column with decision_threshold."),
    (
        performance("prediction_column", score_column="s"),
        "decision_threshold: is required by score_column without prediction_column.",
    ),
    (
        performance("prediction_column", decision_threshold=0.5),
        "prediction_column: is required, or score_column with decision_threshold.",
    ),
    (performance(score_column="s"), "score_column: cannot be used with prediction_column, which"),
    (performance(decision_threshold=1), "decision_threshold: cannot be used with prediction_colum"),
    (
        performance("prediction_column", **{**SCORED, "decision_threshold": math.inf}),
        "decision_threshold: must be a finite number, but is inf.",
    ),
    (performance("positive_values"), "is required, or per_class: true, or average: macro."),
    (performance(per_class=True), "positive_values: cannot be used with per_class, which takes "),
    (performance(average="macro"), "positive_values: cannot be used with average, which takes "),
    (
        performance("positive_values", per_class=True, average="macro"),
        "average: cannot be used with per_class; leave one of them out.",
    ),
    (
        performance("positive_values", per_class=True, comparison="overall"),
        "comparison: overall is not available with per_class.",
    ),
    (
        performance("positive_values", "prediction_column", per_class=True, **SCORED),
        "score_column: cannot be used with per_class; name a prediction_column.",
    ),
    (
        performance("positive_values", average="macro", require_significance=True),
        "cannot be true, because macro-averaged recall has no significance test.",
    ),
    (
        performance(performance_metrics=["f1", "recall"], require_significance=True),
        "require_significance: cannot be true, because f1 has no significance test.",
    ),
    (
        performance(performance_metrics=["f1"], thresholds=[limit("significant_disparity_count")]),
        "thresholds: cannot limit significant_disparity_count, because f1 has no significance",
    ),
    (
        performance(performance_metrics=["demographic_parity"]),
        "higher_is_better: is required by selection_rate and demographic_parity.",
    ),
    (performance(higher_is_better=True), "is used by selection_rate and demographic_parity alone"),
    (
        performance(thresholds=[limit("equalizedOddsRatio")]),
        "thresholds: limits equalized_odds_ratio, but equalized_odds is not computed.",
    ),
    (
        performance(thresholds=[limit("predictive_parity_difference")]),
        "thresholds: limits predictive_parity_difference, but predictive_parity is not computed.",
    ),
    (performance(prediction_column="truth"), "must differ from prediction_column, but both are "),
    (performance(prediction_column="gender"), "which is also the prediction_column."),
    (performance(max_difference=1.5), "because recall is a proportion, but is 1.5."),
    (statistic("value_column"), "value_column: is required by statistic mean."),
    (statistic(statistic="count"), "value_column: is not used by statistic count, which counts r"),
    (statistic(value=math.nan), "value: must be a finite number, but is nan."),
    (statistic(value_column="gender"), "names 'gender', which is also the value_column."),
    (metric("mse", without=UNLABELLED), "prediction_column: is required by mse."),
    (metric("f1", value_column="x"), "value_column: is not used by f1."),
    (metric("specificity", without=("positive_values",)), "positive_values: is required by speci"),
    (metric("f1_per_class"), "positive_values: is not used by f1_per_class."),
    (metric(prediction_column="truth"), "must differ from prediction_column, but both are 'truth"),
    (
        metric("p95_latency", without=(*UNLABELLED, "ground_truth_column")),
        "latency_column: is required by p95_latency.",
    ),
    (
        metric("auc", class_score_columns={"a": "truth", "b": "q"}, without=UNLABELLED),
        "class_score_columns: has ground_truth_column 'truth' for class 'a'.",
    ),
    (
        metric("auc", class_score_columns={1: "p", "1.0": "q"}, without=UNLABELLED),
        "class_score_columns: must be a mapping of two or more classes, each to the column of its",
    ),
]


@pytest.mark.parametrize(("test", "fragment"), [*FIELDS_AT_FAULT, *TOGETHER])
def test_one_fault_is_one_line(test: dict[str, Any], fragment: str) -> None:
    (line,) = refusal(suite_of(test), "fairsql.yml")
    assert line.startswith("fairsql.yml, test 'A test', ")
    assert fragment in line


@pytest.mark.parametrize(("test", "_"), FIELDS_AT_FAULT)
def test_the_schema_refuses_the_same(test: dict[str, Any], _: str) -> None:
    assert not VALIDATOR.is_valid(suite_of(test))


RIGHT: list[dict[str, Any]] = [
    *(kind(name) for name in FIELDS),
    outcome(stratify_by_columns=["department"], thresholds=[limit("mantelHaenszelPValue")]),
    outcome(stratify_by_columns=[]),
    score(**SMD),
    performance("positive_values", per_class=True),
    performance("positive_values", average="macro"),
    performance("prediction_column", **SCORED),
    performance(performance_metrics=["equalized_odds"], thresholds=[limit("recallDifference")]),
    performance(performance_metrics=["f1", "recall"], thresholds=[limit("f1_ratio")]),
    statistic("value_column", statistic="count"),
    metric("precision", "accuracy", without=("positive_values",)),
    metric("rocAuc", class_score_columns={"a": "p", "b": "q"}, without=UNLABELLED),
]


@pytest.mark.parametrize("test", RIGHT)
def test_what_is_right(test: dict[str, Any]) -> None:
    (read,) = parse_suite(suite_of(test)).tests
    assert read.type == test["type"]
    assert VALIDATOR.is_valid(suite_of(test))


def test_every_measurement_is_read_in_both_spellings() -> None:
    for model in TESTS.values():
        spellings = model.measurement_spellings()
        for name in model.measurement_names:
            assert spellings[name] == spellings[camel_case(name)] == name


@pytest.mark.parametrize("name", FIELDS)
def test_defaults_of_no_use_are_ignored(name: str) -> None:
    defaults = {
        "min_ratio": 0.9,
        "higher_is_better": False,
        "min_group_size": 5,
        "parity_metric": "auc",
        "value_column": "amount",
        "stratify_by_columns": ["department"],
        "decision_threshold": 0.5,
    }
    test = {key: value for key, value in kind(name).items() if key != "higher_is_better"}
    (read,) = parse_suite(suite_of(test, defaults=defaults)).tests
    for field, value in read.parameters().items():
        if field in defaults and field not in ("value_column", "decision_threshold"):
            is_unused = field == "higher_is_better" and name == "group_performance_parity"
            assert value == (None if is_unused else defaults[field])
    if name == "group_performance_parity":
        assert read.parameters()["decision_threshold"] is None


@pytest.mark.parametrize("name", FIELDS)
def test_there_is_a_function_for_every_kind(name: str) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            "create table loans as select 'F' as gender, 1 as hired, 1 as guess, 1 as truth,"
            " 0.5 as score, 2 as amount"
        )
        test = {key: value for key, value in kind(name).items() if key not in ("type", "relation")}
        result = getattr(fairsql, name)(connection, "loans", **test)
    assert (result.type, result.name) == (name, "A test")
    assert result.status in ("passed", "failed", "skipped")
