"""One small project in which a user of dbt does everything that users of dbt do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from tests.dbt.project import Project
from tests.dbt.warehouses import DuckDB
from tests.fixtures.relations import load_counts
from tests.fixtures.test_compas import COMPARISONS, COMPAS, VALUES
from tests.fixtures.test_published import BERKELEY, RACE, SEX

TEAL = {"Black": (48, 26), "white": (259, 206)}
# Rows and approvals by gender in each half; five rows more have no gender.
TRAINING = {"F": (40, 20), "M": (40, 20), "X": (40, 20)}
VALIDATION = {"F": (40, 10), "M": (40, 30), "X": (40, 16)}

RATE: Mapping[str, Any] = {
    "protected_attribute_columns": ["gender"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}
OF_COLUMN = {name: value for name, value in RATE.items() if name != "value_column"}
SKIPPED = {**RATE, "positive_values": ["never"]}  # positive_class_absent
TOO_MANY_MISSING = {"measurement": "missing_attribute_rate", "operator": "<=", "value": 0.01}
MEAN_PRICE = {**OF_COLUMN, "parity_metric": "mean"}
del MEAN_PRICE["positive_values"]


@dataclass(frozen=True)
class Checked:
    """A test of the project: its arguments and config, and what dbt must make of it."""

    arguments: Mapping[str, Any]
    status: str
    failures: int | None = None
    config: Mapping[str, Any] = field(default_factory=dict)


TESTS_OF_LOANS: dict[str, Checked] = {
    # X has 36 of 80 approvals and F 30, to M's 50: ratios 0.72 and 0.6.
    "two_groups_fail": Checked(RATE, "fail", 2, {"store_failures": True}),
    "where_of_training": Checked(RATE, "pass", 0, {"where": "split = 'training'"}),
    "where_of_validation": Checked(
        RATE, "fail", 2, {"where": "split = 'validation'", "store_failures": True}
    ),
    "where_without_rows": Checked(
        RATE, "warn", -1, {"where": "split = 'none'", "store_failures": True}
    ),
    "severity_warn": Checked(RATE, "warn", 2, {"severity": "warn"}),
    "error_if_more_than_two": Checked(RATE, "warn", 2, {"error_if": "> 2"}),
    "warn_if_more_than_two": Checked(RATE, "fail", 2, {"warn_if": "> 2"}),
    "limit_one": Checked(RATE, "fail", 1, {"limit": 1}),
    "skip": Checked(SKIPPED, "warn", -1, {"store_failures": True}),
    "skip_of_severity_warn": Checked(SKIPPED, "warn", -1, {"severity": "warn"}),
    "skip_counted_as_an_error": Checked({**SKIPPED, "on_skip": "error"}, "fail", 1),
    "skip_counted_as_a_pass": Checked({**SKIPPED, "on_skip": "pass"}, "pass", 0),
    "skip_hidden_by_warn_if": Checked(SKIPPED, "pass", 0, {"warn_if": "> 5"}),
    "skip_failing_by_error_if": Checked(SKIPPED, "fail", -1, {"error_if": "!= 0"}),
    "nobody_fails_but_many_are_missing": Checked(
        {**RATE, "min_ratio": 0.5, "thresholds": [TOO_MANY_MISSING]},
        *("fail", 1, {"store_failures": True}),
    ),
    "three_limits_broken": Checked(
        {
            **RATE,
            "min_reported_rows": 70,
            "thresholds": [
                {"measurement": "failingGroupCount", "operator": "<=", "value": 0},
                {"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8},
                TOO_MANY_MISSING,
            ],
        },
        *("fail", 3, {"store_failures": True}),
    ),
}
COLUMN_TESTS: dict[str, dict[str, Checked]] = {
    "approved": {"under_a_column_to_rate": Checked(OF_COLUMN, "fail", 2)},
    "price": {
        "under_a_column_to_average": Checked(MEAN_PRICE, "pass", 0),
        "under_the_column_that_is_named_too": Checked(
            {**MEAN_PRICE, "value_column": "price"}, "pass", 0
        ),
    },
    "score": {
        "under_a_score": Checked(
            {
                "protected_attribute_columns": ["gender"],
                "parity_metric": "auc",
                "ground_truth_column": "approved",
                "positive_values": [1],
            },
            *("pass", 0),
        ),
    },
}
OTHER_NODES: dict[str, dict[str, Checked]] = {
    "eligible": {"of_an_ephemeral_model": Checked(RATE, "fail", 2)},
    "statistics": {
        "of_a_model_of_statistics": Checked({**RATE, "statistics_of": "rate"}, "fail", 2),
        "of_the_other_test_of_a_scan": Checked(
            {**MEAN_PRICE, "value_column": "price", "statistics_of": "price"}, "pass", 0
        ),
    },
    "source": {"of_a_model_called_source": Checked(RATE, "fail", 2, {"where": "1 = 1"})},
    "verdict": {"of_an_ephemeral_model_called_verdict": Checked(RATE, "fail", 2)},
}
SELECTED = {**RATE, "value_column": "x"}
# A comparison for each kind of p-value, and one whose test has a `where`.
COMPARED = (
    "rate_high_risk_lower_better",
    "fpr",
    "auc_hm",
    "brier_welch",
    "median_decile_lower_better_pooledq",
)
PUBLISHED: dict[str, dict[str, dict[str, Any]]] = {
    "law_sex": {"law_by_sex": {**SELECTED, "protected_attribute_columns": ["sex"]}},
    "law_race": {
        "law_by_race": {**SELECTED, "protected_attribute_columns": ["race"]},
        "law_by_race_of_one_percent": {
            **SELECTED,
            "protected_attribute_columns": ["race"],
            "min_group_share": 0.01,
        },
    },
    "teal": {"teal": {**SELECTED, "protected_attribute_columns": ["race"]}},
    "berkeley": {"berkeley": {**SELECTED, "protected_attribute_columns": ["gender"]}},
    "compas": {
        f"compas_{name}": {**VALUES[COMPARISONS[name]], "protected_attribute_columns": ["race"]}
        for name in COMPARED
    },
}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "min_ratio": ({"min_ratio": 80}, "min_ratio must be above 0 and at most 1, but is 80"),
    "alpha": ({"alpha": "1e-5"}, "alpha must be a number, but is the text 1e-5"),
    "higher_is_better": ({"higher_is_better": "yes"}, "higher_is_better must be true or false"),
    "positive_values": ({"positive_values": "1"}, "positive_values must be a list, but is 1"),
    "score_column": ({"score_column": "s"}, "score_column is not used by parity_metric rate"),
    "parity_metric": ({"parity_metric": "recall"}, "parity_metric must be one of auc, log_loss"),
    "thresholds": (
        {"thresholds": [{"measurement": "min_ratio", "operator": "<", "value": 1}]},
        "thresholds measure min_ratio; measurements are failing_group_count",
    ),
    "reference_value": ({"reference_value": "F"}, "reference_value is not used with"),
    "value_column": ({"value_column": "gender"}, "names the column gender twice, or also as"),
}

# Macros of the user's own, called as other packages call theirs, and none the package may see.
USERS_MACROS = "\n".join(
    f"{{% macro {prefix}__{name}(value=none) %}}{{{{ return('broken') }}}}{{% endmacro %}}"
    for prefix in ("default", "duckdb")
    for name in ("quantile", "literal", "identifier", "double", "trim", "statistics", "verdict")
)
MODELS = {
    "loans": "{{ config(materialized='table') }} select * from {{ ref('applicants') }}",
    "eligible": "{{ config(materialized='ephemeral') }} select * from {{ ref('applicants') }}",
    "source": "select * from {{ ref('loans') }}",
    "verdict": "{{ config(materialized='ephemeral') }} select * from {{ ref('loans') }}",
    "statistics": (
        "{{ config(materialized='table') }} {{ fairsql.statistics(ref('verdict'), tests=["
        f"{ {**RATE, 'name': 'rate'} },"
        f"{ {**MEAN_PRICE, 'value_column': 'price', 'name': 'price'} }]) }}}}"
    ),
    "groups": f"{{{{ fairsql.group_metric_parity_results(ref('eligible'), **{dict(RATE)}) }}}}",
    "groups_of_statistics": (
        "{{ fairsql.group_metric_parity_results(ref('statistics'), statistics_of='rate', "
        f"name='mine', **{dict(RATE)}) }}}}"
    ),
}


def applicants() -> str:
    """Return the seed: what is asked of the groups, and a score and price that treat all alike."""
    lines = ["gender,approved,price,score,split"]
    for split, groups in (("training", TRAINING), ("validation", VALIDATION)):
        for gender, (rows, approved) in groups.items():
            for row in range(rows):
                positive = row < approved
                score = 0.1 if positive else -0.1
                lines.append(f"{gender},{int(positive)},{row % 7},{score},{split}")
    return "\n".join([*lines, *[",1,3,0.1,training"] * 5]) + "\n"


def properties(place: str, **more: Any) -> str:
    """Return a file of properties; JSON is YAML."""
    return json.dumps({"version": 2, place: [more]})


def tests(checked: Mapping[str, Checked]) -> list[dict[str, Any]]:
    return [
        {
            "fairsql.group_metric_parity": {
                "name": name,
                "arguments": dict(test.arguments),
                "config": dict(test.config),
            }
        }
        for name, test in checked.items()
    ]


def gaps(test: Mapping[str, Any]) -> Checked:
    """Return a test that whoever is worse fails, so that a row is stored for each."""
    arguments = {name: value for name, value in test.items() if name != "where"}
    config = {"store_failures": True, **({"where": test["where"]} if "where" in test else {})}
    arguments |= {"min_ratio": 1, "p_value_adjustment": "holm"}
    return Checked(arguments, "fail", config=config)


def files() -> dict[str, str]:
    """Return the project's files."""
    columns = [{"name": name, "data_tests": tests(of)} for name, of in COLUMN_TESTS.items()]
    loans = tests(TESTS_OF_LOANS)
    loans.append({"fairsql.group_metric_parity": {"arguments": dict(RATE)}})  # without a name
    seed = tests({"of_a_seed": Checked(RATE, "fail", 2)})
    published = [
        {"name": table, "data_tests": tests({name: gaps(test) for name, test in of.items()})}
        for table, of in PUBLISHED.items()
    ]
    found = {
        "macros/users.sql": USERS_MACROS,
        "seeds/applicants.csv": applicants(),
        "seeds/applicants.yml": properties("seeds", name="applicants", data_tests=seed),
        "models/loans.yml": properties("models", name="loans", columns=columns, data_tests=loans),
        "models/raw.yml": properties("sources", name="raw", schema="main", tables=published),
    }
    for name, of in OTHER_NODES.items():
        found[f"models/{name}.yml"] = properties("models", name=name, data_tests=tests(of))
    for name, text in MODELS.items():
        found[f"models/{name}.sql"] = text
    for name, (changes, _) in REFUSED.items():
        given = {**RATE, **changes}
        # dbt stops parsing at the first error; these wait, so that one run shows them all.
        found[f"models/refused/refused_{name}.sql"] = (
            "{% if execute %}{{ fairsql.group_metric_parity_results("
            f"'main.loans', **{given}) }}}}{{% endif %}}"
        )
    return found


def open_shop(root: Path) -> tuple[Project, DuckDB]:
    """Create the project and what its sources hold."""
    warehouse = DuckDB(root / "shop.duckdb")
    with duckdb.connect(str(warehouse.path)) as connection:
        for table, counts, attributes in (
            ("law_sex", SEX, ("sex",)),
            ("law_race", RACE, ("race",)),
            ("teal", TEAL, ("race",)),
            ("berkeley", BERKELEY, ("department", "gender")),
        ):
            view = load_counts(connection, counts, attributes)
            connection.execute(f"create table {table} as from {view}")
        connection.execute("drop view counted")
        connection.execute(f"create table compas as from '{COMPAS}'")
    return Project.create(root / "project", warehouse.output, files()), warehouse
