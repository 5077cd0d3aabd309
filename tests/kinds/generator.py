"""Random tables and random valid tests of the kinds that compare groups by other names."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from tests.generated_columns import (
    Column,
    attribute,
    choose_labels,
    lose_values,
    numbers,
    scores,
    write_labels,
)
from tests.generator import OPERATORS, THRESHOLDS, Case, add_options, effects_of
from tests.oracle.kinds import CRITERIA, metrics_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TYPES = ("group_outcome_disparity", "group_score_disparity", "group_performance_parity")
BY_CLASS = (
    *("precision", "recall", "specificity", "false_positive_rate", "f1", "selection_rate"),
    "geometric_mean",
)
BY_LABEL = (
    *("accuracy", "precision", "recall", "specificity", "false_positive_rate"),
    *("false_negative_rate", "false_discovery_rate", "false_omission_rate", "npv", "f1"),
    *("balanced_accuracy", "geometric_mean", "selection_rate"),
)
UNTESTED = {"f1", "balanced_accuracy", "geometric_mean"}
CLASSES: tuple[tuple[str, Sequence[Any]], ...] = (
    ("text", ("cat", " cat", "dog", "bird", "Cat")),
    ("text", ("1", "1.0", "2", "3", " ")),
    ("integer", (0, 1, 2)),
    ("boolean", (True, False)),
    ("float", (0.0, -0.0, 0.5, 2.0)),
)


def kind_cases(seed: int, count: int) -> Iterator[Case]:
    """Generate cases; the n-th depends on the seed and on n alone."""
    for index in range(count):
        rng = Random(f"kinds {seed}-{index}")  # noqa: S311 (tests want the same numbers again)
        yield _case(rng, f"{seed}-{index}")


def _case(rng: Random, number: str) -> Case:
    kind = rng.choice(TYPES)
    rows = rng.randint(*rng.choice(((1, 40), (40, 400), (100, 400))))
    names = rng.sample(("gender", "race", 'quo"te'), rng.choice((1, 1, 1, 2)))
    attributes = {name: attribute(rng, rows) for name in names}
    effects = effects_of(rng, attributes[names[0]].values)
    positives = [rng.random() < 0.15 + 0.7 * effect for effect in effects]
    columns: dict[str, Column] = dict(attributes)
    test: dict[str, Any] = {"type": kind, "protected_attribute_columns": names}
    if kind == "group_outcome_disparity":
        fields = _outcome(rng, columns, positives)
    elif kind == "group_score_disparity":
        fields = _score(rng, columns, effects)
    else:
        fields = _performance(rng, columns, positives, effects)
    for name in columns.keys() - attributes.keys():
        lose_values(rng, columns[name], rng.choice((0.0, 0.0, 0.03, 0.2)))
    add_options(rng, test, "mean" if kind == "group_score_disparity" else "npv", attributes)
    test |= fields
    _settle(rng, test)
    return Case(
        name=f"{number} {kind}",
        columns={name: column.kind for name, column in columns.items()},
        rows=list(zip(*(column.values for column in columns.values()), strict=True)),
        test={"name": f"{number} {kind}", **test},
    )


def _outcome(rng: Random, columns: dict[str, Column], positives: Sequence[bool]) -> dict[str, Any]:
    (labels,), values = choose_labels(rng, 1)
    columns["outcome"] = write_labels(rng, labels, positives)
    fields: dict[str, Any] = {"outcome_column": "outcome", "favorable_values": values}
    strata = rng.sample(("department", "two words"), rng.choice((0, 1, 1, 2)))
    for name in strata:
        pool: tuple[Any, ...] = rng.choice((("A", "B", " B", "Unknown"), (1, 2)))
        kind: Any = "text" if "A" in pool else "integer"
        columns[name] = Column(kind, rng.choices(pool, k=len(positives)))
    if strata:
        fields["stratify_by_columns"] = strata
    return fields


def _score(rng: Random, columns: dict[str, Column], effects: Sequence[float]) -> dict[str, Any]:
    # About 1e9 a gap in standard deviations is not promised to 1e-9.
    columns["score"] = numbers(rng, effects, large_offset=0)
    statistic = rng.choice(("mean", "median", "scoring_rate", "standardized_mean_difference"))
    fields = {"score_column": "score", "higher_is_better": rng.random() < 0.5}
    return fields | ({} if statistic == "mean" else {"statistic": statistic})


def _performance(
    rng: Random, columns: dict[str, Column], positives: Sequence[bool], effects: Sequence[float]
) -> dict[str, Any]:
    way = rng.choice(("label", "score", "per_class", "average"))
    if way in ("per_class", "average"):
        kind, pool = rng.choice(CLASSES)
        truths = rng.choices(pool, [3, 1, 2, 1, 1][: len(pool)], k=len(positives))
        right = rng.choice((0.5, 0.8, 1.0))
        guesses = [t if rng.random() < right else rng.choice(pool) for t in truths]
        columns["truth"] = Column(kind, truths)  # type: ignore[arg-type]
        columns["guess"] = Column(kind, guesses)  # type: ignore[arg-type]
        metrics = rng.sample(BY_CLASS, rng.choice((1, 2)))
        fields: dict[str, Any] = {"prediction_column": "guess"}
        fields[way] = True if way == "per_class" else "macro"
    else:
        (truth, other), values = choose_labels(rng, 2)
        metrics = rng.sample((*BY_LABEL, *CRITERIA), rng.choice((1, 2, 3)))
        columns["truth"] = write_labels(rng, truth, positives)
        fields = {"positive_values": values}
        if way == "score":
            columns["score"] = scores(rng, positives, effects)
            fields |= {"score_column": "score", "decision_threshold": rng.choice((0, 0.5, 1))}
        else:
            wrong = rng.choice((0.0, 0.1, 0.4))
            guessed = [p != (rng.random() < wrong) for p in positives]
            columns["guess"] = write_labels(rng, other, guessed)
            fields["prediction_column"] = "guess"
    fields |= {"performance_metrics": metrics, "ground_truth_column": "truth"}
    if {"selection_rate", "demographic_parity"} & set(metrics):
        fields["higher_is_better"] = rng.random() < 0.5
    return fields


def _settle(rng: Random, test: dict[str, Any]) -> None:
    """Take out what the kind refuses, and now and then limit a measurement of its own."""
    metrics = metrics_of(test.get("performance_metrics", []))
    is_by_class = "per_class" in test or "average" in test
    is_standardized = test.get("statistic") == "standardized_mean_difference"
    if is_by_class or is_standardized:
        test.pop("comparison", None)
    if is_standardized:
        test.setdefault("max_difference", rng.choice((0.1, 0.2, 0.5)))
    if test.get("statistic") == "scoring_rate" and "max_difference" in test:
        test["max_difference"] = min(test["max_difference"], 1)
    untested = UNTESTED & set(metrics) or "average" in test
    if untested:
        test.pop("require_significance", None)
    refused = {"significant_disparity_count"} if untested else set()
    if is_standardized:
        refused |= {"min_metric_ratio", "worst_group_value"}
    thresholds = [
        threshold
        for threshold in test.get("thresholds", [])
        if threshold["measurement"] not in refused
    ]
    own: list[str] = [f"{m}_{what}" for m in metrics for what in ("difference", "ratio")]
    if test["type"] == "group_outcome_disparity":
        own = ["impact_ratio", "statistical_parity_difference"]
        if "stratify_by_columns" in test:
            own += ["mantel_haenszel_odds_ratio", "mantel_haenszel_p_value"]
    if own and rng.random() < 0.4:
        name = rng.choice(own)
        operator, values = THRESHOLDS[
            "min_metric_ratio" if "ratio" in name or "p_value" in name else "max_metric_difference"
        ]
        if rng.random() < 0.2:
            operator = rng.choice(OPERATORS)
        thresholds.append({"measurement": name, "operator": operator, "value": rng.choice(values)})
    test["thresholds"] = thresholds
