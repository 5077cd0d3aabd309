"""The JSON Schema of the suite file, by which editors complete and check while one types."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from fairsql.config.models import GroupMetricParity

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_REQUIRED_SOMEWHERE = ("type", "relation", "protected_attribute_columns", "parity_metric")


class _Untitled(GenerateJsonSchema):
    """Leaves out the titles that only repeat the names of the fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's name
        return False


def suite_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the suite file.

    A field that a test requires may stand in ``defaults`` instead, so the schema asks for it in
    the tests only when it does not. What depends on the metric is checked when a suite is read.

    >>> suite_json_schema()["required"]
    ['version', 'tests']
    """
    test = GroupMetricParity.model_json_schema(schema_generator=_Untitled)
    definitions = test.pop("$defs")
    fields = test["properties"]
    test["required"] = ["name"]
    return {
        "$schema": DRAFT,
        "title": "fairsql suite",
        "description": "Fairness tests that run together in one warehouse.",
        "type": "object",
        "additionalProperties": False,
        "required": ["version", "tests"],
        "properties": {
            "version": {"const": 1, "description": "Version of the suite file's format."},
            "defaults": {
                "description": "Fields that every test has unless it says otherwise.",
                "type": ["object", "null"],
                "additionalProperties": False,
                "properties": {
                    name: {"$ref": f"#/$defs/GroupMetricParity/properties/{name}"}
                    for name in fields
                },
            },
            "tests": {
                "description": "The tests, each with a name of its own.",
                "type": "array",
                "minItems": 1,
                "items": {"$ref": "#/$defs/GroupMetricParity"},
            },
        },
        "allOf": [_required_unless_default(name) for name in _REQUIRED_SOMEWHERE],
        "$defs": {**definitions, "GroupMetricParity": test},
    }


def _required_unless_default(field: str) -> dict[str, Any]:
    in_defaults = {
        "required": ["defaults"],
        "properties": {"defaults": {"type": "object", "required": [field]}},
    }
    in_tests = {"properties": {"tests": {"items": {"required": [field]}}}}
    return {"if": in_defaults, "else": in_tests}
