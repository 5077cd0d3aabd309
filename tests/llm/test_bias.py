"""llm_bias: numbers by numpy over joined rows, error rates by scipy, and notes to be trusted."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats

import fairsql
from fairsql.bias import compared_errors
from fairsql.config import LlmBias, build_test
from fairsql.errors import ConfigurationError
from fairsql.results import GroupStatistics, TestStatistics
from tests.llm.judged import JUDGE, LIMITS, Row, make

DIFFERS = "The judge's error rate differs between groups"


def drawn(seed: int, rows: int, errors: dict[str, float], unjudged: float = 0.0) -> list[Row]:
    """Return rows of groups that are as large, of which the judge fails on a share of its own."""
    rng = np.random.default_rng(seed)
    found: list[Row] = []
    for place in range(rows):
        group = str(rng.choice(list(errors)))
        score = None if rng.random() < errors[group] else float(rng.integers(0, 11)) / 10
        found.append((place, group, f"answer {place}", score, bool(rng.random() >= unjudged)))
    return found


def judged(rows: list[Row], **changes: Any) -> fairsql.TestResult:
    with duckdb.connect() as connection:
        make(connection.execute, rows)
        parameters = {"judges": [JUDGE], "thresholds": LIMITS, **changes}
        return fairsql.llm_bias(connection, "answers", **parameters)


GROUPS = {"protected_attribute_columns": ["grp"]}


@pytest.mark.parametrize("seed", range(5))
def test_the_measurements_are_numpys_over_the_rows_with_a_score(seed: int) -> None:
    rows = drawn(seed, 120, {"a": 0.1, "b": 0.2}, unjudged=0.1)
    scores = [row[3] for row in rows if row[4] and row[3] is not None]
    result = judged(rows)
    assert result.measurements == {
        "bias_mean_score": pytest.approx(np.mean(scores), rel=1e-12),
        "bias_std_score": pytest.approx(np.std(scores, ddof=1), rel=1e-12),
        "applied_row_count": len(scores),
        "errored_row_count": sum(row[4] and row[3] is None for row in rows),
    }
    assert isinstance(result.measurements["errored_row_count"], int)
    assert result.rows.total == len(rows)
    assert result.status == ("passed" if np.mean(scores) <= 0.5 else "failed")
    unjudged = sum(not row[4] for row in rows)
    assert f"{unjudged} of 120 rows are not judged yet by tone: run fairsql judge." in result.notes


def test_equal_texts_are_judged_once_and_count_as_rows() -> None:
    rows: list[Row] = [(place, "a", f"answer {place % 2}", place % 2, True) for place in range(10)]
    result = judged(rows)
    assert result.measurements["applied_row_count"] == 10
    assert result.measurements["bias_mean_score"] == 0.5


@pytest.mark.parametrize(
    ("name", "operator", "value", "status"),
    [
        ("biasMeanScore", "<=", 0.5, "passed"),
        ("bias_mean_score", "<", 0.5, "failed"),
        ("biasStdScore", "<=", 0.5, "failed"),
        ("appliedRowCount", ">=", 4, "passed"),
        ("errored_row_count", "is", 1, "passed"),
        ("erroredRowCount", "<=", 0, "failed"),
    ],
)
def test_every_measurement_can_be_limited(
    name: str, operator: str, value: float, status: str
) -> None:
    rows: list[Row] = [(n, "a", f"answer {n}", s, True) for n, s in enumerate((0, 1, 0, 1, None))]
    limits = [{"measurement": name, "operator": operator, "value": value}]
    result = judged(rows, thresholds=limits)
    assert (result.status, result.reason) == (status, None)


def test_counts_are_whole_where_the_judge_failed_on_all() -> None:
    rows: list[Row] = [(place, "a", f"answer {place}", None, True) for place in range(7)]
    limits = [
        {"measurement": "applied_row_count", "operator": "is", "value": 0},
        {"measurement": "errored_row_count", "operator": "is", "value": 7},
    ]
    result = judged(rows, thresholds=limits)
    assert (result.status, result.measurements["bias_mean_score"]) == ("passed", None)
    mean = judged(rows)
    assert (mean.status, mean.reason) == ("skipped", "column_all_missing")
    assert str(mean.message).startswith("judge tone failed on all of 7 rows that it judged")


def test_without_judgements_the_test_is_skipped_and_says_what_to_do() -> None:
    rows: list[Row] = [(place, "a", f"answer {place}", 0.1, False) for place in range(7)]
    result = judged(rows, **GROUPS)
    assert (result.status, result.reason) == ("skipped", "column_all_missing")
    assert result.message == "none of 7 rows is judged yet by tone: run fairsql judge."
    assert set(result.measurements.values()) == {None}


def test_a_sample_is_told_as_one() -> None:
    rows = drawn(1, 50, {"a": 0.0}, unjudged=0.8)
    result = judged(rows, judges=[{**JUDGE, "sample_size": 10}])
    done = sum(row[4] for row in rows)
    assert result.notes == (
        f"Judge tone has judged {done} of 50 rows: a sample, by sample_size: 10.",
    )


# --- groups ------------------------------------------------------------------------------------


def by_group(result: fairsql.TestResult, part: str) -> dict[str, Any]:
    return {group.key["grp"]: group for group in result.groups if group.metric == part}


@pytest.mark.parametrize("seed", range(4))
def test_error_rates_of_groups_are_compared_as_scipy_compares_them(seed: int) -> None:
    rates = dict(zip("abcd"[: 2 + seed], (0.3, 0.1, 0.1, 0.2, 0.1), strict=False))
    rows = drawn(seed, 200, rates)
    result = judged(rows, **GROUPS)
    errors, scores = by_group(result, "error_rate"), by_group(result, "mean_score")
    p_values = {}
    for name in rates:
        own = [row[3] for row in rows if row[1] == name]
        others = [row[3] for row in rows if row[1] != name]
        table = [[own.count(None), len(own) - own.count(None)],
                 [others.count(None), len(others) - others.count(None)]]  # fmt: skip
        p_values[name] = stats.fisher_exact(np.array(table)).pvalue
        known = [score for score in own if score is not None]
        assert errors[name].value == pytest.approx(own.count(None) / len(own))
        assert errors[name].p_value == pytest.approx(p_values[name], rel=1e-6)
        assert scores[name].value == pytest.approx(np.mean(known))
        assert (errors[name].rows, scores[name].rows) == (len(own), len(known))
    family = len(rates) if len(rates) > 2 else 1
    ordered = sorted(p_values, key=p_values.__getitem__)
    running = 0.0
    for place, name in enumerate(ordered):
        running = max(running, min(1.0, max(1, family - place) * p_values[name]))
        assert errors[name].p_value_adjusted == pytest.approx(running, rel=1e-6)
    noted = any(note.startswith(DIFFERS) for note in result.notes)
    assert noted == (min(errors[name].p_value_adjusted for name in rates) < 0.05)


def test_errors_in_one_group_raise_the_note_and_decide_nothing() -> None:
    rows = drawn(3, 400, {"a": 0.02, "b": 0.02, "c": 0.25})
    result = judged(rows, **GROUPS)
    (note,) = [note for note in result.notes if note.startswith(DIFFERS)]
    failed = sum(row[1] == "c" and row[3] is None for row in rows)
    all_of_c = sum(row[1] == "c" for row in rows)
    assert f"it failed on {failed} of {all_of_c} rows of 'c'" in note
    assert "not missing at random" in note
    scores = [row[3] for row in rows if row[3] is not None]
    lost = len(rows) - len(scores)
    low, high = sum(scores) / len(rows), (sum(scores) + lost) / len(rows)
    told = re.findall(r"Were they all 0, or all 1, it would be ([0-9.]+), or ([0-9.]+)\.", note)
    assert [float(end) for end in told[0]] == pytest.approx([low, high], abs=1e-4)
    assert not any(group.failed for group in result.groups if group.key)
    assert (result.status, judged(rows).status) == ("passed", "passed")


@pytest.mark.parametrize("groups", ["ab", "abcd"])
def test_errors_that_are_spread_evenly_seldom_raise_it(groups: str) -> None:
    # At alpha = 0.05 at most one in twenty: of 2,000 draws, 130 and more come once in 1,000 times.
    test = {"judges": [JUDGE], "thresholds": LIMITS, **GROUPS}
    built = build_test(type="llm_bias", relation="answers", **test)
    assert isinstance(built, LlmBias)
    question = built.questions_of_groups()[0]
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(2000):
        rows = rng.integers(40, 120, len(groups))
        judgement = compared_errors(question, counted(rows, rng.binomial(rows, 0.15)), {})
        alarms += any((group.p_value_adjusted or 1) < 0.05 for group in judgement.groups)
    assert 0.005 * 2000 < alarms < 130


def counted(rows: np.ndarray[Any, Any], errors: np.ndarray[Any, Any]) -> TestStatistics:
    """Return what a scan brings back of groups with so many judged rows and errors."""
    whole = {"rows_total": int(rows.sum()), "evaluated": int(rows.sum()), "groups_total": len(rows)}
    whole |= {"input_1_rows": whole["evaluated"], "attribute_1_rows": whole["evaluated"]}
    whole |= {"pair_rows": whole["evaluated"], "positives": int(errors.sum())}
    groups = (
        GroupStatistics(
            (str(place),),
            {"evaluated": int(of), "positives": int(failed), "missing_metric_inputs": 0},
        )
        for place, (of, failed) in enumerate(zip(rows, errors, strict=True))
    )
    return TestStatistics(whole, tuple(groups))


def test_a_group_that_is_not_shown_is_not_told_of() -> None:
    rows: list[Row] = [(n, "a", f"a {n}", 0.5, True) for n in range(100)]
    rows += [(n, "hidden", f"h {n}", None, True) for n in range(8)]
    result = judged(rows, **GROUPS, min_reported_rows=10)
    (note,) = [note for note in result.notes if note.startswith(DIFFERS)]
    assert "'hidden'" not in note
    assert by_group(result, "error_rate")["hidden"].value is None


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"judges": []}, "judges: need a judge of bias, which the threshold on bias_mean_score"),
        ({"judges": [{**JUDGE, "judge": "toxicity"}]}, "judges: need a judge of bias"),
        (
            {"judges": [JUDGE, {**JUDGE, "name": "other"}]},
            "judges: have 2 judges of bias, tone and other; one is needed.",
        ),
        ({"judges": [JUDGE, JUDGE]}, "judges: name tone twice."),
        ({"thresholds": []}, "thresholds: must be a list of thresholds"),
        (
            {"thresholds": [{**LIMITS[0], "measurement": "bias_mean"}]},
            "thresholds[0].measurement: must be one of bias_mean_score, bias_std_score",
        ),
        ({"min_reported_rows": 5}, "min_reported_rows: needs protected_attribute_columns."),
        (
            {
                "weight_column": "w",
                "thresholds": [{**LIMITS[0], "measurement": "appliedRowCount"}],
            },
            "weight_column: is not available for applied_row_count, which counts rows.",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(changes: dict[str, Any], said: str) -> None:
    parameters = {"judges": [JUDGE], "thresholds": LIMITS, **changes}
    with pytest.raises(ConfigurationError) as error:
        build_test(type="llm_bias", relation="answers", **parameters)
    assert said in str(error.value)
