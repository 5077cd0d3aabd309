"""The verdict in SQL through each engine's own dbt adapter: one `dbt build`, then what it left.

Spark is the engine itself. The emulators prove the adapters' path: names and their folding, macros
by dispatch, the frames that dbt puts around a test, tables of stored failures. They run our SQL on
DuckDB, so that they prove nothing of their vendor's grammar or arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.compile.loader import macros_for
from tests.dbt.engines import engine
from tests.dbt.generated import HOSTILE, arguments, python_results, results_model, source_yaml
from tests.dbt.project import Outcome, Project
from tests.dbt.rows import failure_differences, result_differences
from tests.dbt.test_differential import STATUS
from tests.engines.googlesql import GoogleSQL
from tests.fixtures.relations import exactly, to_places
from tests.fixtures.test_published import SEX
from tests.generator import Case, cases, load

if TYPE_CHECKING:
    from tests.dbt.engines import Engine

SEED = 2026
# Hanley and McNeil 1982: how many normal and abnormal images one reader gave the ratings 1 to 5;
# and a reader who gives all of them the same.
RATINGS = {0: (33, 6, 6, 11, 2), 1: (3, 2, 2, 11, 33)}
EVERY_GAP = {"min_ratio": 1, "min_group_size": 1}

LAW = Case(
    "law",
    {"sex": "text", "chosen": "integer"},
    [(sex, int(row < hits)) for sex, (rows, hits) in SEX.items() for row in range(rows)],
    {
        "name": "law",
        "protected_attribute_columns": ["sex"],
        "parity_metric": "rate",
        "value_column": "chosen",
        "positive_values": [1],
        "higher_is_better": True,
        **EVERY_GAP,
    },
)
READERS = Case(
    "readers",
    {"Reader": "text", "rating": "integer", "abnormal": "boolean"},
    [
        (reader, rating if reader == "sees" else 3, bool(truth))
        for reader in ("sees", "guesses")
        for truth, counts in RATINGS.items()
        for rating, count in enumerate(counts, 1)
        for _ in range(count)
    ],
    {
        "name": "readers",
        "protected_attribute_columns": ["Reader"],
        "parity_metric": "auc",
        "score_column": "rating",
        "ground_truth_column": "abnormal",
        "positive_values": [True],
        **EVERY_GAP,
    },
)
EXAMPLES = {
    "law": LAW,
    "readers": READERS,
    "hostile": HOSTILE,
    # Generated: what each has that others have not.
    **{
        name: next(islice(cases(SEED, number + 1), number, None))
        for name, number in {
            "log_loss_by_timestamp": 0,
            "median_of_few_rows": 1,
            "auc_of_decimals": 7,
            "rate_of_texts": 8,
            "labels_of_dates_by_hostile_key": 12,
            "p95_of_many_groups": 16,
            "rate_of_booleans": 27,
            "npv_by_its": 86,
            "auc_of_integers": 375,
        }.items()
    },
}
QUANTILES = ("median_of_few_rows", "p95_of_many_groups")
# What dbt tests, and of what it builds a model of every group: as much as there is time for.
# Spark plans each of these statements for half a minute, and the emulator of BigQuery takes
# minutes for a quantile.
TESTED = {
    "spark": tuple(name for name in EXAMPLES if name not in QUANTILES),
    "snowflake": tuple(EXAMPLES),
    "bigquery": ("law", "readers", "hostile", "log_loss_by_timestamp", "auc_of_integers"),
}
WITH_GROUPS = {
    "spark": ("auc_of_integers",),
    "snowflake": tuple(EXAMPLES),
    "bigquery": ("auc_of_integers", "npv_by_its", "rate_of_booleans"),
}
TYPES = "the emulator says of every value that its type is JSON, "
APOSTROPHE = pytest.mark.notyet(
    "the emulator says that a table is there already whose column has an apostrophe in its name"
)
LIMITS: dict[tuple[str, str], pytest.MarkDecorator] = {
    ("snowflake", "hostile"): APOSTROPHE,
    ("snowflake", "npv_by_its"): APOSTROPHE,
    ("snowflake", "auc_of_decimals"): pytest.mark.notyet(
        "the emulator trims spaces whatever characters it is told: tabs and line breaks stay"
    ),
    ("snowflake", "log_loss_by_timestamp"): pytest.mark.notyet(
        TYPES + "so that a timestamp keeps its zeros and its blank"
    ),
    ("snowflake", "rate_of_booleans"): pytest.mark.notyet(
        TYPES + "so that a column that is false throughout is no rate of 0"
    ),
    ("bigquery", "hostile"): pytest.mark.never("no column may have a quotation mark in its name"),
    ("bigquery", "log_loss_by_timestamp"): pytest.mark.never(
        "no column may have a dot in its name"
    ),
    ("bigquery", "rate_of_booleans"): pytest.mark.notyet(
        "the emulator reads no escapes such as \\u00a0, and trims digits off the keys"
    ),
}
UNLOADABLE = {
    ("snowflake", "hostile"),
    ("snowflake", "npv_by_its"),
    ("bigquery", "hostile"),
    ("bigquery", "log_loss_by_timestamp"),
}


@dataclass(frozen=True)
class Ran:
    """What one `dbt build` came to on one engine."""

    engine: Engine
    outcomes: dict[str, Outcome]
    printed: str

    def groups(self, name: str) -> list[dict[str, Any]]:
        return self.engine.rows([f"{self.engine.schema}.groups_of_{name}"])[0]

    def stored(self, name: str) -> list[dict[str, Any]]:
        return self.engine.rows([f"{self.engine.schema}_dbt_test__audit.check_{name}"])[0]


@pytest.fixture(scope="module")
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp(request.param)
    with engine(request.param, folder) as found:
        names = dict.fromkeys((*TESTED[request.param], *WITH_GROUPS[request.param]))
        tables = {name: EXAMPLES[name] for name in names if (request.param, name) not in UNLOADABLE}
        found.load(list(tables.items()))
        tested = [(name, tables[name]) for name in TESTED[request.param] if name in tables]
        files = {
            "models/sources.yml": source_yaml(found.schema, tested),
            "macros/engine.sql": found.macros,
        }
        for name in filter(tables.__contains__, WITH_GROUPS[request.param]):
            # The relation as text: a model of a source waits for the tests of the source.
            relation = f"'{found.schema}.{name}'"
            files |= [results_model(f"groups_of_{name}", relation, arguments(EXAMPLES[name].test))]
        project = Project.create(
            folder / "project", found.output, files, **{"on-run-start": list(found.hooks)}
        )
        printed = project.dbt("build").stdout
        yield Ran(found, project.outcomes(), printed)


def on(name: str, example: str | None = None) -> Any:
    """Return an engine and an example as a test's parameters, marked by what cannot be."""
    marks = [pytest.mark.xdist_group(f"dbt-{name}")]
    if (name, example) in LIMITS:
        marks.append(LIMITS[name, str(example)])
    values = [name] if example is None else [name, example]
    return pytest.param(*values, marks=marks, id="-".join(values))


def every() -> list[Any]:
    return [
        on(name, example)
        for name in TESTED
        for example in dict.fromkeys((*TESTED[name], *WITH_GROUPS[name]))
    ]


@pytest.mark.parametrize("ran", [on(name) for name in TESTED], indirect=True)
def test_dbt_warns_of_nothing_that_it_parses(ran: Ran) -> None:
    before_the_first_node = ran.printed.partition("START")[0]
    assert "Concurrency" in before_the_first_node
    assert "WARNING" not in before_the_first_node


@pytest.mark.parametrize(("ran", "example"), every(), indirect=["ran"])
def test_dbt_gives_the_verdict_of_the_python_path(
    request: pytest.FixtureRequest, ran: Ran, example: str
) -> None:
    case = EXAMPLES[example]
    with duckdb.connect() as connection:
        load(connection, case, "t")
        shown = {**case.test, "min_reported_rows": 1}
        result, complete = python_results(connection, "t", [case.test, shown])
    engine_name = request.node.callspec.params["ran"]
    found: list[str] = []
    if example in TESTED[engine_name]:
        outcome = ran.outcomes[f"check_{example}"]
        assert outcome.status == STATUS[result["status"]], outcome.message
        found += failure_differences(ran.stored(example), complete)
    if example in WITH_GROUPS[engine_name]:
        found += result_differences(ran.groups(example), result)
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("ran", [on(name) for name in TESTED], indirect=True)
def test_local_law_144(ran: Ran) -> None:
    # The rules of 6 April 2023 print the ratio; p by R's fisher.test.
    [row] = ran.stored("law")
    assert (row["key_1"], row["ratio"]) == ("Female", to_places(0.979337, 6))
    assert row["p_value"] == exactly(0.6344861896601167)


@pytest.mark.parametrize("ran", [on("snowflake"), on("bigquery")], indirect=True)
def test_an_auc_over_ties(ran: Ran) -> None:
    [row] = ran.stored("readers")
    assert (row["key_1"], row["value"]) == ("guesses", 0.5)
    assert row["comparison_value"] == exactly(0.8931710615280595)


@pytest.mark.xdist_group("googlesql")
def test_googles_analyzer_takes_what_dbt_makes_of_a_test() -> None:
    tables = GoogleSQL()
    tables.load("t", LAW)
    macros = macros_for("bigquery")
    parameters = dict.fromkeys(
        macros.call("catalogue")["types"]["group_metric_parity"]["parameters"]
    )
    given = {**parameters, **{name: LAW.test[name] for name in LAW.test if name in parameters}}
    sql = macros.call("default__fairsql_test_group_metric_parity", "t", None, given, None, None)
    frame = f"from (\n{sql}\n) dbt_internal_test"
    calculated = macros.call("fail_calc", None)
    assert tables.analyze(f"select {calculated} as failures {frame}") == [("failures", "INT64")]
    stored = dict(tables.analyze(f"select * {frame}"))
    assert {stored[f"key_{number}"] for number in (1, 2, 3)} == {"STRING"}
    assert (stored["reason"], stored["p_value"], stored["failed"]) == ("STRING", "FLOAT64", "BOOL")
