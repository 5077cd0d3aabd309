"""What the macros take of each type of test: its arguments and measurements, from the models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from fairsql.config.base import Test
from fairsql.config.fields import Operator
from fairsql.config.metric_threshold import MEASURED, MetricThreshold, needed_fields
from fairsql.config.models import TESTS
from fairsql.config.performance import CRITERIA
from fairsql.config.schema import test_json_schema
from fairsql.metrics import MEASUREMENTS, METRICS

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

_NOT_ARGUMENTS = ("name", "type", "relation", "where", "filters", "thresholds")
# What only Python does: classes are known when the first answer is there, and not before.
_NOT_IN_SQL = ("per_class", "average", "class_score_columns")

_SCHEMAS = {name: test_json_schema(model) for name, model in TESTS.items()}

OPERATORS: tuple[str, ...] = get_args(Operator)
"""How a number may be held to a limit."""


def _measured_by() -> dict[str, dict[str, Any]]:
    """Return each measurement of one question -> its metric, and which argument is which input."""
    found = {}
    for name in MEASURED:
        fields = needed_fields(name, {"positive_values"})
        columns = {field: field for field in fields if field != "positive_values"}
        test = MetricThreshold(
            name="any",
            relation="any",
            thresholds=({"measurement": name, "operator": ">", "value": 0.0},),  # type: ignore[arg-type]
            positive_values=("1",) if "positive_values" in fields else None,
            **columns,  # type: ignore[arg-type]
        )
        try:
            (asked,) = test.asked()
        except KeyError:
            continue  # its metric is not in the catalogue
        if asked.combination == "alone" and asked.metric in METRICS:
            found[name] = {
                "metric": asked.metric,
                "columns": dict(asked.questions[0].input_columns),
            }
    return found


MEASURED_BY = _measured_by()
"""What a metric threshold may limit in SQL -> the metric and its columns."""

_COLUMNS_OF_METRICS = {
    column for measured in MEASURED_BY.values() for column in measured["columns"].values()
}


def _parameters(name: str) -> dict[str, Schema]:
    properties = _SCHEMAS[name]["properties"]
    # A type's own arguments come after the attributes, then those that it shares with others.
    bases = [base for base in TESTS[name].__mro__ if issubclass(base, Test)]
    listed = ["protected_attribute_columns", *(f for base in bases for f in base.__annotations__)]
    return {
        field: properties[field]
        for field in dict.fromkeys(listed)
        if field in properties
        and field not in (*_NOT_ARGUMENTS, *_NOT_IN_SQL)
        and (
            name != "metric_threshold"
            or not field.endswith("_column")
            or field in (*_COLUMNS_OF_METRICS, "weight_column", "timestamp_column")
        )
    }


PARAMETERS: Mapping[str, dict[str, Schema]] = {name: _parameters(name) for name in TESTS}
"""Type of test -> argument -> its schema, in the order of the macros' signatures."""

REQUIRED: Mapping[str, tuple[str, ...]] = {
    name: tuple(field for field in schema["required"] if field not in _NOT_ARGUMENTS)
    + (("positive_values",) if name == "group_performance_parity" else ())
    for name, schema in _SCHEMAS.items()
}
"""Type of test -> the arguments that it cannot be without."""

EVERY_MEASUREMENT: Mapping[str, tuple[str, ...]] = {
    **{name: model.measurement_names for name, model in TESTS.items()},
    # Those of its metrics and criteria come besides.
    "group_performance_parity": MEASUREMENTS,
    "metric_threshold": tuple(MEASURED_BY),
}
"""Type of test -> what its thresholds may limit."""

SPELLINGS: Mapping[str, str] = {
    spelling: name
    for spelling, name in MetricThreshold.measurement_spellings().items()
    if name in MEASURED_BY and spelling != name and spelling == spelling.lower()
}
"""Other names of a metric threshold's measurements -> the names here."""
