"""Judging in a warehouse, as each vendor's grammar and Google's analyzer read it."""

from __future__ import annotations

from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from tests.engines.googlesql import GoogleSQL
from tests.llm.in_warehouse import judgements
from tests.vendors.grammar import unparsable
from tests.vendors.test_snowflake import calls
from tools.generate_macro_prompts import prompts

ASKED = {
    "model": "m",
    "key_columns": ["id"],
    "attribute": "age",
    "rubric": "Is it 'kind'?\n\\",
    "scale": [1, 5],
    "higher_is_better": True,
    "prompt_version": "v",
    **{f"{text}_column": text for text in ("input", "output", "reference", "context")},
}
JUDGES = list(prompts()["judges"])
TYPES = {
    **dict.fromkeys(("score", "cost", "seconds"), "FLOAT64"),
    **dict.fromkeys(("input_tokens", "output_tokens"), "INT64"),
}
COLUMNS = [
    *("row_key", "judge", "prompt_version", "model", "provider", "input_hash", "score", "label"),
    *("reason", "error", "input_tokens", "output_tokens", "cost", "seconds", "judged_at"),
]

# As its reference describes it: https://docs.snowflake.com/en/sql-reference/functions/ai_complete
# With return_error_details it returns an object of value and error; the rest are of the reference
# under their own names.
SNOWFLAKE = {
    *("ai_complete", "try_parse_json", "try_to_double", "row_number", "sha2", "length", "substr"),
    *("abs", "cast", "coalesce", "replace", "rtrim", "to_varchar", "to_variant", "typeof"),
    *("try_to_double", "convert_timezone", "nullif"),
}


def statement(judge: str, dialect: str) -> str:
    own = {} if dialect in ("snowflake", "bigquery", "databricks") else {"ai_function": "ask"}
    return judgements(dialect, {**ASKED, "judge": judge, **own}, "judgements")


class Analyzer(GoogleSQL):
    """Google's analyzer with AI.GENERATE declared, as its page has it.

    https://cloud.google.com/bigquery/docs/reference/standard-sql/bigqueryml-syntax-ai-generate
    What it returns hangs on a literal, output_schema, so that the fields are told beforehand.
    """

    def __init__(self, fields: list[str]) -> None:
        super().__init__()
        self.fields = fields
        names = ("id", "input", "output", "reference", "context", "output_a", "output_b")
        self.create("answers", dict.fromkeys(names, "STRING"), [])
        columns = {name: TYPES.get(name, "STRING") for name in COLUMNS}
        self.create("judgements", columns, [])

    def columns(self, sql: str) -> dict[str, str]:
        """Return the columns of a SELECT and their types, without a run."""
        from zetasql.api import Analyzer as Google
        from zetasql.types import TypeKind

        names = {
            TypeKind.TYPE_STRING: "STRING",
            TypeKind.TYPE_DOUBLE: "FLOAT64",
            TypeKind.TYPE_INT64: "INT64",
        }
        read = Google(self._options(), self._catalog()).analyze_statement(sql)
        return {one.name: names[one.column.type.type_kind] for one in read.output_column_list}

    def _catalog(self) -> Any:
        import zetasql.types as types

        catalog = super()._catalog()
        inner = types.SimpleCatalog(name="ai", table=[])
        inner.add_function(self._generate())
        catalog.catalog.append(inner)
        return catalog

    def _generate(self) -> Any:
        import zetasql.types as types
        from zetasql.api.type_factory import TypeFactory

        simple = TypeFactory.create_simple_type
        text, json = simple(types.TypeKind.TYPE_STRING), simple(types.TypeKind.TYPE_JSON)
        number = simple(types.TypeKind.TYPE_DOUBLE)
        fields = [(name, number if name == "score" else text) for name in self.fields]
        returned = TypeFactory.create_struct_type(
            [*fields, ("full_response", json), ("status", text)]
        )
        cardinality = types.FunctionEnums.ArgumentCardinality

        def argument(kind: Any, name: str | None = None) -> Any:
            options = types.FunctionArgumentTypeOptions(
                cardinality=cardinality.OPTIONAL if name else cardinality.REQUIRED
            )
            if name:
                options.argument_name = name
                options.named_argument_kind = types.FunctionEnums.NamedArgumentKind.NAMED_ONLY
            fixed = types.SignatureArgumentKind.ARG_TYPE_FIXED
            return types.FunctionArgumentType(
                kind=fixed, type=kind, options=options, num_occurrences=1
            )

        arguments = [
            argument(text),
            argument(text, "endpoint"),
            argument(json, "model_params"),
            argument(text, "output_schema"),
        ]
        signature = types.FunctionSignature(argument=arguments, return_type=argument(returned))
        return types.Function(
            name_path=["generate"],
            group="BigQuery",
            mode=types.FunctionEnums.Mode.SCALAR,
            signature=[signature],
        )


@pytest.mark.xdist_group("googlesql")
@pytest.mark.parametrize("judge", JUDGES)
def test_google_s_analyzer_reads_it(judge: str) -> None:
    sql = statement(judge, "bigquery")
    fields = prompts()["judges"][judge]["fields"]
    schema = ", ".join(f"{name} {TYPES.get(name, 'STRING')}" for name in fields)
    assert f"output_schema => '{schema}'" in sql
    analyzer = Analyzer(fields)
    assert analyzer.columns(sql) == {name: TYPES.get(name, "STRING") for name in COLUMNS}


@pytest.mark.xdist_group("googlesql")
def test_google_s_analyzer_refuses_another_signature() -> None:
    analyzer = Analyzer(["reason", "answer"])
    wrong = "select ai.generate('p', endpoint => 'm', output_schemas => 'a STRING') as reply"
    with pytest.raises(Exception, match="No matching signature"):
        analyzer.columns(wrong)
    with pytest.raises(Exception, match="score"):
        analyzer.columns("select ai.generate('p', endpoint => 'm').score as score")


@pytest.mark.xdist_group("grammar")
@pytest.mark.parametrize("dialect", ["snowflake", "bigquery", "databricks", "redshift", "postgres"])
@pytest.mark.parametrize("judge", ["bias", "custom", "pairwise_bias", "maliciousness"])
def test_sqlfluff_parses_it(dialect: str, judge: str) -> None:
    assert not list(unparsable([statement(judge, dialect)], dialect))


@pytest.mark.parametrize(
    "dialect", ["duckdb", "postgres", "snowflake", "bigquery", "spark", "databricks", "redshift"]
)
@pytest.mark.parametrize("judge", JUDGES)
def test_sqlglot_parses_it(dialect: str, judge: str) -> None:
    parsed = sqlglot.parse_one(statement(judge, dialect), read=dialect)
    assert isinstance(parsed, exp.Query)
    assert [column.alias_or_name for column in parsed.selects] == COLUMNS


@pytest.mark.parametrize("judge", JUDGES)
def test_snowflake_s_functions_are_in_its_reference(judge: str) -> None:
    assert {word for word, _ in calls(statement(judge, "snowflake"))} <= SNOWFLAKE


@pytest.mark.parametrize(
    ("dialect", "parts"),
    [
        ("snowflake", ["return_error_details => true", "response_format => {'type': 'json',"]),
        ("bigquery", ["output_schema => 'reason STRING, answer STRING'", ".status, '')"]),
        ("databricks", ["failOnError => false", 'responseFormat => \'{"type": "json_schema"']),
    ],
)
def test_failures_come_back_as_rows(dialect: str, parts: list[str]) -> None:
    sql = statement("maliciousness", dialect)
    assert not [part for part in parts if part not in sql]
