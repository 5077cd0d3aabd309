"""Writes `macros/tests/catalogue.sql`: what the SQL path knows of metrics and parameters.

    python -m tools.generate_macro_catalogue

A test compares the file with what this would write, so that the Python catalogue stays the one
place where a metric or a parameter is described.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fairsql.config import suite_json_schema
from fairsql.families import MOMENTS
from fairsql.metrics import INPUT_COLUMNS, MEASUREMENTS, METRICS, NUMERIC_INPUTS, Metric
from fairsql.weighted import is_weightable, weighted

TARGET = Path(__file__).parents[1] / "macros" / "tests" / "catalogue.sql"

HEADER = """\
{# Generated from the Python catalogue by tools/generate_macro_catalogue.py; do not edit.
   What every metric reads and computes, which measurements there are, and each argument's type,
   bounds and default. #}
{% macro catalogue() %}
    {{- return("""


def catalogue() -> dict[str, Any]:
    """Return what the macros need, as plain values."""
    properties = suite_json_schema()["$defs"]["GroupMetricParity"]["properties"]
    left_out = ("name", "type", "relation", "where", "filters", "thresholds")
    return {
        "metrics": {name: _metric(metric) for name, metric in METRICS.items()},
        "input_columns": list(INPUT_COLUMNS),
        "measurements": list(MEASUREMENTS),
        "operators": [">", ">=", "<", "<=", "is", "!="],
        "parameters": {
            name: _parameter(schema) for name, schema in properties.items() if name not in left_out
        },
    }


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
        "is_weightable": is_weightable(metric),
        "weighted_statistics": [
            name for name in weighted(metric).family.statistics if name != "rows"
        ],
        "has_weighted_p_value": weighted(metric).p_value is not None,
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
