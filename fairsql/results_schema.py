"""The shape of the results file as JSON Schema, for whoever reads it with a program."""

from __future__ import annotations

from typing import Any

from fairsql.records import MEASUREMENTS
from fairsql.results import SCHEMA_VERSION

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_Schema = dict[str, Any]

_STATUSES = ["passed", "failed", "skipped", "error"]
_OPERATORS = [">", ">=", "<", "<=", "is", "!="]
_NAME = r"^[a-z][a-z0-9_]*$"
_NUMBER_OR_NULL = {"type": ["number", "null"]}


def results_json_schema() -> _Schema:
    """Return the JSON Schema (draft 2020-12) of the results file.

    Keys may be added to the file and are never renamed, so a reader must pass over those it does
    not know; the schema allows them everywhere.

    >>> results_json_schema()["properties"]["schema_version"]
    {'const': 1, 'description': "Version of the results file's format."}
    """
    return {
        "$schema": DRAFT,
        "title": "fairsql results",
        "description": "What `fairsql run --json` writes: undefined is null, never NaN.",
        **_object(
            {
                "schema_version": {
                    "const": SCHEMA_VERSION,
                    "description": "Version of the results file's format.",
                },
                "fairsql_version": _text("The fairsql that ran."),
                "started_at": _time("When the run began."),
                "finished_at": _time("When it ended."),
                "warehouse": _object(
                    {
                        "dialect": _text("SQL dialect."),
                        "name": _text("What reports call the warehouse; never a secret."),
                    },
                    {"version": _or_null(_text("The engine and its version."))},
                ),
                "summary": _object(
                    {name: _count(f"Tests that ended so: {name}.") for name in _STATUSES}
                    | {"scans": _count("Statements that read a relation.")}
                ),
                "tests": {"type": "array", "items": {"$ref": "#/$defs/test"}},
            },
            {
                "suite": _or_null(_text("The suite's file.")),
                "suite_sha256": _text("The hash of what was asked: see Run.suite_sha256."),
                "software": {
                    "type": "object",
                    "description": "What computed the results -> its version.",
                    "additionalProperties": {"type": "string"},
                },
            },
        ),
        "$defs": {
            "test": _test(),
            "group": _group(),
            "part": _part(),
            "pooled": _pooled(),
            "comparison": _comparison(),
            "measurements": _measurements(),
            "key": _key(),
        },
    }


def _test() -> _Schema:
    has_reason = {"properties": {"reason": {"type": "string"}, "message": {"type": "string"}}}
    has_none = {"properties": {"reason": {"type": "null"}}}
    return {
        **_object(
            {
                "name": _text("The test's name, one of its kind in the suite."),
                "type": _text("The kind of test."),
                "relation": _text("What was read: a table, a view or a select."),
                "status": {"enum": _STATUSES, "description": "The verdict; a skip is no pass."},
                "reason": _or_null(_text("Why there is no verdict, as a code.")),
                "message": _or_null(_text("The same as a sentence.")),
                "notes": _texts("What a reader should know besides."),
                "parameters": {
                    "type": "object",
                    "description": "Every parameter of the test, defaults filled in.",
                },
                "rows": _object(
                    {
                        "total": _or_null(_count("Rows of the relation after `where`.")),
                        "missing_metric_inputs": _or_null(_count("Rows that lack an input.")),
                        "missing_attribute": _or_null(_count("Of the others, without a group.")),
                        "evaluated": _or_null(_count("Rows that are left.")),
                    }
                ),
                "overall": _object(
                    {"value": _or_null(_number("Over all evaluated rows."))},
                    {"bounds": _or_null(_bounds())},
                ),
                "comparison": _reference_or_null("comparison"),
                "measurements": {"$ref": "#/$defs/measurements"},
                "thresholds": {"type": "array", "items": _threshold()},
                "groups_total": _or_null(_count("Groups that were judged.")),
                "groups": {
                    "type": "array",
                    "maxItems": 100,
                    "items": {"$ref": "#/$defs/group"},
                    "description": "The groups, worst first; no more than 100 are kept.",
                },
                "sql": _texts("The statements that the result rests on."),
                "elapsed_seconds": {
                    **_number("How long its statement took; tests that share one share it."),
                    "minimum": 0,
                },
            },
            {
                "approximate": {
                    "type": "boolean",
                    "description": "P-values and intervals are, since rows are weighted; or"
                    " values are, within their bounds.",
                },
                "illustrative": {
                    "type": "boolean",
                    "description": "The test was told to judge samples too small to be evidence.",
                },
                "intervals": {
                    "type": "object",
                    "description": "Measurement -> the bounds of its interval, where it has one.",
                    "additionalProperties": {
                        "type": "array",
                        "prefixItems": [{"type": "number"}, {"type": "number"}],
                        "minItems": 2,
                        "maxItems": 2,
                    },
                },
                "query_ids": _texts("The warehouse's ids of the statements."),
                "metric": _or_null(
                    _object(
                        {
                            "label": _text("The metric in words."),
                            "higher_is_better": {"type": "boolean"},
                        },
                        {"name": _text("Its name in the catalogue, or the measurement's.")},
                    )
                ),
                "parts": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/part"},
                    "description": "Of a test of several metrics, strata or classes, each.",
                },
                "pooled": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/pooled"},
                    "description": "Of a stratified test, each group over all strata.",
                },
                "window": _or_null(_window()),
            },
        ),
        "allOf": [
            {
                "if": {"properties": {"status": {"enum": ["skipped", "error"]}}},
                "then": has_reason,
                "else": has_none,
            },
            {
                "if": {"properties": {"type": {"const": "group_metric_parity"}}},
                "then": {
                    "properties": {
                        "measurements": {"required": list(MEASUREMENTS)},
                        "thresholds": {
                            "items": {"properties": {"measurement": {"enum": list(MEASUREMENTS)}}}
                        },
                    }
                },
            },
        ],
    }


def _measurements() -> _Schema:
    """Return measurement -> number: which there are depends on the kind of test."""
    return {
        "type": "object",
        "description": "What thresholds may limit; null is undefined.",
        "propertyNames": {"pattern": _NAME},
        "additionalProperties": _NUMBER_OR_NULL,
    }


def _part() -> _Schema:
    return _object(
        {
            "metric": _text("The metric's name in the catalogue, or the measurement's."),
            "label": _text("The same in words."),
            "higher_is_better": {"type": "boolean"},
            "stratum": _reference_or_null("key"),
            "positive_class": _or_null(_text("The class that is the positive one.")),
            "overall_value": _or_null(_number("Over all evaluated rows of the part.")),
            "comparison": _reference_or_null("comparison"),
            "measurements": {"$ref": "#/$defs/measurements"},
            "groups_total": _or_null(_count("Groups of the part.")),
            "reason": _or_null(_text("Why the part has no verdict, as a code.")),
            "message": _or_null(_text("The same as a sentence.")),
        }
    )


def _pooled() -> _Schema:
    share = {"minimum": 0, "maximum": 1}
    return _object(
        {
            "key": {"$ref": "#/$defs/key"},
            "reference": _reference_or_null("key"),
            "value": _number("The group's rate over all strata together.") | share,
            "reference_value": _number("The reference's, or that of all other rows.") | share,
            "odds_ratio": _or_null(_number("Mantel and Haenszel's.") | {"minimum": 0}),
            "p_value": _or_null(_number("Mantel and Haenszel's, not adjusted.") | share),
            "p_value_adjusted": _or_null(_number("Adjusted as the test asks.") | share),
        }
    )


def _window() -> _Schema:
    return {
        **_object(
            {
                "start": _time("The first moment of the window."),
                "end": _time("The first moment after it."),
                "timestamp_column": _text("The column that says when a row happened."),
            }
        ),
        "description": "Which rows count by when they happened; null when all do.",
    }


def _comparison() -> _Schema:
    return {
        **_object(
            {
                "kind": {"enum": ["reference", "overall"]},
                "key": _reference_or_null("key"),
                "value": _or_null(_number("What the groups' values are compared with.")),
            }
        ),
        "description": "The comparison point.",
    }


def _threshold() -> _Schema:
    return _object(
        {
            "measurement": {"type": "string", "pattern": _NAME},
            "operator": {"enum": _OPERATORS},
            "value": {"type": "number"},
            "observed": {"type": ["number", "null"]},
            "passed": _or_null({"type": "boolean", "description": "Null on a null measurement."}),
        }
    )


def _group() -> _Schema:
    share = {"minimum": 0, "maximum": 1}
    bound = {"type": ["number", "null"]}
    numbers = {
        "rows": _or_null(_count("Evaluated rows of the group.")),
        "missing_metric_inputs": _or_null(_count("Its rows that lack an input.")),
        "share": _or_null(_number("Its part of all evaluated rows.") | share),
        "value": _or_null(_number("The metric; null where it is undefined.")),
        "denominator": _or_null(_number("The count that the value rests on.") | {"minimum": 0}),
        "statistics": _or_null(
            {"type": "object", "description": "What the warehouse returned for the group."}
        ),
        "confidence_interval": _or_null(
            {"type": "array", "prefixItems": [bound, bound], "minItems": 2, "maxItems": 2}
        ),
        "ratio": _or_null(_number("1 or more where the group is not worse.")),
        "difference": _or_null(_number("How much worse; 0 where not.") | {"minimum": 0}),
        "p_value": _or_null(_number("Two-sided, not adjusted.") | share),
        "p_value_adjusted": _or_null(_number("Adjusted as the test asks.") | share),
    }
    flags = ("sufficient", "suppressed", "is_reference", "worse", "significant", "failed")
    return {
        **_object(
            {
                "key": {"$ref": "#/$defs/key"},
                "value_reason": _or_null(_text("Why the value is undefined.")),
                **numbers,
                **{name: {"type": "boolean"} for name in flags},
            },
            {
                "rows_sql": _or_null(_text("The SELECT of the group's rows.")),
                "metric": _or_null(_text("The metric of the part that the group belongs to.")),
                "stratum": _reference_or_null("key"),
                "positive_class": _or_null(_text("The class of that part.")),
                "value_bounds": _or_null(_bounds()),
            },
        ),
        "if": {"properties": {"suppressed": {"const": True}}},
        "then": {"properties": {name: {"type": "null"} for name in (*numbers, "value_bounds")}},
        "else": {
            "properties": {
                name: {"not": {"type": "null"}}
                for name in ("rows", "missing_metric_inputs", "share", "statistics")
            }
        },
    }


def _bounds() -> _Schema:
    return {
        "type": "array",
        "description": "The least and the greatest that the exact value can be, of an approximate"
        " one.",
        "prefixItems": [{"type": "number"}, {"type": "number"}],
        "minItems": 2,
        "maxItems": 2,
    }


def _key() -> _Schema:
    return {
        "type": "object",
        "description": "Column -> the value of it, as canonical text; {} is all rows together.",
        "maxProperties": 3,
        "additionalProperties": {"type": "string"},
    }


def _object(properties: _Schema, optional: _Schema | None = None) -> _Schema:
    return {
        "type": "object",
        "required": list(properties),
        "properties": {**properties, **(optional or {})},
    }


def _text(description: str) -> _Schema:
    return {"type": "string", "description": description}


def _time(description: str) -> _Schema:
    return {**_text(f"{description} UTC."), "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*Z$"}


def _texts(description: str) -> _Schema:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _count(description: str) -> _Schema:
    return {"type": "integer", "minimum": 0, "description": description}


def _number(description: str) -> _Schema:
    return {"type": "number", "description": description}


def _reference_or_null(name: str) -> _Schema:
    return {"anyOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}


def _or_null(schema: _Schema) -> _Schema:
    return {**schema, "type": [schema["type"], "null"]}
