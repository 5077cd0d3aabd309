"""From a manifest to tests: what each is called, what it is about, and what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsql.cli.dbt import dbt
from fairsql.compile.loader import macros_for
from fairsql.config import TESTS
from fairsql.dbt import Dbt, Target, load_project, read_suite
from fairsql.dbt.jinja import render_argument
from fairsql.dbt.manifest import with_column
from fairsql.errors import ConfigurationError
from fairsql.metrics import INPUT_COLUMNS, PARITY_METRICS
from tests.cli.samples import ROOT

RATE: dict[str, Any] = {
    "protected_attribute_columns": ["gender"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}
LOANS = {"relation_name": '"shop"."main"."loans"', "config": {}, "fqn": ["shop", "loans"]}
TARGET = Target("shop", "dev", "duckdb", "profiles.yml", Path(), Path(), {"path": "shop.duckdb"})


def node(name: str, package: str = "shop", **kwargs: Any) -> dict[str, Any]:
    metadata = {"namespace": "fairsql", "name": "group_metric_parity", "kwargs": kwargs}
    return {
        "name": name,
        "package_name": package,
        "original_file_path": "models/schema.yml",
        "database": "shop",
        "schema": "main_dbt_test__audit",
        "config": {"where": None},
        "attached_node": "model.shop.loans",
        "depends_on": {"nodes": ["model.shop.loans"]},
        "test_metadata": metadata,
    }


def suite(*tests: dict[str, Any]) -> Any:
    """Read a project whose manifest holds these tests of loans, and others that are not ours."""
    Path("dbt_project.yml").write_text(json.dumps({"name": "shop", "vars": {"least": 40}}))
    other = node("not_null_id") | {"test_metadata": {"name": "not_null", "kwargs": {}}}
    nodes = {"model.shop.loans": LOANS, "test.shop.other": other, "test.shop.sql": {"name": "sql"}}
    nodes |= {f"test.{place}": test for place, test in enumerate(tests)}
    Path("target").mkdir(exist_ok=True)
    manifest = {"nodes": nodes, "sources": {}}
    Path("target/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return read_suite(load_project(None), TARGET, Dbt(Path()))


def test_a_test_is_read_as_dbt_knows_it() -> None:
    where = node("old", **RATE, min_ratio=None, on_skip="error", model="{{ ref('loans') }}")
    where["config"] = {"where": "age > 60"}
    found = suite(node("all", **RATE), where).suite.tests
    assert [(test.name, test.where) for test in found] == [("all", None), ("old", "age > 60")]
    assert {test.relation for test in found} == {'"shop"."main"."loans"'}
    assert found[1].min_ratio == 0.8


def test_every_wrong_argument_is_named_with_its_file_and_test() -> None:
    with pytest.raises(ConfigurationError) as caught:
        suite(
            node("a", **RATE, min_ratio=5),
            node("b", **RATE, alhpa=0.1),
            node("c", **RATE, relation="people"),
            node("d", column_name="x", **RATE),
        )
    lines = sorted(str(caught.value).splitlines())
    assert [line.split(": ")[0] for line in lines] == [
        "models/schema.yml, test 'a', min_ratio",
        "models/schema.yml, test 'b', alhpa",
        "models/schema.yml, test 'c', relation",
        "models/schema.yml, test 'd'",
    ]


def test_tests_of_one_name_are_told_apart_by_package() -> None:
    found = suite(node("t", **RATE), node("t", "other", **RATE)).suite.tests
    assert [test.name for test in found] == ["shop.t", "other.t"]


def test_a_project_without_tests_does_not_pass() -> None:
    with pytest.raises(ConfigurationError, match="no fairsql test is defined in shop"):
        suite()


def test_jinja_is_rendered_and_what_only_dbt_can_render_is_left_to_it() -> None:
    found = suite(
        node("var", **RATE, min_group_size="{{ var('least') }}"),
        node("bare", **RATE, min_group_size="var('least')"),
        node("ref", **RATE, missing_attribute_values=["{{ ref('loans') }}"]),
        node("unset", **RATE, min_group_size="{{ var('most') }}"),
    )
    assert [(test.name, test.min_group_size) for test in found.suite.tests] == [
        ("var", 40),
        ("bare", 40),
    ]
    assert {name: result.status for name, result in found.left.items()} == {
        "ref": "error",
        "unset": "error",
    }
    assert "'ref' is undefined" in found.left["ref"].message
    assert "needs the variable most, which is not set" in found.left["unset"].message
    assert found.names == ("var", "bare", "ref", "unset")


def test_what_only_dbt_can_run_is_an_error_of_its_own_type() -> None:
    limits = [{"measurement": "mean", "operator": ">", "value": 0}]
    of_type = {
        "group_metric_parity": RATE,
        "group_column_statistic": {"statistic": "count", "operator": ">", "value": 1},
        "metric_threshold": {"value_column": "age", "thresholds": limits},
    }
    tests = []
    for name, arguments in of_type.items():
        test = node(name, **arguments, statistics_of="shared")
        test["test_metadata"]["name"] = name
        tests.append(test)
    left = suite(*tests).left
    assert {name: test.type for name, test in left.items()} == {name: name for name in of_type}
    assert "lowest_group_value" in left["group_column_statistic"].measurements
    assert left["metric_threshold"].measurements == {"mean": None}


@pytest.mark.parametrize(
    "text",
    [
        "plain", "1", "{{ 1 }}", "{{ 1 / 2 }}", "{{ (1 / 2) | as_number }}", "{{ var('n') }}",
        "var('n')", " var('n') ", "in {{ var('n') }}", "{{ 'x' }}", "{{ var('n') | as_text }}",
        "{{ 'True' | as_bool }}", "{{ 'abc' | as_native }}", "{{ var('items') }}",
        "{{ '[1]' | as_native }}", "{{ 'a' ~ 1 }}",
        "env_var('FAIRSQL_HOME_TOWN')", "{{ env_var('FAIRSQL_NOTHING', 'x') }}", "{ no }", "%s {",
        "{{ \"{{ ref('m') }}\" }}", "{{ var('half') }}", "{% if var('n') %}a{% endif %}",
    ],
)  # fmt: skip
def test_jinja_gives_what_dbts_own_gives(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dbt.clients.jinja import get_rendered

    monkeypatch.setenv("FAIRSQL_HOME_TOWN", "Ulm")
    variables = {"n": 3, "half": 0.5, "items": ["a", 1]}
    environment = {"FAIRSQL_HOME_TOWN": "Ulm"}
    context = {
        "var": variables.get,
        "env_var": lambda name, default=None: environment.get(name, default),
    }
    call = text.strip().startswith(("var(", "env_var("))
    theirs = get_rendered("{{ " + text + " }}" if call else text, context, native=True)
    ours = render_argument(text, variables, "here")
    assert ours == theirs
    assert type(ours) is type(theirs) or isinstance(ours, str)  # dbt marks some of its texts


@pytest.mark.parametrize(
    "arguments",
    [
        ["--select", "a", "b", "--exclude", "c", "-v"],
        ["--select=a", "b", "-v", "--exclude", "c"],
        ["--select", "a", "--exclude", "c", "-s", "b"],
    ],
)
def test_selectors_may_follow_one_another(arguments: list[str]) -> None:
    context = dbt.make_context("dbt", arguments)
    assert context.params["select"] == ("a", "b")
    assert context.params["exclude"] == ("c",)


def test_the_page_lists_every_option() -> None:
    page = (ROOT / "docs" / "fairsql-dbt.md").read_text(encoding="utf-8")
    missing = [option for p in dbt.params for option in p.opts if f"`{option}" not in page]
    assert not missing


ROLES = ("outcome_column", "value_column", "score_column", "prediction_column")


@pytest.mark.parametrize(
    ("test_type", "own"),
    [
        *(("group_metric_parity", {"parity_metric": metric}) for metric in PARITY_METRICS),
        ("group_outcome_disparity", {}),
        ("group_score_disparity", {"statistic": "median"}),
        ("group_performance_parity", {"performance_metrics": ["recall"]}),
        ("group_performance_parity", {"decision_threshold": 0.5}),
        ("group_column_statistic", {"statistic": "sum"}),
        ("metric_threshold", {}),
    ],
)
def test_a_column_means_what_it_means_to_the_macro(test_type: str, own: dict[str, Any]) -> None:
    macros = macros_for("duckdb")
    parameters = [*TESTS[test_type].model_fields, "thresholds"]
    roles = dict.fromkeys([*INPUT_COLUMNS, *ROLES])
    for given in [{}, *({role: "x"} for role in roles), *({role: "y"} for role in roles)]:
        arguments = {**own, **given}
        ours = with_column(test_type, arguments, "x")
        nulls = dict.fromkeys(parameters)
        try:
            theirs = macros.call("with_column", test_type, {**nulls, **arguments}, "x")
        except ConfigurationError:
            assert ours is None
        else:
            assert {**nulls, **(ours or {})} == theirs
