"""Judging with a simulated judge: each text once, within limits, and every failure told."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fairsql
from fairsql.errors import ConfigurationError, RelationNotFoundError, WarehouseError
from fairsql.llm import asking, running
from fairsql.llm.judges import template
from fairsql.llm.judging import Outcome, Session
from fairsql.llm.providers import (
    Embeddings,
    ProviderError,
    RejectedError,
    Reply,
    Request,
    TransientError,
)
from fairsql.llm.running import estimate, jobs_for
from fairsql.llm.table import COLUMNS
from tests.llm.answers import database, hashes, judged, spec, table

GOOD = json.dumps({"evidence": "", "reason": "r", "category": "none", "score": 0.5})
PRICES = {"input": 1.0, "output": 2.0}


class Scripted:
    """A provider that does what a test says, and counts."""

    name = "scripted"

    def __init__(self, script: Any = GOOD) -> None:
        self.script = script
        self.asked: list[Request] = []
        self.now = 0
        self.most = 0

    async def complete(self, request: Request, /) -> Reply:
        self.asked.append(request)
        number = len(self.asked)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(0)
            said = self.script(request, number) if callable(self.script) else self.script
            if isinstance(said, Exception):
                raise said
            return Reply(said, 100, 10)
        finally:
            self.now -= 1

    async def embed(self, _: str, texts: Sequence[str], /) -> Embeddings:
        return Embeddings(tuple((1.0, float(place > 0)) for place in range(len(texts))), 5)

    async def close(self) -> None:
        pass


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return database(tmp_path)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "LONGEST_WAIT", 0.001)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    provider = Scripted()
    monkeypatch.setattr(running, "open_provider", lambda _: provider)
    return provider


def test_each_text_is_judged_once(path: Path) -> None:
    (outcome,) = judged(path)
    # 40 rows; one lacks its answer, and two have that of another row.
    assert outcome.counts.relation_rows == 40
    assert outcome.counts.rows_without_texts == 1
    assert (outcome.counts.texts, outcome.scored, outcome.requests) == (37, 37, 37)
    rows = table(path)
    assert list(rows[0]) == list(COLUMNS)
    assert len(set(hashes(rows))) == len(rows) == 37
    assert (judged(path)[0].requests, len(table(path))) == (0, 37)
    assert not (path.parent / ".fairsql").exists()


def test_a_row_of_the_table_says_all(path: Path) -> None:
    judged(path, spec(prices=PRICES))
    row = next(row for row in table(path) if row["row_key"] == "3")
    assert row["input_hash"] == hashlib.sha256(b"8:answer 3").hexdigest()
    assert (row["judge"], row["model"], row["provider"]) == ("bias", "m", "simulated")
    assert 0 <= row["score"] <= 1
    assert row["label"] in template("bias").labels
    assert row["reason"].startswith("Simulated: no model has read this.")
    assert row["error"] is None
    assert row["cost"] == pytest.approx(
        (row["input_tokens"] * 1.0 + row["output_tokens"] * 2.0) / 1e6
    )
    assert row["seconds"] >= 0
    assert row["judged_at"].endswith("Z")


def test_another_judge_prompt_or_model_is_another_judgement(path: Path) -> None:
    judged(path)
    rubric = {"rubric": "r", "scale": (0, 1), "higher_is_better": True}
    others = [
        spec(model="m2"),
        spec(judge="toxicity"),
        spec(judge="custom", **rubric),
        spec(judge="custom", **{**rubric, "rubric": "s"}),
        spec(output_column="question"),
        spec(input_column="question"),
    ]
    assert [one.scored for one in judged(path, *others)] == [37, 37, 37, 37, 40, 39]
    assert [one.scored for one in judged(path, *others)] == [0] * 6
    # A name and a relation are no part of what was judged.
    again = spec(name="other", relation="(select * from answers where id > 2)")
    assert judged(path, again)[0].scored == 0


def test_a_new_text_is_judged_and_no_other(path: Path) -> None:
    judged(path)
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("update answers set answer = 'it has changed' where id = 7")
    (outcome,) = judged(path)
    assert outcome.scored == 1
    assert [row["row_key"] for row in table(path)][-1] == "7"


def test_where_says_which_rows(path: Path) -> None:
    assert judged(path, spec(where="grp = 'g0'"))[0].scored == 19
    with pytest.raises(ConfigurationError, match="judge 'tone', where: must be one SQL predicate"):
        judged(path, spec(where="grp = 'g0'; drop table answers"))


def test_a_sample_is_the_same_each_time_and_another_by_another_seed(path: Path) -> None:
    judged(path, spec(sample_size=10))
    first = hashes(table(path))
    assert len(first) == 10
    assert judged(path, spec(sample_size=10))[0].requests == 0
    (outcome,) = judged(path, spec(sample_size=15))
    assert outcome.requests == 5  # a larger sample holds the smaller one
    judged(path, spec(sample_size=10, seed=1, model="m2"))
    second = hashes(table(path, "select * from fairsql_judgements where model = 'm2'"))
    assert second != first
    judged(path, spec(sample_size=10, key_columns=(), model="m3"))
    assert len(table(path, "select * from fairsql_judgements where model = 'm3'")) == 10


def test_a_sample_is_by_the_hash_of_seed_and_key(path: Path) -> None:
    judged(path, spec(sample_size=6, seed=3))
    by_hash = sorted(
        (hashlib.sha256(f"3:{key}".encode()).hexdigest(), str(key)) for key in range(40) if key != 5
    )
    texts = {int(key) % 38 for _, key in by_hash[:6]}
    assert {int(row["row_key"]) % 38 for row in table(path)} == texts


def test_a_reply_that_is_none_is_a_row_without_a_score(path: Path) -> None:
    (outcome,) = judged(path, spec(parameters={"error_rate": 0.3}))
    failed = [row for row in table(path) if row["score"] is None]
    assert 0 < outcome.failed == len(failed) < 37
    assert outcome.scored == 37 - outcome.failed
    for row in failed:
        assert row["error"].startswith("the reply is not JSON; it begins: I would rather not")
        assert (row["label"], row["reason"]) == (None, None)
        assert row["output_tokens"] > 0
    assert all(row["error"] is None for row in table(path) if row["score"] is not None)


def test_failures_are_judged_again_when_that_is_asked_for(path: Path) -> None:
    (before,) = judged(path, spec(parameters={"error_rate": 0.3}))
    assert judged(path)[0].requests == 0
    (after,) = judged(path, retries_errors=True)
    assert after.scored == before.failed == after.requests
    assert judged(path, retries_errors=True)[0].requests == 0


def test_what_is_transient_is_tried_again(path: Path) -> None:
    (outcome,) = judged(path, spec(parameters={"transient_rate": 0.5}))
    assert outcome.scored == 37
    assert outcome.requests > 37


def test_what_stays_so_stops_the_run_and_leaves_no_row(path: Path, scripted: Scripted) -> None:
    scripted.script = lambda _, number: GOOD if number <= 5 else TransientError("busy (429)")
    outcomes: list[Outcome] = []
    with pytest.raises(TransientError, match="busy"):
        judged(path, outcomes=outcomes, concurrency=1)
    assert len(scripted.asked) == 5 + asking.ATTEMPTS
    assert len(table(path)) == 5  # what was paid for is kept
    assert (outcomes[0].scored, outcomes[0].left) == (5, 32)


def test_what_a_service_asks_for_is_waited(
    path: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asking, "sleep", sleep)
    scripted.script = lambda _, number: TransientError("", 7.5) if number == 1 else GOOD
    judged(path, concurrency=1)
    assert waited == [7.5]


def test_requests_on_their_way_are_bounded(path: Path, scripted: Scripted) -> None:
    judged(path, concurrency=3)
    assert scripted.most == 3


def test_a_key_that_is_refused_stops_at_once(path: Path, scripted: Scripted) -> None:
    scripted.script = ProviderError("OpenAI refuses the key in OPENAI_API_KEY (401).")
    with pytest.raises(ProviderError, match="refuses the key"):
        judged(path, concurrency=4)
    assert len(scripted.asked) <= 4
    with pytest.raises(Exception, match="does not exist"):
        table(path)


def test_a_text_that_is_declined_is_a_row_without_a_score(path: Path, scripted: Scripted) -> None:
    declined = RejectedError("the model refuses to judge.", reply=Reply("", 100, 1))
    scripted.script = lambda request, _: declined if "answer 3\n" in request.prompt.user else GOOD
    (outcome,) = judged(path, spec(prices=PRICES))
    assert outcome.failed == 1
    (row,) = table(path, "select * from fairsql_judgements where score is null")
    assert (row["row_key"], row["error"]) == ("3", "the model refuses to judge.")
    assert row["cost"] == pytest.approx(102e-6)


def test_a_request_that_never_works_is_no_fault_of_the_texts(
    path: Path, scripted: Scripted
) -> None:
    scripted.script = RejectedError("no such parameter (400)", is_of_the_texts=False)
    with pytest.raises(RejectedError, match="no such parameter"):
        judged(path)
    assert len(scripted.asked) < 30
    with pytest.raises(Exception, match="does not exist"):
        table(path)


def test_a_request_that_sometimes_works_is(path: Path, scripted: Scripted) -> None:
    odd = RejectedError("odd (400)", is_of_the_texts=False)
    scripted.script = lambda _, number: odd if number in (1, 2, 20) else GOOD
    (outcome,) = judged(path)
    assert (outcome.scored, outcome.failed) == (34, 3)


def test_a_fault_of_ours_is_raised_and_not_swallowed(path: Path, scripted: Scripted) -> None:
    scripted.script = lambda _, number: ZeroDivisionError("ours") if number == 3 else GOOD
    with pytest.raises(ZeroDivisionError):
        judged(path)


def test_it_stops_at_a_number_of_requests_and_goes_on(path: Path) -> None:
    (first,) = judged(path, max_requests=10)
    assert (first.requests, first.scored, first.left) == (10, 10, 27)
    (second,) = judged(path)
    assert (second.requests, second.left) == (27, 0)


def test_attempts_count_as_requests(path: Path) -> None:
    (outcome,) = judged(path, spec(parameters={"transient_rate": 1.0}), max_requests=10)
    assert outcome.requests == 10
    assert outcome.scored <= 5


@pytest.mark.parametrize("concurrency", [1, 16])
def test_it_stops_before_more_is_spent(path: Path, scripted: Scripted, concurrency: int) -> None:
    price = {"input": 10_000.0, "output": 0.0}  # each reply costs 1
    (outcome,) = judged(path, spec(prices=price), max_cost=40, concurrency=concurrency)
    # What is expected of a request, about 5 for the length of the prompt, is set aside for it.
    assert outcome.cost is not None
    assert outcome.cost <= 40
    assert 0 < outcome.left < 37
    assert outcome.scored == len(scripted.asked)


def test_a_limit_is_for_all_judges_together(path: Path) -> None:
    outcomes = judged(path, spec(), spec(model="m2"), max_requests=50)
    assert [one.requests for one in outcomes] == [37, 13]
    assert [one.left for one in outcomes] == [0, 24]


def test_a_limit_on_cost_needs_prices(path: Path) -> None:
    with pytest.raises(ConfigurationError, match="judge 'tone' has no prices"):
        judged(path, max_cost=1)


def test_an_estimate_asks_nobody(path: Path, scripted: Scripted) -> None:
    warehouse = fairsql.connect(f"duckdb:///{path}")
    (job,) = jobs_for([spec(prices=PRICES)], warehouse)
    about = estimate(job, warehouse)
    warehouse.close()
    assert not scripted.asked
    assert (about.requests, about.counts.unjudged_texts) == (37, 37)
    (outcome,) = judged(path, spec(prices=PRICES), max_requests=37)
    assert outcome.requests == 37
    spent = [request.prompt for request in scripted.asked]
    characters = sum(len(prompt.system) + len(prompt.user) for prompt in spent)
    assert about.input_tokens == pytest.approx(characters / 4, rel=0.01)
    assert about.cost == pytest.approx((about.input_tokens * 1.0 + about.output_tokens * 2.0) / 1e6)


def test_pages_follow_one_another(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fairsql.llm.rows import Job

    page = Job.page
    monkeypatch.setattr(Job, "page", lambda job, warehouse, after: page(job, warehouse, after, 4))
    monkeypatch.setattr(Session, "batch", 3)
    assert judged(path)[0].scored == 37
    assert len(set(hashes(table(path)))) == len(table(path)) == 37


def test_progress_is_told(path: Path) -> None:
    told: list[tuple[int, int]] = []
    warehouse = fairsql.connect(f"duckdb:///{path}")
    jobs = jobs_for([spec()], warehouse)
    options = running.Options()
    running.run_jobs(jobs, warehouse, path.parent, options, lambda *seen: told.append(seen))
    warehouse.close()
    assert told == [(done, 37) for done in range(1, 38)]


def test_relevancy_embeds_what_was_asked_and_what_would_be(path: Path, scripted: Scripted) -> None:
    scripted.script = json.dumps({"questions": ["a?", "b?"], "noncommittal": False})
    relevancy = spec(judge="answer_relevancy", input_column="question", embedding_model="e")
    (outcome,) = judged(path, relevancy)
    assert outcome.requests == 2 * 39
    assert {round(row["score"], 9) for row in table(path)} == {round(0.5**0.5, 9)}


def test_an_answer_is_not_paid_twice_when_its_embeddings_fail(
    path: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.script = json.dumps({"questions": ["a?"], "noncommittal": False})
    relevancy = spec(judge="answer_relevancy", input_column="question", embedding_model="e")

    async def fails(*_: Any) -> Embeddings:
        raise ProviderError("no such model (404)")

    with monkeypatch.context() as patch:
        patch.setattr(scripted, "embed", fails)
        with pytest.raises(ProviderError, match="no such model"):
            judged(path, relevancy, concurrency=2)
    paid = len(scripted.asked)
    assert 0 < paid <= 4
    judged(path, relevancy)
    assert len(scripted.asked) == 39
    assert not (path.parent / ".fairsql").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"relation": None}, "relation is required"),
        ({"output_column": None}, "bias needs output_column"),
        ({"context_column": "question"}, "bias has no use for context_column"),
        ({"output_column": "anser"}, "has no column 'anser'. Did you mean 'answer'"),
        ({"key_columns": ("ID2",)}, "has no column 'ID2'"),
        ({"pairing": {"mode": "group"}}, "has no use for pairing"),
        ({"judge": "pairwise_bias"}, "pairwise_bias needs input_column"),
        ({"provider": "recorded"}, "needs the file of recordings"),
    ],
)
def test_a_wrong_judge_is_told_before_anybody_is_asked(
    path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        judged(path, spec(), spec(**changes))
    with pytest.raises(Exception, match="does not exist"):
        table(path)


def test_a_relation_that_is_not_there_is_told(path: Path) -> None:
    with pytest.raises(RelationNotFoundError, match="answrs"):
        judged(path, spec(relation="answrs"))


def test_no_table_is_kept_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    file.write_text("id,answer\n1,yes\n", encoding="utf-8")
    warehouse = fairsql.connect("duckdb://", data={"answers": file})
    with pytest.raises(ConfigurationError, match="no table outlasts the run here"):
        running.run_jobs(jobs_for([spec()], warehouse), warehouse, tmp_path, running.Options())
    warehouse.close()


def test_a_warehouse_that_says_no_loses_nothing(
    path: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairsql.warehouses.duckdb import DuckDBWarehouse

    def refuse(*_: Any) -> None:
        raise WarehouseError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(DuckDBWarehouse, "append", refuse)
        with pytest.raises(WarehouseError, match="disk is full"):
            judged(path)
    assert len(scripted.asked) == 37
    assert judged(path)[0].requests == 0
    assert len(scripted.asked) == len(table(path)) == 37


def test_a_table_may_be_in_a_schema_and_of_another_name(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema audits")
    judged(path, spec(table="audits.judged"))
    assert len(table(path, "select * from audits.judged")) == 37
    assert judged(path, spec(table="audits.judged"))[0].requests == 0


def test_texts_that_no_warehouse_holds_are_written_all_the_same(
    path: Path, scripted: Scripted
) -> None:
    reply = {"evidence": "", "reason": "a\x00b\ud83d 'c'\n\u202e", "category": "none", "score": 0}
    scripted.script = json.dumps(reply)
    judged(path)
    assert {row["reason"] for row in table(path)} == {"a\\x00b\\ud83d 'c'\n\u202e"}


def test_tests_read_what_was_judged(path: Path) -> None:
    judged(path, spec(parameters={"error_rate": 0.2}))
    warehouse = fairsql.connect(f"duckdb:///{path}")
    result = fairsql.group_metric_parity(
        warehouse,
        "answers",
        judges=[spec().model_dump(exclude_defaults=True)],
        protected_attribute_columns=["grp"],
        parity_metric="mean",
        value_column="tone_score",
        higher_is_better=False,
        min_group_size=5,
    )
    warehouse.close()
    scores = {row["input_hash"]: row["score"] for row in table(path)}
    expected: dict[str, list[float]] = {"g0": [], "g1": []}
    for number in (number for number in range(40) if number != 5):
        text = f"answer {number % 38}"
        score = scores[hashlib.sha256(f"{len(text)}:{text}".encode()).hexdigest()]
        if score is not None:
            expected[f"g{number % 2}"].append(score)
    for group in result.groups:
        own = expected[group.key["grp"]]
        assert group.rows == len(own)
        assert group.value == pytest.approx(sum(own) / len(own))


def test_two_thousand_judgements_cost_a_few_milliseconds_each(tmp_path: Path) -> None:
    large = database(tmp_path, 2002)
    started = time.perf_counter()
    (outcome,) = judged(large)
    seconds = time.perf_counter() - started
    assert outcome.scored == 1999
    assert seconds / outcome.scored < 0.02
    assert threading.active_count() < 20
