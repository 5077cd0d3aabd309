"""The tests whose SQL is kept in ``tests/golden/<dialect>/``, and a small table they run on.

Of a suite's test the statement ends in statistics; of a dbt test, ``dbt_….sql``, in the verdict.
Databricks has no files: its SQL is Spark's to the letter, which a test holds it to.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import duckdb
from sqlglot import exp

from fairsql.cardinality import counts_of, look_of, narrowed
from fairsql.compile import relation
from fairsql.compile.loader import dialects, macros_for
from fairsql.config import build_test
from fairsql.plan import Attribute, Cut, Input, Measure, Scan
from fairsql.planning import compile_suite, statement_of
from fairsql.suite import Suite
from fairsql.version import __version__
from fairsql.warehouses import Column, connect
from tests.generator import Case

if TYPE_CHECKING:
    from tests.oracle.canonical import Kind

FOLDER = Path(__file__).parent / "golden"

TABLES = (
    """
    create table loans as
    select
        case i % 20 when 0 then null when 1 then ' F' else case when i % 3 = 0 then 'M' else 'F' end
        end as gender,
        ['A', 'B', 'C', 'Unknown'][i % 4 + 1] as race,
        18 + i % 5 * 10 as age,
        case when i % 7 = 0 then 'training' else 'validation' end as split,
        nullif(i * 37 % 100, 50) / 100.0::double as score,
        (i * 53 % 101) / 100.0::double as probability,
        (i * 37 % 100 >= 45)::integer as predicted,
        case
            when i % 50 = 7 then null else (i * 53 % 100 >= if(i % 3 = 0, 30, 50))::integer
        end as approved,
        i * 29 % 31 as waiting_days,
        1000 + i * 17 % 400 + i / 8.0::double as amount,
        1000 + i * 19 % 400 + i / 8.0::double as estimated_amount
    from range(400) as numbers(i)
    """,
    """
    create table "odd ""table"" -- {{ name }}" as
    select
        ['it''s', 'back\\slash', '{% raw %}'][i % 3 + 1] as "quo""te",
        case when i % 2 = 0 then 'select' else 'x''); drop table loans; --' end as "label, or '1'",
        i / 8.0::double as "{{ value }} -- ; "
    from range(200) as numbers(i)
    """,
    """
    create table answers as
    select
        case when i % 3 = 0 then 'nl' else 'en' end as language,
        (i * 53 % 100 >= 30)::integer as helpful,
        timestamp '2024-03-01' + to_hours(i) as answered_at,
        (timestamp '2024-03-01' + to_hours(i)) at time zone 'UTC' as answered_in_zone
    from range(400) as numbers(i)
    """,
    """
    create table variants as
    select
        'g' || i // 6 as group_id,
        ['reference', 'woman', 'man'][i % 3 + 1] as role,
        if(i // 6 % 2 = 0, 'gender', 'age') as dimension,
        'Prompt ' || i // 6 as prompt,
        ['I can''t help.', 'A good idea', 'No, it''s "bad"'][i * 7 % 3 + 1] || ' ' || i as answer,
        i as place
    from range(60) as numbers(i)
    """,
    """
    create table fairsql_judgements as
    select
        'bias' as judge,
        'v1' as prompt_version,
        'm1' as model,
        sha256(length(language) || ':' || language) as input_hash,
        case when language = 'en' then 0.25::double end as score,
        'age' as label,
        '2024-03-01T00:00:00Z' as judged_at
    from (select distinct language from answers) as texts
    union all
    select
        'pairwise_bias', 'v1', 'm1',
        sha256(
            length(one.prompt) || ':' || one.prompt || length(one.answer) || ':' || one.answer
            || length(other.answer) || ':' || other.answer
        ),
        (one.place * 7 + other.place * 3) % 5 / 4.0::double,
        'a',
        '2024-03-01T00:00:00Z'
    from variants as one
    inner join variants as other on one.group_id = other.group_id and one.place <> other.place
    """,
)
AS_OF = "2024-03-09T00:00:00.5Z"

CLASSIFIED = {
    "prediction_column": "predicted",
    "ground_truth_column": "approved",
    "positive_values": ["1"],
}
PROBABILITY = {
    "probability_column": "probability",
    "ground_truth_column": "approved",
    "positive_values": ["1"],
}
RANKED = {"score_column": "score", "ground_truth_column": "approved", "positive_values": ["1"]}
RATE = {"value_column": "approved", "positive_values": ["1"], "higher_is_better": True}
WAITING = {"value_column": "waiting_days", "higher_is_better": False}
AMOUNT = {"value_column": "amount", "higher_is_better": True}
REGRESSED = {
    "prediction_column": "estimated_amount",
    "ground_truth_column": "amount",
    "max_difference": 0.1,
}
# Whole numbers from 0 on: some rows are left out.
WEIGHTED = {"weight_column": "waiting_days"}
BINNED = {"auc_method": "binned"}
APPROXIMATE = {"quantile_method": "approximate"}


def _test(name: str, metric: str, *attributes: str, **fields: Any) -> dict[str, Any]:
    return {
        "name": name,
        "relation": "loans",
        "protected_attribute_columns": list(attributes),
        "parity_metric": metric,
        **fields,
    }


def _of_type(type_: str, attributes: list[str], **fields: Any) -> dict[str, Any]:
    named = {"type": type_, "relation": "loans", **fields}
    return {**named, "protected_attribute_columns": attributes} if attributes else named


def _limits(*limits: tuple[str, str, float]) -> list[dict[str, Any]]:
    return [dict(zip(("measurement", "operator", "value"), limit, strict=True)) for limit in limits]


def _window(column: str, **fields: Any) -> dict[str, Any]:
    rate = {**RATE, "value_column": "helpful", "relation": "answers"}
    week = {"timestamp_column": column, "evaluation_window": 604_800, "delay_window": 3600}
    return {**_test("Helpful answers by language", "rate", "language"), **rate, **week, **fields}


# Of a text that the table has; what is judged is of no matter here.
JUDGED = {
    "name": "tone",
    "judge": "bias",
    "model": "m1",
    "prompt_version": "v1",
    "output_column": "language",
}

PAIRED: dict[str, Any] = {
    "relation": "variants",
    "judges": [
        {
            "name": "alike",
            "judge": "pairwise_bias",
            "model": "m1",
            "prompt_version": "v1",
            "input_column": "prompt",
            "output_column": "answer",
        }
    ],
}
COUNTERFACTUAL: dict[str, Any] = {
    "relation": "variants",
    "output_column": "answer",
    "dimension": "dimension",
    "max_divergence": 0.5,
}

CASES: dict[str, list[dict[str, Any]]] = {
    "rate": [_test("Approval by gender", "rate", "gender", **RATE)],
    "npv": [_test("Meaning of a refusal by gender", "npv", "gender", **CLASSIFIED)],
    "log_loss": [_test("Log loss by gender", "log_loss", "gender", **PROBABILITY)],
    "r2": [_test("Explained amounts by gender", "r2", "gender", **REGRESSED)],
    "auc": [_test("Ranking by gender", "auc", "gender", **RANKED)],
    "median_reference": [_test("Median wait by race", "median", "race", **WAITING)],
    "p95_overall": [
        _test("Longest waits by race", "p95", "race", **WAITING, comparison="overall"),
    ],
    "mean_missing_attribute_values": [
        _test(
            "Amount by race", "mean", "race", **AMOUNT, missing_attribute_values=["Unknown", "N/A"]
        )
    ],
    "three_attributes": [
        _test("Approval by gender, race and age", "rate", "gender", "race", "age", **RATE)
    ],
    "one_scan_of_five_tests": [
        {**test, "where": "split = 'validation' and amount > 1000"}
        for test in (
            _test("Approval by gender", "rate", "gender", **RATE),
            _test("Approval by gender, nine tenths", "rate", "gender", **RATE, min_ratio=0.9),
            _test("Approval by race", "rate", "race", **RATE, missing_attribute_values=["Unknown"]),
            _test("Missed approvals by race", "false_omission_rate", "race", **CLASSIFIED),
            _test("Amount by gender and race", "mean", "gender", "race", **AMOUNT),
        )
    ],
    "one_scan_of_ranks_and_moments": [
        _test("Ranking by gender", "auc", "gender", **RANKED),
        _test("Median wait by race", "median", "race", **WAITING),
        _test("Amount by gender", "mean", "gender", **AMOUNT),
    ],
    "weighted_npv": [
        _test("Meaning of a refusal by gender", "npv", "gender", **CLASSIFIED, **WEIGHTED)
    ],
    "one_scan_of_weighted_tests": [
        _test("Ranking by gender", "auc", "gender", **RANKED, **WEIGHTED),
        _test("Median amount by race", "median", "race", **AMOUNT, **WEIGHTED),
        _test("Amount by gender", "mean", "gender", **AMOUNT, **WEIGHTED),
        _test("Amount by gender, all rows alike", "mean", "gender", **AMOUNT),
        _test("Explained amounts by gender", "r2", "gender", **REGRESSED, **WEIGHTED),
        _test("Approval by race", "rate", "race", **RATE, **WEIGHTED),
    ],
    "binned_auc": [_test("Ranking by gender", "auc", "gender", **RANKED, **BINNED)],
    "one_scan_of_approximate_tests": [
        _test("Ranking by gender", "auc", "gender", **RANKED, **BINNED),
        _test("Median wait by race", "median", "race", **WAITING, **APPROXIMATE),
        _test("Longest waits", "p95", "race", **WAITING, **APPROXIMATE, comparison="overall"),
        _test("Median wait by gender, exactly", "median", "gender", **WAITING),
    ],
    "unknown_types": [
        _test("Approval by gender", "rate", "gender", **RATE),
        _test("Amount by age", "mean", "age", **AMOUNT),
    ],
    "scores_of_judges": [
        {
            **_test("Bias by language", "mean", "language", value_column="tone_score"),
            "relation": "answers",
            "judges": [JUDGED],
            "higher_is_better": False,
        },
        {
            "name": "Bias",
            "type": "llm_bias",
            "relation": "answers",
            "judges": [JUDGED],
            "protected_attribute_columns": ["language"],
            "thresholds": _limits(("bias_mean_score", "<=", 0.3)),
        },
    ],
    "refusals": [
        {
            **_of_type("refusal_rate_disparity", ["race"], output_column="split"),
            "name": "Refusals by race",
        },
    ],
    "toxic_answers": [
        {
            **_of_type("toxicity_sentiment_disparity", ["race"], output_column="split"),
            "name": "Insults by race",
        },
    ],
    "scored_answers": [
        {
            **_of_type("toxicity_sentiment_disparity", ["gender"], scorer_column="score"),
            "name": "Insults by gender, as a scorer has it",
        },
    ],
    "stereotypes": [
        {
            **_of_type(
                "stereotype_association_score",
                ["race"],
                answer_column="split",
                stereotyped_answer_column="gender",
            ),
            "name": "Stereotypes by race",
        },
    ],
    "counterfactual_pairs": [
        {
            **_of_type("counterfactual_fairness_divergence", [], **COUNTERFACTUAL),
            "name": "Answers to variants",
        },
    ],
    "judged_pairs": [
        {
            **_of_type("pairwise_divergence", [], **PAIRED, dimension="dimension"),
            "name": "Pairs of answers",
            "max_mean_divergence": 0.5,
        },
    ],
    "hostile_names": [
        {
            **_test(
                "*/ ; -- and {{ braces }}",
                "rate",
                'quo"te',
                value_column="label, or '1'",
                positive_values=["select", "x'); drop table loans; --"],
                higher_is_better=False,
                missing_attribute_values=["it's", "\\'); --"],
            ),
            "relation": 'odd "table" -- {{ name }}',
        },
        {
            **_test(
                "Mean of a hostile column",
                "mean",
                'quo"te',
                value_column="{{ value }} -- ; ",
                higher_is_better=False,
            ),
            "relation": 'odd "table" -- {{ name }}',
        },
    ],
    "window_of_timestamps": [_window("answered_at", where="language <> 'fr'")],
    "window_of_instants": [_window("answered_in_zone")],
    "backfill_by_bins": [
        {
            **_window("answered_in_zone", parity_metric="median", value_column="helpful"),
            **APPROXIMATE,
            "positive_values": None,
        },
    ],
    "backfill": [
        _window("answered_in_zone"),
        {
            **_window("answered_in_zone", parity_metric="median", value_column="helpful"),
            "name": "Median by language",
            "positive_values": None,
        },
    ],
}

BACKFILLED = dict.fromkeys(("backfill", "backfill_by_bins"), "2024-03-01..2024-03-15")
OF_PAIRS = (
    *("counterfactual_pairs", "judged_pairs"),
    *("dbt_counterfactual_pairs", "dbt_judged_pairs", "dbt_judged_poles"),
)
WITHOUT_CONNECTION = {
    *("unknown_types", "scores_of_judges", "refusals", "toxic_answers", "stereotypes"),
    "scored_answers",
    *OF_PAIRS,
}

# Beside the relation these read a table of judgements.
OF_JUDGED_PAIRS = ("judged_pairs", "dbt_judged_pairs", "dbt_judged_poles")
OF_JUDGES = ("scores_of_judges", "dbt_llm_bias", *OF_JUDGED_PAIRS)

# The same as dbt tests: the statement goes on to the verdict, and no column's type is known.
DBT_CASES: dict[str, dict[str, Any]] = {
    "dbt_rate": CASES["rate"][0],
    "dbt_auc": CASES["auc"][0],
    "dbt_binned_auc": CASES["binned_auc"][0],
    "dbt_approximate_median": CASES["one_scan_of_approximate_tests"][1],
    "dbt_mean_overall": _test("Amount by race", "mean", "race", **AMOUNT, comparison="overall"),
    "dbt_median_reference": CASES["median_reference"][0],
    "dbt_weighted_mean_overall": _test(
        "Amount by race", "mean", "race", **AMOUNT, **WEIGHTED, comparison="overall"
    ),
    "dbt_weighted_rate": _test("Approval by gender", "rate", "gender", **RATE, **WEIGHTED),
    "dbt_npv_three_attributes": _test(
        "Meaning of a refusal", "npv", "gender", "race", "age", **CLASSIFIED
    ),
    "dbt_outcome": _of_type(
        "group_outcome_disparity",
        ["gender"],
        outcome_column="approved",
        favorable_values=["1"],
        thresholds=_limits(("impact_ratio", ">=", 0.8), ("statistical_parity_difference", "<", 1)),
    ),
    "dbt_outcome_in_strata": _of_type(
        "group_outcome_disparity",
        ["race"],
        outcome_column="approved",
        favorable_values=["1"],
        stratify_by_columns=["gender", "age"],
        p_value_adjustment="holm",
        min_group_size=5,
    ),
    "dbt_score": _of_type(
        "group_score_disparity", ["race"], score_column="amount", higher_is_better=True
    ),
    "dbt_standardized_scores": _of_type(
        "group_score_disparity",
        ["race"],
        score_column="amount",
        statistic="standardized_mean_difference",
        higher_is_better=True,
        max_difference=0.2,
    ),
    "dbt_equalized_odds": _of_type(
        "group_performance_parity",
        ["gender"],
        performance_metrics=["equalized_odds"],
        **CLASSIFIED,
        thresholds=_limits(("equalized_odds_difference", "<=", 0.1)),
    ),
    "dbt_performance_of_scores": _of_type(
        "group_performance_parity",
        ["gender", "race"],
        performance_metrics=["accuracy", "f1", "false_positive_rate"],
        score_column="score",
        decision_threshold=0.5,
        ground_truth_column="approved",
        positive_values=["1"],
        comparison="overall",
        p_value_adjustment="holm",
    ),
    "dbt_column_statistic": _of_type(
        "group_column_statistic",
        ["race"],
        value_column="amount",
        statistic="p95",
        operator="<=",
        value=1400,
    ),
    "dbt_per_class": _of_type(
        "group_performance_parity",
        ["gender"],
        performance_metrics=["equalized_odds"],
        prediction_column="predicted",
        ground_truth_column="approved",
        per_class=True,
        max_difference=0.2,
        thresholds=_limits(("equalized_odds_difference", "<=", 0.5)),
    ),
    "dbt_macro_average": _of_type(
        "group_performance_parity",
        ["gender", "race"],
        performance_metrics=["f1", "precision"],
        prediction_column="predicted",
        ground_truth_column="approved",
        average="macro",
    ),
    "dbt_metrics_of_classes": _of_type(
        "metric_threshold",
        [],
        prediction_column="predicted",
        ground_truth_column="approved",
        class_score_columns={"0": "score", "1": "probability"},
        thresholds=_limits(
            ("accuracy", ">=", 0.5),
            ("f1", ">=", 0.5),
            ("recall_per_class", ">=", 0.2),
            ("auc", ">=", 0.5),
            ("log_loss", "<=", 5),
        ),
    ),
    "dbt_filtered": _of_type(
        "metric_threshold",
        [],
        value_column="amount",
        filters=[
            {"column": "split", "operator": "one_of", "value": ["validation"]},
            {"column": "age", "operator": ">=", "value": 28},
        ],
        thresholds=_limits(("mean", ">", 1000)),
    ),
    "dbt_metric_thresholds": _of_type(
        "metric_threshold",
        [],
        **CLASSIFIED,
        score_column="score",
        value_column="waiting_days",
        thresholds=_limits(
            ("accuracy", ">=", 0.5), ("auc", ">=", 0.5), ("p90", "<", 30), ("accuracy", "<", 1)
        ),
    ),
    "dbt_window": _window("answered_at"),
    "dbt_llm_bias": _of_type(
        "llm_bias",
        [],
        relation="answers",
        judges=[JUDGED],
        thresholds=_limits(("bias_mean_score", "<=", 0.3), ("errored_row_count", "<=", 200)),
    ),
    "dbt_refusals": _of_type("refusal_rate_disparity", ["race"], output_column="split"),
    "dbt_negative_sentiment": _of_type(
        "toxicity_sentiment_disparity",
        ["race"],
        output_column="split",
        lexicon="negative_sentiment",
        thresholds=_limits(("toxicity_sentiment_disparity", "<=", 0.2)),
    ),
    "dbt_stereotypes": _of_type(
        "stereotype_association_score",
        ["race"],
        answer_column="split",
        stereotyped_answer_column="gender",
    ),
    "dbt_counterfactual_pairs": _of_type(
        "counterfactual_fairness_divergence", [], **COUNTERFACTUAL
    ),
    "dbt_judged_pairs": _of_type(
        "pairwise_divergence",
        [],
        **PAIRED,
        dimension="dimension",
        max_mean_divergence=0.5,
        min_equivalence_rate=0.2,
    ),
    "dbt_judged_poles": _of_type(
        "pairwise_divergence",
        [],
        **PAIRED,
        mode="contrastive",
        poles=["woman", "man"],
        max_divergence_rate=0.5,
    ),
}

WRITTEN_AS = {"databricks": "spark"}
DIALECTS = [name for name in dialects() if name not in WRITTEN_AS]
NAMES = [*CASES, *DBT_CASES]
GOLDEN = [(dialect, name) for dialect in DIALECTS for name in NAMES]
# What may go before a scan, and the scan without the groups that were counted to be too many.
BEFORE_SCANS = ("look", "groups_counted", "groups_not_compared")
KEPT = [*GOLDEN, *((dialect, name) for dialect in DIALECTS for name in BEFORE_SCANS)]


def connection() -> duckdb.DuckDBPyConnection:
    """Open a DuckDB in memory that holds the tables."""
    opened = duckdb.connect()
    for table in TABLES:
        opened.execute(table)
    return opened


def tables(opened: duckdb.DuckDBPyConnection) -> Iterator[Case]:
    """Yield the tables with their rows, for engines that hold a copy."""
    warehouse = connect(opened)
    for name in warehouse.relations():
        written = relation(name, "duckdb", "golden")
        columns = {column.name: column.kind for column in warehouse.describe(written)}
        rows = opened.sql(f"from {written}").fetchall()
        yield Case(name, cast("dict[str, Kind]", columns), rows, {})


class Described:
    """DuckDB's tables as another warehouse would describe them; it can do nothing else."""

    def __init__(self, opened: duckdb.DuckDBPyConnection, dialect: str) -> None:
        self.dialect = dialect
        self.name = dialect
        self._duckdb = connect(opened)

    def fold(self, name: str) -> str:
        return stored(name, self.dialect).lower()

    def describe(self, relation_sql: str, _where: str | None = None, /) -> tuple[Column, ...]:
        name = exp.to_table(relation_sql, dialect=self.dialect).name
        here = next(own for own in self._duckdb.relations() if stored(own, self.dialect) == name)
        found = self._duckdb.describe(relation(here, "duckdb", "golden"))
        return tuple(
            Column(stored(column.name, self.dialect), column.type, column.kind) for column in found
        )

    def bytes_read(self, _sql: str, /) -> None:
        return None


def stored(name: str, dialect: str) -> str:
    """Return the name that a dialect stores for what was created without quotes, if that can be."""
    return str(macros_for(dialect).call("stored_name", name))


def rendered(name: str, dialect: str, opened: duckdb.DuckDBPyConnection) -> str:
    """Render a case; the version in the header is left open, so that a release changes no file."""
    if name in DBT_CASES:
        return _dbt_test(DBT_CASES[name], dialect)
    if name in BEFORE_SCANS:
        return _before_scan(name, dialect).replace(f"{__version__}\n", "(version)\n", 1)
    suite = Suite(tuple(build_test(**test) for test in CASES[name]))
    if name in WITHOUT_CONNECTION:
        sql = compile_suite(suite, dialect)
    else:
        described = opened if dialect == "duckdb" else Described(opened, dialect)
        backfill = BACKFILLED.get(name)
        sql = suite.plan(described, as_of=None if backfill else AS_OF, backfill=backfill).sql
    return sql.replace(f"-- fairsql {__version__}\n", "-- fairsql (version)\n")


def _before_scan(name: str, dialect: str) -> str:
    """Render what goes before a scan of two cuts, of which one is by a text and by a number."""
    warehouse: Any = SimpleNamespace(dialect=dialect, looks_first=True)
    table = relation("loans", dialect, "golden")
    columns = [stored(column, dialect) for column in ("gender", "race", "age", "approved")]
    gender, race, age = map(Attribute, columns[:3], ("text", "text", "integer"))
    approved = Input(columns[3], "integer", "label", ("1",))
    rate = Measure("positives", "positive", (1,), 1, probability=False, squared=False)
    cuts = (Cut(1, (1,), ()), Cut(1, (2, 3), ("Unknown",)))
    tests = {"by gender": (1,), "by race and age": (2,)}
    scan = Scan(table, None, (gender, race, age), (approved,), (rate,), cuts, tests)
    if name == "look":
        look = look_of(scan, warehouse)
        assert look is not None
        return look.sql
    if name == "groups_counted":
        return next(counts_of(scan, (2,), dialect)).statement.sql
    return statement_of(narrowed(scan, (2,)), dialect).sql


def _dbt_test(test: dict[str, Any], dialect: str) -> str:
    macros = macros_for(dialect)
    kind = test.get("type", "group_metric_parity")
    parameters = macros.call("catalogue")["types"][kind]["parameters"]
    given = {parameter: test.get(parameter) for parameter in parameters}
    model = relation(test["relation"], dialect, "golden")
    macro = f"default__fairsql_test_{kind}"
    return (
        str(macros.call(macro, model, None, given, test.get("thresholds"), None, AS_OF)).strip()
        + "\n"
    )


def golden_path(name: str, dialect: str = "duckdb") -> Path:
    """Return the file that holds a case's SQL."""
    return FOLDER / dialect / f"{name}.sql"


def golden(name: str, dialect: str = "duckdb") -> str:
    """Return the SQL that is kept for a case."""
    return golden_path(name, dialect).read_text(encoding="utf-8")
