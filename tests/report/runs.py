"""Runs on DuckDB that have everything a report must show: every status, hostile names, < k."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import duckdb

from fairsql.config import build_test
from fairsql.suite import Suite

if TYPE_CHECKING:
    from fairsql.results import Run

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><!--",
    "a|b|c",
    "`code` ```",
    "[link](javascript:alert(1))",
    "@everyone see #1 and https://evil.example www.evil.example :smile: $x$",
    "*bold* __under__ ~~gone~~",
    "=HYPERLINK(1)",
    '"quoted", and\nbroken',
    "\u202eright to left",
    "\x1b[31mred\x07\x00",
    "&amp; &lt; ]]>",
    "👩🏽‍⚖️ émoji",
    "x" * 300,
)
RATE: dict[str, Any] = {
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}


def people() -> duckdb.DuckDBPyConnection:
    """A connection with ``loans``, whose groups differ, and ``hostile``, whose names do harm."""
    connection = duckdb.connect()
    connection.execute(
        "create table loans as select"
        " case when i % 100 < 3 then 'Few' when i % 2 = 0 then 'F' else 'M' end as sex,"
        " case when i % 10 < 3 then 'old' else 'young' end as age,"
        " case when i % 2 = 0 then i % 5 < 2 else i % 7 < 4 end::int as approved,"
        " (i * 7919 % 1000) / 999.0 as score, i % 13 as amount, null as nothing"
        " from range(2000) as rows(i)"
    )
    connection.execute("create table hostile (name varchar, approved int)")
    for place, name in enumerate(HOSTILE):
        connection.execute(
            "insert into hostile select ?, (i < ?)::int from range(40) as rows(i)",
            [name.replace("\x00", "\x01"), 5 + 2 * place],
        )
    return connection


def one_line(name: str) -> str:
    """The name as a test may have it."""
    return "".join(character if character.isprintable() else " " for character in name).strip()


@cache
def full_run() -> Run:
    """Tests of every status and shape."""
    loans: dict[str, Any] = {"relation": "loans", "protected_attribute_columns": ["sex"]}
    tests = [
        build_test(name="passes", min_ratio=0.5, **RATE, **loans),
        build_test(name="fails", p_value_adjustment="holm", **RATE, **loans),
        build_test(
            name="hides small groups", min_reported_rows=100, min_group_share=0, **RATE, **loans
        ),
        build_test(
            name="against everyone", parity_metric="mean", value_column="amount",
            higher_is_better=True, comparison="overall", **loans,
        ),
        build_test(
            name="ranks", relation="loans", protected_attribute_columns=["sex", "age"],
            parity_metric="auc", score_column="score", ground_truth_column="approved",
            positive_values=["1"], min_group_size=1, min_group_share=0,
            thresholds=[
                {"measurement": "min_metric_ratio", "operator": ">=", "value": 0.99},
                {"measurement": "missing_attribute_rate", "operator": "<=", "value": 0.1},
            ],
        ),
        build_test(name="skips", **RATE, **loans, where="sex = 'Few'"),
        build_test(name="has no column", **RATE | {"value_column": "nothing"}, **loans),
        build_test(name="errs", **RATE, **loans | {"relation": "nowhere"}),
        *(
            build_test(
                name=f"{place}: {one_line(name)}", relation="hostile", **RATE,
                protected_attribute_columns=["name"], min_group_share=0,
            )
            for place, name in enumerate(HOSTILE)
        ),
    ]  # fmt: skip
    return Suite(tuple(tests), "audits/<b>|suite`.yml").run(people())
