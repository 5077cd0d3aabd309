"""Items as people write them into a tests.json, made in the form of the published examples."""

from __future__ import annotations

from typing import Any

from fairsql.config.documents import Document
from fairsql.config.mapping import read_mapping
from fairsql.config.reading import TestsJson, read_tests_json

RATE: dict[str, Any] = {
    "protected_attribute_columns": ["gender"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}


def parameters(**values: Any) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in values.items()]


def threshold(**changes: Any) -> dict[str, Any]:
    fields = {
        "insightName": "groupMetricParity",
        "insightParameters": parameters(**RATE),
        "measurement": "minMetricRatio",
        "operator": ">=",
        "value": 0.8,
        **changes,
    }
    return {name: value for name, value in fields.items() if value is not ...}


def metric(measurement: str, operator: str = ">=", value: Any = 0.5, **changes: Any) -> Any:
    return {
        "insightName": "metrics",
        "measurement": measurement,
        "operator": operator,
        "value": value,
        **changes,
    }


def item(*thresholds: Any, **changes: Any) -> dict[str, Any]:
    """Return an item; a change to ``...`` takes a key away."""
    fields = {
        "name": "Approval by gender",
        "description": "Nobody is approved less often.",
        "type": "fairness",
        "subtype": "groupMetricParity",
        "thresholds": list(thresholds) or [threshold()],
        "subpopulationFilters": None,
        "mode": "development",
        "usesValidationDataset": True,
        "usesTrainingDataset": False,
        "usesMlModel": False,
        "syncId": "00000000-0000-0000-0000-000000000000",
        **changes,
    }
    return {name: value for name, value in fields.items() if value is not ...}


def read(*items: Any, mapping: dict[str, Any] | None = None) -> TestsJson:
    fields = {"defaults": {"relation": "loans"}, **(mapping or {})}
    return read_tests_json(Document(list(items)), read_mapping(fields))
