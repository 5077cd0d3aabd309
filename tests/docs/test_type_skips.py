"""The reasons to skip that a page lists are those that can occur: each is brought about here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.suite import Suite
from tests.docs.pages import table_rows
from tests.docs.test_type_pages import kinds, names_in, page

# Two groups of 40: y is 1 in every other row; z is negative in A and lower still in B; one_sided
# is 1 in A alone; rare is 0 in A and 1 in four rows of B.
PEOPLE = """
create table people as
select
    case when i < 40 then 'A' else 'B' end as g,
    i as id,
    i % 2 as y,
    i // 2 % 2 as yhat,
    case when i < 40 then 1 else 0 end as one_sided,
    case when i >= 76 then 1 else 0 end as rare,
    1 as same,
    case when i < 40 then -1.0 else -2.0 end as z,
    i / 80 as p,
    i * 1.0 as big,
    case when i = 0 then 'infinity'::double else i end as endless,
    cast(null as double) as empty,
    case when i < 40 then null else i end as x_of_b,
    case when i < 40 then 'A' end as g_of_a,
    'text' as words
from range(80) as numbers (i)
"""
G = {"protected_attribute_columns": ["g"]}
NOWHERE = {"where": "id < 0"}
NO_GROUP = {"min_group_size": 41}
APART = {"protected_attribute_columns": ["g_of_a"]}
ABSENT = {"reference_strategy": "named", "reference_value": "C"}
MANY = {"relation": "crowd", "protected_attribute_columns": ["id"]}


def limits(measurement: str) -> dict[str, Any]:
    return {"thresholds": [{"measurement": measurement, "operator": ">=", "value": 0.5}]}


MEAN = {**G, "parity_metric": "mean", "value_column": "z", "higher_is_better": True}
AUC = {
    **G,
    "parity_metric": "auc",
    "score_column": "big",
    "ground_truth_column": "y",
    "positive_values": [1],
}
NPV = {**G, "parity_metric": "npv", "prediction_column": "yhat", "ground_truth_column": "y",
       "positive_values": [1]}  # fmt: skip
BRIER = {**G, "parity_metric": "brier", "probability_column": "big", "ground_truth_column": "y",
         "positive_values": [1]}  # fmt: skip
R2 = {**G, "parity_metric": "r2", "prediction_column": "big", "ground_truth_column": "same"}

OUTCOME = {**G, "outcome_column": "y", "favorable_values": [1]}
SCORE = {**G, "score_column": "z", "higher_is_better": True}
SMD = {"statistic": "standardized_mean_difference", "max_difference": 0.5}
QUALITY = {
    **G,
    "performance_metrics": ["recall"],
    "prediction_column": "yhat",
    "ground_truth_column": "y",
    "positive_values": [1],
}
CUT = {"prediction_column": None, "decision_threshold": 0.5}
STATISTIC = {**G, "statistic": "mean", "value_column": "z", "operator": "<", "value": 0}
CLASSIFIED = {"prediction_column": "yhat", "ground_truth_column": "y", "positive_values": [1]}

TONE = {
    "name": "tone",
    "judge": "bias",
    "model": "m",
    "prompt_version": "v",
    "output_column": "words",
}
# Every row has the same text, and so one judgement, found by the hash of `4:text`.
SAID = (
    "(select 'bias' as judge, 'v' as prompt_version, 'm' as model, sha256('4:text') as input_hash,"
    " 0.5 as score, null as label, '2026' as judged_at)"
)
BIAS = {"judges": [{**TONE, "table": SAID}], **limits("bias_mean_score")}

COUNTERFACTUAL = {"output_column": "words", "group_by": "same", "role": "g", "max_divergence": 1.0}
ALIKE = {
    **TONE,
    "judge": "pairwise_bias",
    "input_column": "g",
    "pairing": {"group_by": "same", "role": "g", "reference_role": "A"},
    # Of each pair the prompt is that of its first role, and both answers are `text`.
    "table": SAID.replace("'bias'", "'pairwise_bias'").replace("4:text", "1:A4:text4:text"),
}
PAIRWISE = {"judges": [ALIKE], "max_mean_divergence": 0.9}


def flagged(source: dict[str, Any], column: str) -> dict[str, dict[str, Any]]:
    """Return what skips a test of flagged rows."""
    test = {**G, **source}
    return {
        "column_missing": {**test, column: "nothing"},
        "no_rows": {**test, **NOWHERE},
        "column_all_missing": {**test, column: "empty"},
        "no_evaluated_rows": {**test, **APART, column: "x_of_b"},
        "too_many_groups": {**test, **MANY, column: "y"},
        "fewer_than_two_sufficient_groups": {**test, **NO_GROUP},
    }


SKIPPED: dict[str, dict[str, dict[str, Any]]] = {
    "group_metric_parity": {
        "column_missing": {**MEAN, "value_column": "nothing"},
        "column_not_numeric": {**MEAN, "value_column": "words"},
        "no_rows": {**MEAN, **NOWHERE},
        "column_all_missing": {**MEAN, "value_column": "empty"},
        "no_evaluated_rows": {**MEAN, **APART, "value_column": "x_of_b"},
        "infinite_values": {**MEAN, "value_column": "endless"},
        "too_many_groups": {**MEAN, **MANY, "value_column": "y"},
        "fewer_than_two_sufficient_groups": {**MEAN, **NO_GROUP},
        "metric_undefined": R2,
        "nothing_to_compare": {**NPV, "prediction_column": "one_sided"},
        "reference_not_usable": {**MEAN, **ABSENT},
        "ratio_undefined_set_max_difference": MEAN,
        "measurement_undefined": {**MEAN, "max_difference": 2, **limits("min_metric_ratio")},
        "positive_class_absent": {**NPV, "positive_values": [2]},
        "negative_class_absent": {**AUC, "ground_truth_column": "same"},
        "probability_out_of_range": BRIER,
    },
    "group_outcome_disparity": {
        "column_missing": {**OUTCOME, "outcome_column": "nothing"},
        "no_rows": {**OUTCOME, **NOWHERE},
        "column_all_missing": {**OUTCOME, "outcome_column": "empty"},
        "no_evaluated_rows": {**OUTCOME, **APART, "outcome_column": "x_of_b"},
        "too_many_groups": {**OUTCOME, **MANY},
        "fewer_than_two_sufficient_groups": {**OUTCOME, **NO_GROUP},
        "reference_not_usable": {**OUTCOME, **ABSENT},
        "measurement_undefined": {
            **OUTCOME,
            "outcome_column": "same",
            "stratify_by_columns": ["words"],
            **limits("mantel_haenszel_odds_ratio"),
        },
        "positive_class_absent": {**OUTCOME, "favorable_values": [2]},
    },
    "group_score_disparity": {
        "column_missing": {**SCORE, "score_column": "nothing"},
        "column_not_numeric": {**SCORE, "score_column": "words"},
        "no_rows": {**SCORE, **NOWHERE},
        "column_all_missing": {**SCORE, "score_column": "empty"},
        "no_evaluated_rows": {**SCORE, **APART, "score_column": "x_of_b"},
        "infinite_values": {**SCORE, "score_column": "endless"},
        "too_many_groups": {**SCORE, **MANY, "score_column": "y"},
        "fewer_than_two_sufficient_groups": {**SCORE, **NO_GROUP},
        "metric_undefined": {**SCORE, **SMD},
        "reference_not_usable": {**SCORE, **ABSENT},
        "ratio_undefined_set_max_difference": SCORE,
        "measurement_undefined": {**SCORE, "max_difference": 2, **limits("min_metric_ratio")},
    },
    "group_performance_parity": {
        "column_missing": {**QUALITY, "prediction_column": "nothing"},
        "column_not_numeric": {**QUALITY, **CUT, "score_column": "words"},
        "no_rows": {**QUALITY, **NOWHERE},
        "column_all_missing": {**QUALITY, "prediction_column": "empty"},
        "no_evaluated_rows": {**QUALITY, **APART, "prediction_column": "x_of_b"},
        "too_many_groups": {**QUALITY, **MANY},
        "fewer_than_two_sufficient_groups": {**QUALITY, **NO_GROUP},
        "metric_undefined": {
            **QUALITY,
            "performance_metrics": ["specificity"],
            "ground_truth_column": "same",
        },
        "nothing_to_compare": {**QUALITY, "ground_truth_column": "one_sided"},
        "reference_not_usable": {**QUALITY, **ABSENT},
        "ratio_undefined_set_max_difference": {
            **QUALITY,
            "performance_metrics": ["false_positive_rate"],
            "prediction_column": "rare",
        },
        "measurement_undefined": {
            **QUALITY,
            "performance_metrics": ["precision", "recall"],
            **limits("worst_group_value"),
        },
        "positive_class_absent": {**QUALITY, "positive_values": [2]},
    },
    "group_column_statistic": {
        "column_missing": {**STATISTIC, "value_column": "nothing"},
        "column_not_numeric": {**STATISTIC, "value_column": "words"},
        "no_rows": {**STATISTIC, **NOWHERE},
        "column_all_missing": {**STATISTIC, "value_column": "empty"},
        "no_evaluated_rows": {**STATISTIC, **APART, "value_column": "x_of_b"},
        "infinite_values": {**STATISTIC, "value_column": "endless"},
        "too_many_groups": {**STATISTIC, **MANY, "value_column": "y"},
        "nothing_to_compare": {**STATISTIC, **NO_GROUP},
        "metric_undefined": {
            **STATISTIC,
            "protected_attribute_columns": ["id"],
            "statistic": "variance",
        },
    },
    "metric_threshold": {
        "column_missing": {"value_column": "nothing", **limits("mean")},
        "column_not_numeric": {"value_column": "words", **limits("mean")},
        "no_rows": {"value_column": "z", **NOWHERE, **limits("mean")},
        "column_all_missing": {"value_column": "empty", **limits("mean")},
        "no_evaluated_rows": {
            "prediction_column": "x_of_b",
            "ground_truth_column": "x_of_a",
            **limits("mae"),
            "relation": "(select *, case when id < 40 then 1 end as x_of_a from people)",
        },
        "infinite_values": {"value_column": "endless", **limits("mean")},
        "probability_out_of_range": {
            "probability_column": "big",
            "ground_truth_column": "y",
            "positive_values": [1],
            **limits("brier"),
        },
        "positive_class_absent": {**CLASSIFIED, "positive_values": [2], **limits("recall")},
        "negative_class_absent": {
            "score_column": "big",
            "ground_truth_column": "same",
            "positive_values": [1],
            **limits("auc"),
        },
        "metric_undefined": {
            "prediction_column": "big",
            "ground_truth_column": "same",
            **limits("r2"),
        },
    },
    "llm_bias": {
        "column_missing": {**BIAS, "judges": [{**TONE, "table": SAID, "output_column": "nothing"}]},
        "no_rows": {**BIAS, **NOWHERE},
        "column_all_missing": {**BIAS, "judges": [{**TONE, "table": SAID, "model": "other"}]},
        "metric_undefined": {**BIAS, "where": "id = 0", **limits("bias_std_score")},
    },
    "refusal_rate_disparity": flagged({"output_column": "words"}, "output_column"),
    "toxicity_sentiment_disparity": flagged({"output_column": "words"}, "output_column"),
    "stereotype_association_score": flagged(
        {"answer_column": "words", "stereotyped_answer_column": "yhat"}, "answer_column"
    ),
    "counterfactual_fairness_divergence": {
        "column_missing": {**COUNTERFACTUAL, "output_column": "nothing"},
        "no_rows": {**COUNTERFACTUAL, "min_group_size": 41},
        "column_all_missing": {**COUNTERFACTUAL, "where": "g = 'A'"},
    },
    "pairwise_divergence": {
        "column_missing": {**PAIRWISE, "role": "nothing"},
        "no_rows": {**PAIRWISE, **NOWHERE},
        "column_all_missing": {**PAIRWISE, "judges": [{**ALIKE, "model": "other"}]},
        "measurement_undefined": {**PAIRWISE, "where": "id in (0, 40)", **limits("noise_floor")},
    },
}
ELSEWHERE = {"metric_threshold": ["not_available"]}
"""What DuckDB gives no cause for: tests/texts has the engines that do."""

CASES = [
    pytest.param(kind, reason, fields, id=f"{kind}-{reason}")
    for kind, cases in SKIPPED.items()
    for reason, fields in cases.items()
]


@pytest.fixture(scope="module")
def people() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(PEOPLE)
        opened.execute("create table crowd as select i as id, i % 2 as y, i // 2 % 2 as yhat"
                       " from range(1001) as numbers (i)")  # fmt: skip
        yield opened


@pytest.mark.parametrize(("kind", "reason", "fields"), CASES)
def test_a_test_is_skipped_for_the_reason(
    kind: str, reason: str, fields: dict[str, Any], people: duckdb.DuckDBPyConnection
) -> None:
    test = build_test(**{"name": "skipped", "type": kind, "relation": "people", **fields})
    (result,) = Suite((test,)).run(people).tests
    assert (result.status, result.reason) == ("skipped", reason), result.message


@kinds
def test_every_reason_is_listed_and_no_other(kind: str) -> None:
    listed = [reason for row in table_rows(page(kind), "reason") for reason in names_in(row[0])]
    assert sorted(listed) == sorted([*SKIPPED[kind], *ELSEWHERE.get(kind, [])])
