"""The JSON Schema of the suite file, by which editors complete and check while one types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema

from fairsql.config.judging import JudgeSpec
from fairsql.config.models import PARAMETERS, TESTS

if TYPE_CHECKING:
    from fairsql.config.base import Test

DRAFT = "https://json-schema.org/draft/2020-12/schema"


class _Untitled(GenerateJsonSchema):
    """Leaves out the titles that only repeat the names of the fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's name
        return False


def suite_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the suite file.

    A field that a test requires may stand in ``defaults`` instead, so the schema asks for it in
    the tests only when it does not. What depends on the metric is checked when a suite is read.

    >>> suite_json_schema()["required"]
    ['version']
    """
    definitions: dict[str, Any] = {}
    required: dict[str, list[str]] = {}
    for name, model in TESTS.items():
        schema = test_json_schema(model)
        required[name] = [field for field in schema.pop("required") if field != "name"]
        definitions[model.__name__] = {**schema, "required": ["name"]}
    return {
        "$schema": DRAFT,
        "title": "fairsql suite",
        "description": "Fairness tests that run together in one warehouse.",
        "type": "object",
        "additionalProperties": False,
        "required": ["version"],
        "anyOf": [{"required": ["tests"]}, {"required": ["judges"]}],
        "properties": {
            "version": {"const": 1, "description": "Version of the suite file's format."},
            "defaults": {
                "description": "Fields that every test has unless it says otherwise.",
                "type": ["object", "null"],
                "additionalProperties": False,
                "properties": {field: _any_of_kind(field) for field in PARAMETERS},
            },
            "judgements": {
                "description": "The table that holds what judges said.",
                "type": "string",
            },
            "judges": {
                "description": "Language models that judge texts; tests name them.",
                "type": "array",
                "items": judge_json_schema(),
            },
            "tests": {
                "description": "The tests, each with a name of its own.",
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {"type": {"enum": list(TESTS)}},
                    "allOf": [_of_kind(name) for name in TESTS],
                },
            },
        },
        "allOf": [
            _required_unless_default("type"),
            *(_kind_by_default(name) for name in TESTS),
            *(_required_in(name, field) for name in TESTS for field in required[name]),
        ],
        "$defs": definitions,
    }


def test_json_schema(model: type[Test]) -> dict[str, Any]:
    """Return the schema of one kind of test, its definitions written out in place."""
    schema = model.model_json_schema(schema_generator=_Untitled)
    threshold = schema.pop("$defs")["Threshold"]
    threshold["properties"]["measurement"]["enum"] = list(model.measurement_spellings())
    schema["properties"]["thresholds"]["items"] = threshold
    schema["properties"]["judges"]["items"] = {"anyOf": [{"type": "string"}, judge_json_schema()]}
    schema.setdefault("required", [])
    return schema


def judge_json_schema() -> dict[str, Any]:
    """Return the schema of one judge, its definitions written out in place."""
    schema = JudgeSpec.model_json_schema(schema_generator=_Untitled)
    definitions = schema.pop("$defs", {})
    for field, name in (("pairing", "Pairing"), ("prices", "Prices")):
        schema["properties"][field] = {"anyOf": [definitions[name], {"type": "null"}]}
    return schema


def _of_kind(name: str) -> dict[str, Any]:
    """Return the rule that a test of a kind has that kind's fields; the kind may be a default."""
    return {
        "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
        "then": {"$ref": f"#/$defs/{TESTS[name].__name__}"},
    }


def _kind_by_default(name: str) -> dict[str, Any]:
    """Return the rule that tests that name no kind are of the kind that the defaults name."""
    has_kind = {"properties": {"type": {"const": name}}, "required": ["type"]}
    unnamed = {"if": {"not": {"required": ["type"]}}, "then": _of_kind(name)["then"]}
    return {
        "if": {"properties": {"defaults": has_kind}, "required": ["defaults"]},
        "then": {"properties": {"tests": {"items": unnamed}}},
    }


def _any_of_kind(field: str) -> dict[str, Any]:
    """Return a field as the kinds of test have it: in one way, or else in any of several."""
    if field == "type":
        return {"enum": list(TESTS)}
    references = [
        {"$ref": f"#/$defs/{model.__name__}/properties/{field}"}
        for model in TESTS.values()
        if field in model.model_fields
    ]
    options: dict[str, Any] = {"anyOf": references}
    return options if len(references) > 1 else {**references[0]}


def _required_in(name: str, field: str) -> dict[str, Any]:
    """Return the rule that tests of a kind have a field, unless the defaults have it."""
    of_kind: dict[str, Any] = {"properties": {"type": {"const": name}}, "required": ["type"]}
    return _unless_default(field, {"if": of_kind, "then": {"required": [field]}})


def _required_unless_default(field: str) -> dict[str, Any]:
    return _unless_default(field, {"required": [field]})


def _unless_default(field: str, rule: dict[str, Any]) -> dict[str, Any]:
    in_defaults = {
        "required": ["defaults"],
        "properties": {"defaults": {"type": "object", "required": [field]}},
    }
    return {"if": in_defaults, "else": {"properties": {"tests": {"items": rule}}}}
