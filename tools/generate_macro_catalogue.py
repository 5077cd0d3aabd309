"""Writes `macros/tests/catalogue.sql`: what the SQL path knows of metrics and parameters.

    python -m tools.generate_macro_catalogue

A test compares the file with what this would write, so that the Python catalogue stays the one
place where a metric or a parameter is described.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from fairsql.binned import METHODS, binned
from fairsql.config.filters import LISTS, ORDERS, FilterOperator
from fairsql.config.judging import DEFAULT_TABLE, JudgeName, JudgeSpec
from fairsql.families import MOMENTS
from fairsql.llm import judges
from fairsql.llm.versions import prompt_version
from fairsql.metrics import INPUT_COLUMNS, METRICS, NUMERIC_INPUTS, Metric
from fairsql.weighted import is_weightable, weighted
from tools.test_types import (
    CRITERIA,
    EVERY_MEASUREMENT,
    MEASURED_BY,
    OPERATORS,
    PARAMETERS,
    REQUIRED,
    SPELLINGS,
)

TARGET = Path(__file__).parents[1] / "macros" / "tests" / "catalogue.sql"

HEADER = """\
{# Generated from the Python catalogue by tools/generate_macro_catalogue.py; do not edit.
   What every metric reads and computes, and for each type of test its measurements and each
   argument's type, bounds and default. #}
{% macro catalogue() %}
    {{- return("""


def catalogue() -> dict[str, Any]:
    """Return what the macros need, as plain values."""
    return {
        "metrics": {name: _metric(metric) for name, metric in METRICS.items()},
        "input_columns": list(INPUT_COLUMNS),
        "criteria": {name: list(metrics) for name, metrics in CRITERIA.items()},
        "measured": MEASURED_BY,
        "spellings": dict(SPELLINGS),
        "judges": {name: _version(name) for name in get_args(JudgeName)},
        "judge_fields": list(JudgeSpec.model_fields),
        "judgements": DEFAULT_TABLE,
        "operators": list(OPERATORS),
        "filter_operators": {
            name: "list" if name in LISTS else "order" if name in ORDERS else "value"
            for name in get_args(FilterOperator)
        },
        "types": {
            name: {
                "parameters": {
                    parameter: _parameter(schema) for parameter, schema in parameters.items()
                },
                "required": list(REQUIRED[name]),
                "measurements": list(EVERY_MEASUREMENT[name]),
            }
            for name, parameters in PARAMETERS.items()
        },
    }


def _version(name: str) -> str | None:
    """Return the version of a judge's prompt; none where it hangs on what a user gives."""
    template = judges.template(name)
    if template.needs or not template.scale:
        return None
    return prompt_version(JudgeSpec.model_validate({"name": "any", "judge": name, "model": "any"}))


def _metric(metric: Metric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "family": metric.family.name,
        "quantity": metric.quantity,
        "inputs": dict(metric.inputs),
        "direction": metric.direction,
        "label_input": metric.positive_input,
        "probability": "probability" in metric.inputs.values(),
        "squared": metric.family is MOMENTS,
        "part": list(metric.part),
        "whole": ["evaluated" if name == "rows" else name for name in metric.whole],
        "formula": metric.formula,
        "root": metric.root,
        "numerator": metric.quantile.numerator if metric.quantile else None,
        "denominator": metric.quantile.denominator if metric.quantile else None,
        "has_p_value": metric.p_value is not None,
        "has_numbers": any(kind in NUMERIC_INPUTS for kind in metric.inputs.values()),
        "overall_comparable": metric.overall_comparable,
        "standardized": metric.standardized,
        "statistics": [name for name in metric.family.statistics if name != "rows"],
        "is_weighted": False,
        "is_binned": False,
        "is_weightable": is_weightable(metric),
        "weighted_statistics": [
            name for name in weighted(metric).family.statistics if name != "rows"
        ],
        "has_weighted_p_value": weighted(metric).p_value is not None,
        **_method(metric),
    }


def _method(metric: Metric) -> dict[str, Any]:
    """Return how a metric can be computed approximately, if it can."""
    field, approximate = METHODS.get(metric.family.name, (None, None))
    if field is None:
        return {"method_field": None}
    family = binned(metric).family
    return {
        "method_field": field,
        "approximate_method": approximate,
        "binned_family": family.name,
        "binned_statistics": [name for name in family.statistics if name != "rows"],
    }


def _parameter(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter's type, choices, bounds and default."""
    options = schema.get("anyOf", [schema])
    main = next(option for option in options if option.get("type") != "null")
    bounds = {
        ours: main[theirs]
        for ours, theirs in (
            ("choices", "enum"),
            ("least", "minimum"),
            ("most", "maximum"),
            ("above", "exclusiveMinimum"),
            ("below", "exclusiveMaximum"),
            ("fewest", "minItems"),
            ("at_most_items", "maxItems"),
        )
        if theirs in main
    }
    if main.get("type") == "array" and "minLength" in main:
        bounds["fewest"] = main["minLength"]
    if "const" in main:
        bounds["choices"] = [main["const"]]
    if any(option.get("maxItems") == 0 for option in options):
        del bounds["fewest"]
    if "enum" in main.get("items", {}):
        bounds["choices"] = main["items"]["enum"]
    kind = main.get("type", "scalar")
    return {
        "type": "scalar" if isinstance(kind, list) else kind,
        "default": schema.get("default"),
        **bounds,
    }


def rendered() -> str:
    """Return the text of the macro file."""
    text = json.dumps(catalogue(), indent=4, ensure_ascii=True)
    for theirs, ours in (("null", "none"), ("true", "true"), ("false", "false")):
        text = text.replace(f": {theirs}", f": {ours}")
    body = text.replace("\n", "\n    ")
    return f"{HEADER}{body}) -}}}}\n{{% endmacro %}}\n"


if __name__ == "__main__":
    TARGET.write_text(rendered(), encoding="utf-8")
