"""What the macros take of each type of test: its arguments and measurements, from the models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from fairsql.config.base import Test
from fairsql.config.fields import Operator
from fairsql.config.judged import JUDGED
from fairsql.config.metric_threshold import MEASURED, Asked, MetricThreshold, needed_fields
from fairsql.config.models import TESTS
from fairsql.config.paired import PairedTest
from fairsql.config.performance import CRITERIA
from fairsql.config.schema import test_json_schema
from fairsql.metrics import MEASUREMENTS

__all__ = [
    "CRITERIA",
    "EVERY_MEASUREMENT",
    "MEASURED_BY",
    "OPERATORS",
    "PARAMETERS",
    "REQUIRED",
    "SPELLINGS",
]

Schema = dict[str, Any]

_NOT_ARGUMENTS = ("name", "type", "relation", "where", "thresholds")
_WITH_JUDGES = ("metric_threshold", "llm_bias", "pairwise_divergence")
_PYTHONS_OWN = {
    "llm_bias": ("protected_attribute_columns", "missing_attribute_values", "min_reported_rows")
}
"""What a type compares besides, which decides nothing: SQL has no place for it."""

_SCHEMAS = {name: test_json_schema(model) for name, model in TESTS.items()}

OPERATORS: tuple[str, ...] = get_args(Operator)
"""How a number may be held to a limit."""


def _measured_by() -> dict[str, dict[str, Any]]:
    """Return each measurement -> its metric, and which argument is which input.

    Where classes can be put together it also says how: `by_class` without positive values, and
    `by_score` with a score for each class.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, judged in JUDGED.items():
        found[name] = {
            "metric": judged.metric,
            "judge": judged.judge,
            "column": judged.column,
            "columns": {},
        }
    for name in MEASURED:
        if name in JUDGED:
            continue
        asked = _asked(name, {"positive_values": ("1",)})
        columns = dict(asked.questions[0].input_columns)
        entry: dict[str, Any] = {"columns": columns}
        if asked.combination == "alone":
            entry["metric"] = asked.metric
        if "positive_values" not in needed_fields(name, ()):
            of_classes = _asked(name, {})
            combined: dict[str, str] = {"combination": of_classes.combination}
            combined["metric"] = of_classes.questions[0].metric.name
            if of_classes.combination != "alone":
                combined["metric"] = of_classes.metric
            if combined != {"combination": "alone", "metric": entry.get("metric")}:
                entry["by_class"] = combined
        if "class_score_columns" in needed_fields(name, {"class_score_columns"}):
            of_scores = _asked(name, {"class_score_columns": {"a": "a", "b": "b"}})
            entry["by_score"] = of_scores.combination
        found[name] = entry
    return found


def _asked(name: str, choices: Mapping[str, Any]) -> Asked:
    fields = needed_fields(name, set(choices))
    given = {field: choices.get(field, field) for field in fields}
    test = MetricThreshold(
        name="any",
        relation="any",
        thresholds=({"measurement": name, "operator": ">", "value": 0.0},),  # type: ignore[arg-type]
        **given,
    )
    return test.asked()[0]


MEASURED_BY = _measured_by()
"""What a metric threshold may limit in SQL -> the metric and its columns."""


def _parameters(name: str) -> dict[str, Schema]:
    properties = _SCHEMAS[name]["properties"]
    # A type's own arguments come after the attributes, then those that it shares with others.
    bases = [base for base in TESTS[name].__mro__ if issubclass(base, Test)]
    listed = ["protected_attribute_columns", *(f for base in bases for f in base.__annotations__)]
    return {
        field: properties[field]
        for field in dict.fromkeys(listed)
        if field in properties and is_argument(field, name)
    }


def is_argument(field: str, type_: str) -> bool:
    """Return whether a field of a type is an argument of its dbt test.

    A test by groups reads a model of `fairsql.with_judgements` where its scores are a judge's.
    """
    if field == "judges":
        return type_ in _WITH_JUDGES
    return field not in (*_NOT_ARGUMENTS, *_PYTHONS_OWN.get(type_, ()))


PARAMETERS: Mapping[str, dict[str, Schema]] = {name: _parameters(name) for name in TESTS}
"""Type of test -> argument -> its schema, in the order of the macros' signatures."""

REQUIRED: Mapping[str, tuple[str, ...]] = {
    name: tuple(field for field in schema["required"] if is_argument(field, name))
    for name, schema in _SCHEMAS.items()
}
"""Type of test -> the arguments that it cannot be without."""

EVERY_MEASUREMENT: Mapping[str, tuple[str, ...]] = {
    **{name: model.measurement_names for name, model in TESTS.items()},
    # Floors and the like are Python's own.
    **{
        name: tuple(model.inner_measurements)
        for name, model in TESTS.items()
        if issubclass(model, PairedTest)
    },
    # Those of its metrics and criteria come besides.
    "group_performance_parity": MEASUREMENTS,
    "metric_threshold": MEASURED,
}
"""Type of test -> what its thresholds may limit."""

SPELLINGS: Mapping[str, str] = {
    spelling: name
    for spelling, name in MetricThreshold.measurement_spellings().items()
    if name in MEASURED_BY and spelling != name and spelling == spelling.lower()
}
"""Other names of a metric threshold's measurements -> the names here."""
