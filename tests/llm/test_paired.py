"""Tests of pairs in Python: against recorded answers, and against pairs made row by row."""

from __future__ import annotations

import csv
import hashlib
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pytest
import statsmodels.api as sm

import fairsql
from fairsql.config.judging import JudgeSpec
from fairsql.errors import ConfigurationError
from fairsql.llm.versions import prompt_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

RECORDED = Path(__file__).parents[1] / "data" / "recorded_answers" / "answers.csv"
JUDGE: dict[str, Any] = {
    "name": "alike",
    "judge": "pairwise_bias",
    "model": "m",
    "input_column": "prompt",
    "output_column": "answer",
    "pairing": {"dimension": "dimension"},
}


# --- counterfactual divergence ---------------------------------------------------------------


def recorded(study: str) -> duckdb.DuckDBPyConnection:
    with RECORDED.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["study"] == study]
    connection = duckdb.connect()
    connection.execute("create table answers (group_id text, role text, answer text)")
    connection.executemany(
        "insert into answers values (?, ?, ?)",
        [(row["group_id"], row["role"], row["answer"]) for row in rows],
    )
    return connection


def counterfactual(connection: duckdb.DuckDBPyConnection, **fields: Any) -> fairsql.TestResult:
    fields = {"output_column": "answer", "max_divergence": 0.25, **fields}
    return fairsql.counterfactual_fairness_divergence(connection, "answers", **fields)


def words_part(texts: Iterable[tuple[str, str]]) -> float:
    sets = [(set(a.lower().split()), set(b.lower().split())) for a, b in texts]
    return float(np.mean([1 - len(a & b) / len(a | b) for a, b in sets])) / 4


# What fairpipe 0.12.0's own functions give on the same texts: the mean divergence, and the part of
# it that is token overlap. Its lexicon is of 20 words, and has no negation.
FAIRPIPE = {"hiring": (0.1955922600611726, 27), "asylum": (0.20168768671305004, 15)}
FAIRPIPE_WORDS = {"hiring": 0.1746745312366601, "asylum": 0.18127046516512857}


@pytest.mark.parametrize("study", FAIRPIPE)
def test_recorded_answers_diverge_as_fairpipe_has_it(study: str) -> None:
    result = counterfactual(recorded(study))
    theirs, pairs = FAIRPIPE[study]
    ours = result.measurements["counterfactual_fairness_divergence"]
    assert result.status == "passed"
    assert ours == pytest.approx(theirs, abs=0.003)  # the lexicons of sentiment differ
    assert result.rows.evaluated == pairs
    share = result.measurements["token_overlap_share"]
    assert isinstance(share, float)
    assert isinstance(ours, float)
    assert share * ours == pytest.approx(FAIRPIPE_WORDS[study], rel=1e-9)
    assert result.measurements["within_group_floor"] is None
    assert any("there is no noise floor" in note for note in result.notes)


def test_two_answers_to_one_variant_are_as_far_apart() -> None:
    result = counterfactual(recorded("names"), allow_small_samples=True)
    floor = result.measurements["within_group_floor"]
    assert floor == pytest.approx(0.19028276747996792, abs=0.003)  # fairpipe's, as above
    assert result.illustrative
    assert any("the divergence is at the floor" in note for note in result.notes)
    skipped = counterfactual(recorded("names"))
    assert (skipped.status, skipped.reason) == ("skipped", "no_rows")
    assert (
        skipped.message
        == "no two roles of one group_id have 5 answers or more each in a dimension."
    )


def test_the_interval_counts_prompts() -> None:
    connection = recorded("hiring")
    rows = connection.execute("select group_id, role, answer from answers").fetchall()
    # All pairs of one prompt, as the macros make them; their divergence from the macros.
    from fairsql.compile.loader import macros_for

    given: dict[str, Any] = {
        "group_by": "group_id", "role": "role", "dimension": None, "output_column": "answer",
        "phrases": [], "min_group_size": 1,
    }  # fmt: skip
    sql = macros_for("duckdb").call("counterfactual_pairs", "answers", given)
    found = connection.execute(f"select group_id, divergence from ({sql})").fetchall()
    assert len(found) == 27 == len(rows)
    groups = np.array([int(group) for group, _ in found])
    values = np.array([value for _, value in found])
    fit = sm.OLS(values, np.ones(27)).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    result = counterfactual(connection)
    assert result.groups[0].confidence_interval == pytest.approx(fit.conf_int(0.05)[0], rel=1e-6)
    bounds = result.intervals["counterfactual_fairness_divergence"]
    assert bounds == pytest.approx(fit.conf_int(0.05)[0], rel=1e-6)


def test_a_real_difference_stands_above_the_floor() -> None:
    rng = Random(3)  # noqa: S311
    words = [f"w{place}" for place in range(40)]
    connection = duckdb.connect()
    connection.execute("create table answers (group_id text, role text, answer text)")
    for group, role, _ in product(range(15), ("a", "b"), range(2)):
        text = " ".join(rng.sample(words, 20)) + (" I can't help with that." if role == "b" else "")
        connection.execute("insert into answers values (?, ?, ?)", [str(group), role, text])
    result = counterfactual(connection, max_divergence=0.3)
    above = result.measurements["divergence_above_floor"]
    assert isinstance(above, float)
    assert above > 0.25  # a quarter is the refusal
    low, high = result.intervals["divergence_above_floor"]
    assert 0.2 < low < above < high
    assert any("the divergence is above it by" in note for note in result.notes)
    assert result.status == "failed"


# --- pairwise divergence ---------------------------------------------------------------------


def hashed(*texts: str | None) -> str:
    written = "".join("-" if text is None else f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(written.encode()).hexdigest()


def judged(
    rows: Sequence[tuple[str, str, str, str, str]],
    score: Callable[[str, str], float | None],
    **changes: Any,
) -> duckdb.DuckDBPyConnection:
    """Return answers with the judgements of every ordered pair within each of their groups."""
    connection = duckdb.connect()
    connection.execute(
        "create table answers (group_id text, role text, dimension text, prompt text, answer text)"
    )
    connection.executemany("insert into answers values (?, ?, ?, ?, ?)", rows)
    version = prompt_version(JudgeSpec.model_validate({**JUDGE, **changes}))
    judgements = {}
    for one, other in product(rows, rows):
        if one[0] == other[0] and one is not other:
            for prompt in (one[3], other[3]):
                judgements[hashed(prompt, one[4], other[4])] = score(one[4], other[4])
    connection.execute(
        "create table fairsql_judgements (row_key text, judge text, prompt_version text,"
        " model text, input_hash text, score double, label text, judged_at text)"
    )
    values = [
        ("k", "pairwise_bias", version, "m", key, value, None, "2026")
        for key, value in judgements.items()
    ]
    connection.executemany("insert into fairsql_judgements values (?, ?, ?, ?, ?, ?, ?, ?)", values)
    return connection


def answers(groups: int, copies: int = 2) -> list[tuple[str, str, str, str, str]]:
    return [
        (f"g{group}", role, ("age", "sex")[group % 2], f"p{group} {role}", f"{group} {role} {copy}")
        for group in range(groups)
        for role in ("reference", "old", "young")
        for copy in range(copies)
    ]


def noisy(seed: int) -> Callable[[str, str], float | None]:
    """Return a judge of known divergence, with a liking for the first answer and with noise."""

    def score(first: str, second: str) -> float | None:
        rng = Random(f"{seed} {first} {second}")  # noqa: S311
        if rng.random() < 0.03:
            return None
        roles = {first.split()[1], second.split()[1]}
        base = 0.0 if len(roles) == 1 else 0.5 if "old" in roles else 0.2
        noise = rng.choice((0.0, 0.0, 0.1, 0.2))
        bias = 0.1 if first > second else 0.0
        return base + noise + bias

    return score


def by_hand(
    rows: Sequence[tuple[str, str, str, str, str]],
    score: Callable[[str, str], float | None],
    paired: Callable[[str, str], bool],
) -> dict[str, list[tuple[str, str, float, float]]]:
    """Return group, dimension and both orders' scores of the pairs and of the controls."""
    found: dict[str, list[tuple[str, str, float, float]]] = {"pairs": [], "controls": []}
    for one, other in product(rows, rows):
        if one[0] != other[0]:
            continue
        is_pair = paired(one[1], other[1])
        is_control = one[1] == other[1] and one[4] < other[4]
        if not is_pair and not is_control:
            continue
        scores = score(one[4], other[4]), score(other[4], one[4])
        if scores[0] is None or scores[1] is None:
            continue
        kind = "pairs" if is_pair else "controls"
        found[kind].append((one[0], one[2], scores[0], scores[1]))
    return found


def fitted(pairs: Sequence[tuple[str, str, float, float]], values: Sequence[float]) -> Any:
    groups = np.unique([pair[0] for pair in pairs], return_inverse=True)[1]
    return sm.OLS(np.array(values), np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )


def pairwise(connection: duckdb.DuckDBPyConnection, **fields: Any) -> fairsql.TestResult:
    fields = {"judges": [JUDGE], "max_mean_divergence": 0.9, **fields}
    return fairsql.pairwise_divergence(connection, "answers", **fields)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("mode", ["group", "contrastive"])
def test_measurements_and_intervals_are_those_of_pairs_made_by_hand(seed: int, mode: str) -> None:
    rows, score = answers(24), noisy(seed)
    fields: dict[str, Any] = {"mode": mode}
    if mode == "contrastive":
        fields["poles"] = ["old", "young"]

    def paired(one: str, other: str) -> bool:
        return (
            (one, other) == ("old", "young") if mode != "group" else (one == "reference" != other)
        )

    result = pairwise(judged(rows, score), equivalent_up_to=0.25, **fields)
    found = by_hand(rows, score, paired)
    pairs = found["pairs"]
    controls = found["controls"]
    if mode == "contrastive":
        used = [row for row in rows if row[1] != "reference"]
        controls = by_hand(used, score, paired)["controls"]
    divergences = [(a + b) / 2 for _, _, a, b in pairs]
    expected = {
        "mean_divergence": fitted(pairs, divergences),
        "equivalence_rate": fitted(pairs, [float(value <= 0.25) for value in divergences]),
        "position_bias": fitted(pairs, [a - b for _, _, a, b in pairs]),
    }
    for name, fit in expected.items():
        assert result.measurements[name] == pytest.approx(fit.params[0], rel=1e-9), name
        low, high = fit.conf_int(0.05)[0]
        bounds = (max(low, 0.0), high) if name != "position_bias" else (low, high)
        assert result.intervals[name] == pytest.approx(bounds, rel=1e-6), name
    floor = float(np.mean([(a + b) / 2 for _, _, a, b in controls]))
    assert result.measurements["noise_floor"] == pytest.approx(floor, rel=1e-9)
    assert result.measurements["pair_count"] == len(pairs)
    assert result.measurements["control_pair_count"] == len(controls)
    dimensions = [group for group in result.groups if group.key]
    assert len(dimensions) == 2
    for group in dimensions:
        own = [pair for pair in pairs if pair[1] == group.key["dimension"]]
        fit = fitted(own, [(a + b) / 2 for _, _, a, b in own])
        assert group.value == pytest.approx(fit.params[0], rel=1e-9)
        low, high = fit.conf_int(0.05)[0]
        assert group.confidence_interval == pytest.approx((max(low, 0.0), high), rel=1e-6)
    assert any("have no score in both orders" in note for note in result.notes)


def test_the_gap_to_the_floor_is_a_regression_with_clustered_errors() -> None:
    rows, score = answers(20), noisy(5)
    found = by_hand(rows, score, lambda one, other: one == "reference" != other)
    both = [*found["pairs"], *found["controls"]]
    values = np.array([(a + b) / 2 for _, _, a, b in both])
    is_pair = np.array([1.0] * len(found["pairs"]) + [0.0] * len(found["controls"]))
    groups = np.unique([pair[0] for pair in both], return_inverse=True)[1]
    clusters = len(set(groups))
    fit = sm.OLS(values, sm.add_constant(is_pair)).fit(
        cov_type="cluster",
        cov_kwds={"groups": groups, "use_correction": False},
        use_t=True,
    )
    error = fit.bse[1] * (clusters / (clusters - 1)) ** 0.5
    result = pairwise(judged(rows, score))
    above = result.measurements["divergence_above_floor"]
    assert above == pytest.approx(fit.params[1], rel=1e-9)
    low, high = result.intervals["divergence_above_floor"]
    from scipy import stats

    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, clusters - 1) * error, rel=1e-6)


def test_a_judge_of_pure_noise_is_at_the_floor() -> None:
    def score(first: str, second: str) -> float:
        return Random(f"{first} {second}").choice((0.0, 0.1, 0.4))  # noqa: S311

    result = pairwise(judged(answers(40), score), max_mean_divergence=0.1)
    assert result.status == "failed"  # the limit is the user's
    assert any("the divergence is at the floor" in note for note in result.notes)
    assert result.intervals["divergence_above_floor"][0] < 0


def test_the_order_that_a_judge_likes_is_told() -> None:
    def score(first: str, second: str) -> float:
        roles = first.split()[1], second.split()[1]
        return 0.4 if roles[0] == "reference" != roles[1] else 0.2

    result = pairwise(judged(answers(12, 1), score))
    assert result.measurements["position_bias"] == pytest.approx(0.2)
    assert result.measurements["mean_divergence"] == pytest.approx(0.3)
    assert any("depend on which answer comes first: by 0.2000" in note for note in result.notes)
    assert any("there is no noise floor" in note for note in result.notes)


def test_limits_have_names_of_their_own_and_fail_alone() -> None:
    connection = judged(answers(12, 1), noisy(1))
    limits: Mapping[str, tuple[float, float]] = {
        "min_equivalence_rate": (0.0, 1.0),
        "max_divergence_rate": (1.0, 0.0),
        "max_mean_divergence": (0.9, 0.01),
    }
    passing = {name: values[0] for name, values in limits.items()}
    result = pairwise(connection, **passing)
    assert result.status == "passed"
    assert [limit.measurement for limit in result.thresholds] == [
        "equivalence_rate",
        "divergence_rate",
        "mean_divergence",
    ]
    for name, (_, broken) in limits.items():
        assert pairwise(connection, **{**passing, name: broken}).status == "failed"
    floor = {"measurement": "noiseFloor", "operator": "<=", "value": 0.5}
    result = pairwise(connection, thresholds=[floor])
    assert (result.status, result.reason) == ("skipped", "measurement_undefined")


def test_pairs_are_of_rows_that_meet_where() -> None:
    connection = judged(answers(12, 1), noisy(1))
    result = pairwise(connection, where="role <> 'old'")
    assert result.measurements["pair_count"] <= 12  # type: ignore[operator]
    nobody = pairwise(connection, where="role = 'old'")
    assert (nobody.status, nobody.message) == (
        "skipped",
        "no group of 'group_id' has two answers that are a pair.",
    )


def test_without_judgements_nothing_is_told() -> None:
    connection = judged(answers(6, 1), lambda *_: None)
    result = pairwise(connection)
    assert result.status == "skipped"
    assert result.message == (
        "none of 12 pairs is judged in both orders by alike: run fairsql judge."
    )
    assert result.groups == ()


def test_a_judge_of_other_pairs_is_told() -> None:
    connection = judged(answers(6, 1), lambda *_: None)
    result = pairwise(connection, mode="contrastive", poles=["old", "young"])
    assert result.status == "skipped"
    assert result.message == (
        "none of 6 pairs is judged in both orders: alike judges others (mode group, not"
        " contrastive). Give it the pairing of this test, and run fairsql judge."
    )


def test_a_role_or_column_that_is_not_there() -> None:
    connection = judged(answers(6, 1), noisy(1))
    result = pairwise(connection, role="rolle")
    assert result.reason == "column_missing"
    assert result.message == "answers has no column 'rolle'. Did you mean 'role'?"
    assert pairwise(connection, reference_role="nobody").reason == "no_rows"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"max_mean_divergence": None}, "thresholds: is required, or one of min_equivalence_rate,"),
        ({"judges": []}, "judges: must name one judge, of pairs"),
        ({"mode": "contrastive"}, "poles: is required by mode contrastive."),
        ({"poles": ["a", "b"]}, "poles: is not used by mode group."),
        ({"mode": "contrastive", "poles": ["a", "a"]}, "poles: name 'a' twice."),
        ({"judges": [{**JUDGE, "input_column": None}]}, "name alike, which needs input_column."),
        ({"filters": [{"column": "a", "operator": "is", "value": 1}]}, "is not available for pa"),
        ({"mode": "groups"}, "mode: must be one of group, contrastive"),
        ({"min_equivalence_rate": 2}, "min_equivalence_rate: must be a number from 0 to 1"),
    ],
)
def test_what_does_not_go_together_is_refused(fields: dict[str, Any], said: str) -> None:
    given = {"judges": [JUDGE], "max_mean_divergence": 0.5, **fields}
    given = {name: value for name, value in given.items() if value is not None}
    with pytest.raises(ConfigurationError) as error:
        fairsql.pairwise_divergence(None, "answers", **given)
    assert said in str(error.value)


def test_combinations_of_recorded_words_are_as_counted_here() -> None:
    connection = recorded("asylum")
    rows = connection.execute("select group_id, answer from answers").fetchall()
    texts = [
        pair
        for group in {group for group, _ in rows}
        for pair in combinations([text for own, text in rows if own == group], 2)
    ]
    assert words_part(texts) == pytest.approx(FAIRPIPE_WORDS["asylum"], rel=1e-9)
