"""The macros' check of arguments is as strict as the Python path's, for every type of test."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import TESTS, build_test
from fairsql.config.fields import camel_case
from fairsql.errors import ConfigurationError
from tests.config.kinds import kind
from tests.dbt.test_arguments import ODD_VALUES, THRESHOLDS
from tests.dbt.type_cases import OF_LABELS, type_cases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MACROS = macros_for("duckdb")
TYPES = tuple(type_ for type_ in TESTS if type_ != "group_metric_parity")
PARAMETERS: Mapping[str, Sequence[str]] = {
    type_: list(MACROS.call("catalogue")["types"][type_]["parameters"]) for type_ in TYPES
}
CASES = 700
# Besides what no test may hold: what some may, and others beside which it means nothing.
COLUMNS = ("score", "Score", "guess", "truth", "hired", "amount", "gender", "weight")
METRICS: tuple[Any, ...] = (
    *(["recall"], ["f1", "recall"], ["recall", "recall"], ["selection_rate"], ["auc"]),
    *(["equalized_odds"], ["demographic_parity", "f1"], ["balanced_accuracy"], ["base_rate"]),
)
CHOICES: Mapping[str, Sequence[Any]] = {
    "performance_metrics": METRICS,
    "statistic": (
        *("mean", "median", "scoring_rate", "standardized_mean_difference", "count", "sum"),
        *("distinct_count", "missing_rate", "p99", "p5"),
    ),
    "operator": (">", "is", "!=", "=>"),
    "value": (0, 1.5, "1"),
    "comparison": ("reference", "overall"),
    "reference_strategy": ("highest", "named"),
    "reference_value": ("F", 1, True),
    "significance_test": ("auto", "none"),
    "p_value_adjustment": ("none", "holm", "benjamini_hochberg", "holm_all_pairs"),
    "require_significance": (True, False),
    "max_difference": (0, 0.2, 1, 1.5, -1),
    "decision_threshold": (0, 0.5, "0.5"),
    "stratify_by_columns": ([], ["a"], ["a", "b"], ["a", "A"], ["gender"], list("abcd")),
    "protected_attribute_columns": (["gender"], ["gender", "race"], ["Gender", "gender"]),
    "positive_values": (["1"], [1, True], []),
    "favorable_values": (["1"], [1, True], []),
    "higher_is_better": (True, False),
}
LIMITED = (
    *("failing_group_count", "failing_group_percentage", "min_metric_ratio", "impact_ratio"),
    *("max_metric_difference", "worst_group_value", "significant_disparity_count"),
    *("undefined_group_count", "statistical_parity_difference", "mantel_haenszel_p_value"),
    *("recall_difference", "f1_ratio", "equalized_odds_ratio", "lowest_group_value"),
    *("auc", "roc_auc", "brier", "mae", "mean", "count", "rate", "mean_bleu1", "p99_latency"),
    *OF_LABELS,
)


def refusal(test: Mapping[str, Any], *, by_macros: bool) -> str | None:
    """Return the message with which one of the two refuses a test, if it does."""
    type_ = test["type"]
    try:
        if by_macros:
            given = {name: test.get(name) for name in PARAMETERS[type_]}
            MACROS.call("checked_test", given, test.get("thresholds"), None, type_)
        else:
            given = {name: value for name, value in test.items() if value is not None}
            built = build_test(**{"relation": "loans", **given})
            # Letter case does not tell names apart in the macros, as in most warehouses.
            return next(
                (f"{field} {fault}" for field, fault in built.column_faults(str.lower)), None
            )
    except ConfigurationError as error:
        return str(error)
    return None


def altered(rng: Random, test: Mapping[str, Any]) -> dict[str, Any]:
    """Return a test with one to three arguments changed, added or taken away."""
    changed = {name: value for name, value in test.items() if name not in ("name", "relation")}
    for _ in range(rng.randint(1, 3)):
        name = rng.choice([*PARAMETERS[changed["type"]], "thresholds", "thresholds"])
        likely = CHOICES.get(name, COLUMNS if name.endswith("column") else ())
        if name == "thresholds":
            changed[name] = _thresholds(rng)
        elif rng.random() < 0.1:
            changed.pop(name, None)
        elif likely and rng.random() < 0.8:
            changed[name] = rng.choice(likely)
        else:
            changed[name] = rng.choice(ODD_VALUES)
    return changed


def _thresholds(rng: Random) -> Any:
    if rng.random() < 0.2:
        return rng.choice((THRESHOLDS, [rng.choice(THRESHOLDS)], [], None))
    spell = camel_case if rng.random() < 0.2 else str
    return [
        {"measurement": spell(name), "operator": rng.choice((">", "<=", "is")), "value": 0.5}
        for name in rng.choices(LIMITED, k=rng.choice((1, 1, 2)))
    ]


@pytest.mark.parametrize("type_", TYPES)
def test_the_two_checks_refuse_the_same_generated_tests(type_: str) -> None:
    rng = Random(f"arguments {type_}")  # noqa: S311
    starts = [kind(type_), *(case.test for case in islice(type_cases(type_, 7, 40), 40))]
    refused, differing = 0, []
    for _ in range(CASES):
        test = altered(rng, rng.choice(starts))
        theirs, ours = refusal(test, by_macros=True), refusal(test, by_macros=False)
        refused += ours is not None
        if (ours is None) != (theirs is None):
            differing.append(f"{test}\n  Python: {ours}\n  macros: {theirs}")
    assert 0.3 * CASES < refused < 0.97 * CASES
    assert not differing, f"{len(differing)} differ\n" + "\n".join(differing[:12])
