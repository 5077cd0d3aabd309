"""Runs that a report must survive: hostile text, a thousand groups, nothing judged, many tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb

from fairsql.config import build_test
from fairsql.results import Comparison, Metric
from fairsql.suite import Suite
from tests.report.samples import FAILED, GROUP, REFERENCE, TEST, run_of

if TYPE_CHECKING:
    from fairsql.results import Run

HOSTILE = (
    "<script>window.harmed = 'script'</script>",
    "</script><script>window.harmed = 'end'</script>",
    "<img src=x onerror=\"window.harmed = 'image'\">",
    "\" onfocus=\"window.harmed = 'attribute'\" autofocus tabindex=\"0",
    "javascript:window.harmed='link'",
    "{{ 1 / 0 }}{% raw %}",
    "</style><style>body { display: none }",
    "</title><svg onload=\"window.harmed = 'svg'\">",
    "<!--",
    "]]>",
    "&lt;b&gt; &amp;",
    "\u202eevil\u202c \u2066x\u2069 \u200fright",
    "x" * 300,
    "word " * 60,
    "W" * 300,
    "😀👩‍👩‍👧‍👦🏳️‍🌈",
    "עברית العربية",
    "=1+1",
    "@cmd",
    "-1",
    "a,b;\"c\"",
    "tab\tand\nline",
    "\x00\x1b[31m",
    "\ud800",
    "''",
    "\\",
    ".",
    "cr\rcr",
    "+1",
    "-1e5",
    "-.5",
    "+0x1F",
    "=",
    "\r=1",
)  # fmt: skip


def hostile_run() -> Run:
    """Every text of the data, of the suite and of the warehouse is hostile."""
    sql = f"-- {HOSTILE[1]}\nselect '{HOSTILE[0]}', '\u202e', '</pre>'"
    groups = [
        replace(
            GROUP,
            key={HOSTILE[0]: name, "<b>": name},
            failed=place % 2 == 0,
            rows_sql=f"{sql} -- {name}.",
        )
        for place, name in enumerate(HOSTILE)
    ]
    tests = [
        replace(
            FAILED,
            name=name,
            relation=name,
            notes=(name,),
            sql=(sql + name,),
            query_ids=(name,),
            parameters={**TEST.parameters, "where": name, "positive_values": [name]},
            groups=(*groups, replace(REFERENCE, key={HOSTILE[0]: "M", "<b>": "M"})),
            groups_total=len(groups) + 1,
        )
        for name in HOSTILE[:4]
    ]
    tests += [
        replace(TEST, name=f"{name} ", status="skipped", reason="no_rows", message=name, groups=())
        for name in HOSTILE
    ]
    run = run_of(*tests)
    return replace(run, suite=HOSTILE[0], warehouse_name=HOSTILE[2], software={HOSTILE[0]: "<b>"})


def thousand_groups() -> Run:
    """A test of a thousand groups, run for real; a hundred of them are kept."""
    connection = duckdb.connect()
    connection.execute(
        "create table t as select 'group ' || lpad((i % 1000)::varchar, 4, '0') as g,"
        " (hash(i) % 100) / 100.0 as x from range(60000) as numbers(i)"
    )
    test = build_test(
        name="A thousand groups",
        relation="t",
        protected_attribute_columns=["g"],
        parity_metric="mean",
        value_column="x",
        higher_is_better=True,
        min_group_share=0,
        thresholds=[{"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8}],
    )
    return Suite((test,)).run(connection)


def nothing_judged() -> Run:
    """Every test of the run is skipped."""
    connection = duckdb.connect()
    connection.execute("create table t (g varchar, x double)")
    shared: dict[str, Any] = {
        "relation": "t",
        "protected_attribute_columns": ["g"],
        "parity_metric": "mean",
        "higher_is_better": True,
    }
    tests = [
        build_test(name="No rows", value_column="x", **shared),
        build_test(name="No such column", value_column="nothing", **shared),
    ]
    return Suite(tuple(tests)).run(connection)


def large_suite() -> Run:
    """Thirty tests of twenty groups, two attributes each: one scan of a real engine."""
    connection = duckdb.connect()
    connection.execute(
        "create table people as select"
        " ['Asian', 'Black', 'Hispanic', 'Native American', 'White'][i % 5 + 1] as race,"
        " ['25 to 44', '45 to 64', '65 and over', 'under 25'][i // 5 % 4 + 1] as age_band,"
        " (hash(i * 3) % 1000) / 1000.0 as score, hash(i * 5) % 3 as decision,"
        " hash(i * 11) % 2 as outcome from range(4000) as numbers(i)"
    )
    shared: dict[str, Any] = {
        "relation": "people",
        "protected_attribute_columns": ["race", "age_band"],
        "p_value_adjustment": "holm",
        "min_group_share": 0.01,
    }
    tests = []
    for place in range(10):
        limit: dict[str, Any] = {"min_ratio": 0.5 + place / 20}
        tests += [
            build_test(
                name=f"Decision {place}",
                parity_metric="rate",
                value_column="decision",
                positive_values=["1"],
                higher_is_better=True,
                **limit,
                **shared,
            ),
            build_test(
                name=f"Ranking {place}",
                parity_metric="auc",
                score_column="score",
                ground_truth_column="outcome",
                positive_values=["1"],
                **limit,
                **shared,
            ),
            build_test(
                name=f"Score {place}",
                parity_metric="mean",
                value_column="score",
                higher_is_better=place % 2 == 0,
                **limit,
                **shared,
            ),
        ]
    return Suite(tuple(tests), source="people.yml").run(connection)


BEYOND = (
    "😀" * 30,
    "x" + "😀" * 30,
    "𠮷" * 40,
    "a" + "𠮷" * 40,
    "𝐀𝐁𝐂𝐃𝐄𝐅𝐆𝐇𝐈𝐉𝐊𝐋𝐌𝐍𝐎𝐏𝐐𝐑𝐒𝐓𝐔𝐕𝐖",
    "Customers who like our product very much 😀😀😀😀",
    "🇩🇪 Deutschland, Österreich und die Schweiz 🇨🇭",
    "é" * 20 + "𝄞" * 50,
)
"""Long names whose characters are two units in UTF-16, at even and at odd places."""


def beyond_run() -> Run:
    """Every text that may come near a chart is long and beyond U+FFFF."""
    tests = []
    for name in BEYOND:
        groups = (replace(GROUP, key={name: name}), replace(REFERENCE, key={name: "M" + name}))
        limit = replace(TEST.thresholds[0], operator=name)
        tests.append(
            replace(
                FAILED,
                name=name,
                groups=groups,
                thresholds=(limit,),
                comparison=Comparison("reference", {name: "M" + name}, 0.375),
                metric=Metric(name, higher_is_better=True),
                parameters={
                    **TEST.parameters,
                    "protected_attribute_columns": [name],
                    "parity_metric": name,
                    "min_ratio": 0.8,
                },
            )
        )
    return run_of(*tests)


FACT = "@octocat <img src=x>|x\n# H1\x00\ud800"
"""Where a results file of ours has a time, a version, a dialect or a number."""


def hostile_facts() -> Run:
    """A results file that another wrote: its facts are hostile where ours are plain words."""
    parameters = {**FAILED.parameters, "min_reported_rows": FACT}
    groups = (replace(GROUP, suppressed=True, value=None, value_reason=FACT), *FAILED.groups)
    test = replace(FAILED, groups=groups, parameters=parameters, measurements={FACT: 1.0})
    test = replace(
        test,
        thresholds=(replace(TEST.thresholds[0], measurement=FACT),),
        metric=Metric(FACT, higher_is_better=True),
    )
    unknown = replace(test, name="unknown metric", parameters={**parameters, "parity_metric": FACT})
    run = run_of(test, unknown)
    return replace(
        run, fairsql_version=FACT, started_at=FACT, finished_at=FACT, dialect=FACT,
        warehouse_version=FACT,
    )  # fmt: skip
