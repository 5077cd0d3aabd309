"""A model's answers: asked for once each, kept whatever happens, and never paid for twice."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import duckdb
import psycopg
import pytest

import fairsql
from fairsql.errors import ConfigurationError
from fairsql.llm.budget import Prices
from fairsql.llm.counterfactual import counterfactual_prompts, write_prompts
from fairsql.llm.prompt_files import read_prompts
from fairsql.llm.providers import (
    Embeddings,
    ProviderError,
    RejectedError,
    Reply,
    Request,
    TransientError,
)
from fairsql.llm.responding import NotRecordedError, Question, Responses, respond
from tests.cli.samples import ROOT, call
from tests.dbt.warehouses import postgres

QUESTION = Question("fake", "m", {"temperature": 0.5})
PROBE = {
    "templates": ["Praise {who}.", "Blame {who}."],
    "dimensions": {"who": ["him", "her", "them"]},
    "repeats": 2,
}
COUNT = 2 * 3 * 2

Saying = Callable[[str, int], str | Exception]


class Fake:
    """A provider that says what it is told to, and counts what it is asked."""

    name = "fake"

    def __init__(self, saying: Saying = lambda prompt, time: f"{prompt} ({time})") -> None:
        self.asked: Counter[str] = Counter()
        self._saying = saying

    async def complete(self, request: Request, /) -> Reply:
        prompt = request.prompt.user
        assert request.prompt.system == ""
        assert request.schema is None
        assert dict(request.parameters) == {"temperature": 0.5}
        self.asked[prompt] += 1
        said = self._saying(prompt, self.asked[prompt])
        if isinstance(said, Exception):
            raise said
        return Reply(said, len(prompt), len(said))

    async def embed(self, model: str, texts: Sequence[str], /) -> Embeddings:
        raise NotImplementedError(model, texts)

    async def close(self) -> None:
        pass


class Answers:
    """Prompts in a folder, and a DuckDB file with the table of answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "answers.duckdb"
        duckdb.connect(str(self.file)).close()
        self.prompts = counterfactual_prompts(PROBE)

    def run(self, provider: Fake, **options: Any) -> Responses:
        rows = [{name: str(value) for name, value in row.items()} for row in self.prompts]
        warehouse = fairsql.connect(f"duckdb:///{self.file}")
        try:
            return respond(
                rows, options.pop("question", QUESTION), warehouse, "answers",
                folder=self.folder, provider=provider, **options,
            )  # fmt: skip
        finally:
            warehouse.close()

    def rows(self, columns: str = "prompt_id, answer") -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.file), read_only=True) as connection:
            connection.execute("set python_enable_replacements = false")
            found = connection.execute(f"select {columns} from answers order by 1, 2")
            return found.fetchall()


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(tmp_path)


def test_each_repeat_is_a_question_of_its_own(answers: Answers) -> None:
    provider = Fake()
    done = answers.run(provider)
    assert (done.prompts, done.asked, done.answered, done.left) == (COUNT, COUNT, COUNT, 0)
    assert set(provider.asked.values()) == {2}
    said = dict(answers.rows())
    assert set(said) == {row["prompt_id"] for row in answers.prompts}
    # Two answers to one prompt, which differ.
    assert len(set(said.values())) == COUNT
    (row, *_) = answers.rows("prompt_id, repeat, role, provider, model, parameters, error")
    assert row == ("t1/who/her/1", 1, "her", "fake", "m", '{"temperature": 0.5}', None)


def test_nothing_is_asked_again(answers: Answers) -> None:
    answers.run(Fake())
    before = answers.rows("*")
    again = Fake()
    done = answers.run(again)
    assert (done.asked, done.requests, again.asked) == (0, 0, Counter())
    assert answers.rows("*") == before
    assert answers.run(Fake(), replay_only=True).asked == 0
    other = Fake()
    answers.run(other, question=Question("fake", "n", {"temperature": 0.5}))
    assert other.asked.total() == COUNT


def test_more_prompts_ask_for_the_new_ones_alone(answers: Answers) -> None:
    answers.run(Fake())
    answers.prompts = counterfactual_prompts({**PROBE, "repeats": 3})
    provider = Fake()
    answers.run(provider)
    assert set(provider.asked.values()) == {1}
    assert provider.asked.total() == COUNT // 2


def test_equal_prompts_share_an_answer_that_is_paid_once(answers: Answers) -> None:
    first = answers.prompts[0]
    answers.prompts = [first, {**first, "prompt_id": "twin"}]
    provider = Fake()
    answers.run(provider)
    assert provider.asked.total() == 1
    rows = answers.rows("prompt_id, answer, input_tokens, output_tokens")
    assert rows[0][1] == rows[1][1]
    assert sorted(row[2] for row in rows)[0] == 0
    answers.prompts.append({**first, "prompt_id": "triplet"})
    later = Fake()
    answers.run(later)
    assert not later.asked
    assert len(answers.rows()) == 3


def test_replay_only_asks_nobody_and_names_what_is_missing(answers: Answers) -> None:
    provider = Fake()
    with pytest.raises(NotRecordedError, match=r"lacks 12 of 12 answers of m [(]fake[)]"):
        answers.run(provider, replay_only=True)
    assert not provider.asked
    with pytest.raises(duckdb.CatalogException):
        answers.rows()


def test_a_dry_run_writes_and_asks_nothing(answers: Answers) -> None:
    provider = Fake()
    done = answers.run(provider, is_dry=True)
    assert (done.asked, done.answered) == (COUNT, 0)
    characters = sum(len(row["prompt"]) for row in answers.prompts)
    assert done.input_tokens == -(-characters // 4)
    assert not provider.asked
    with pytest.raises(duckdb.CatalogException):
        answers.rows()


def test_a_limit_stops_and_the_next_run_goes_on(answers: Answers) -> None:
    first, second = Fake(), Fake()
    done = answers.run(first, max_requests=5)
    assert (done.answered, done.left) == (5, COUNT - 5)
    assert len(answers.rows()) == 5
    assert answers.run(second).answered == COUNT - 5
    assert first.asked.total() + second.asked.total() == COUNT
    assert len(answers.rows()) == COUNT


def test_a_limit_on_cost_stops_before_more_is_spent(answers: Answers) -> None:
    provider = Fake(lambda *_: "x" * 10)
    prices = Prices(0, 100_000)  # a reply of ten tokens costs 1, and is taken for one of 256
    dry = answers.run(provider, is_dry=True, prices=prices)
    assert dry.cost == pytest.approx(COUNT * 25.6)
    done = answers.run(provider, max_cost=27.0, prices=prices, concurrency=1)
    assert (done.answered, done.cost, done.left) == (2, 2.0, COUNT - 2)
    with pytest.raises(ConfigurationError, match="--max-cost: needs --prices"):
        answers.run(provider, max_cost=1.0)
    assert answers.run(provider, max_cost=1000.0, prices=prices).left == 0


def test_parameters_that_no_request_carries_are_told(answers: Answers) -> None:
    question = Question("fake", "m", {"max_tokens": "many"})
    for options in ({"is_dry": True}, {}):
        with pytest.raises(ConfigurationError, match="max_tokens: must be a whole number"):
            answers.run(Fake(), question=question, **options)


def test_a_simulated_model_says_another_thing_when_it_is_asked_again(answers: Answers) -> None:
    question = Question("simulated", "m")
    answers.run(None, question=question)  # type: ignore[arg-type]
    said = answers.rows("prompt, repeat, answer")
    assert len({answer for *_, answer in said}) == len(said) == COUNT
    with duckdb.connect(str(answers.file)) as connection:
        connection.execute("drop table answers")
    answers.run(None, question=question)  # type: ignore[arg-type]
    assert answers.rows("prompt, repeat, answer") == said


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ("Answer", "has a column 'Answer', which answers are to have"),
        ("own,OWN", "has columns 'own' and 'OWN', which are one in a table"),
        ('"x"" text); drop table a; --"', "a column's name is a text without quotes"),
    ],
)
def test_columns_that_no_table_has_are_told_before_anybody_is_paid(
    tmp_path: Path, columns: str, complaint: str
) -> None:
    file = tmp_path / "prompts.csv"
    own = ",x" * (columns.count(",") + 1)
    file.write_text(f"prompt_id,prompt,{columns}\na,Hello?{own}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=complaint):
        read_prompts(file)


def test_what_is_declined_is_a_row_without_an_answer(answers: Answers) -> None:
    def saying(prompt: str, _: int) -> str | Exception:
        if prompt == "Blame her.":
            return RejectedError("blocked by a filter.")
        if prompt == "Blame them.":
            cut = Reply("Well, they", 3, 4)
            return RejectedError("the reply was cut off at max_tokens.", reply=cut)
        return "" if prompt == "Blame him." else "Yes."

    provider = Fake(saying)
    done = answers.run(provider)
    assert (done.answered, done.failed, done.left) == (8, 4, 0)
    said = {row[0]: row[1:] for row in answers.rows("prompt, answer, error")}
    assert said["Blame her."] == (None, "blocked by a filter.")
    assert said["Blame him."] == (None, "the answer is empty.")
    # What was said before the end is an answer, and its note says that it is not whole.
    assert said["Blame them."] == ("Well, they", "the reply was cut off at max_tokens.")
    again = Fake()
    answers.run(again)
    assert not again.asked
    retried = Fake()
    assert answers.run(retried, retries_errors=True).answered == 4
    assert set(retried.asked) == {"Blame her.", "Blame him."}
    assert answers.run(Fake(), retries_errors=True).asked == 0


def test_a_busy_service_is_asked_again(answers: Answers) -> None:
    busy = TransientError("429", retry_after=0.001)
    provider = Fake(lambda _, time: busy if time == 1 else "Yes.")
    done = answers.run(provider)
    assert (done.answered, done.failed) == (COUNT, 0)
    assert done.requests == COUNT + 6  # each of the six prompts was declined once


@pytest.mark.parametrize(
    "fault", [ProviderError("no such model."), RejectedError("no.", is_of_the_texts=False)]
)
def test_what_was_answered_before_a_fault_is_kept(answers: Answers, fault: Exception) -> None:
    provider = Fake(lambda prompt, _: fault if prompt == "Blame them." else "Yes.")
    with pytest.raises(type(fault)):
        answers.run(provider, concurrency=1)
    assert len(answers.rows()) == 10
    again = Fake()
    answers.run(again)
    assert again.asked == Counter({"Blame them.": 2})


def test_an_answer_that_the_table_does_not_take_stays_in_the_journal(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairsql.warehouses.duckdb import DuckDBWarehouse

    def append(*_: Any) -> NoReturn:
        raise ProviderError("the disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(DuckDBWarehouse, "append", append)
        with pytest.raises(ProviderError, match="disk"):
            answers.run(Fake())
    again = Fake()
    assert answers.run(again).asked == 0
    assert not again.asked
    assert len(answers.rows()) == COUNT
    assert not list(answers.folder.glob(".fairsql/*.jsonl"))


def test_a_killed_run_loses_nothing_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    probe = {**PROBE, "templates": [f"Praise {{who}} for {n}." for n in range(20)], "repeats": 1}
    rows = counterfactual_prompts(probe)
    write_prompts(tmp_path / "prompts.csv", rows)
    log = tmp_path / "asked.jsonl"
    arguments = [
        *("counterfactual", "respond", "prompts.csv", "--connection", "duckdb:///a.duckdb"),
        *("--table", "answers", "--provider", "simulated", "--model", "m", "--concurrency", "1"),
        *("--parameter", "seconds=0.01", "--parameter", f"log={log}"),
    ]
    command = [sys.executable, "-m", "fairsql", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = 0
    for wait in (5, 20, 35):
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if log.exists() and log.read_bytes().count(b"\n") >= wait:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.002)
        killed += process.wait(60) == -signal.SIGKILL
    assert killed == 3
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        kept = connection.execute("select prompt_id from answers").fetchall()
    assert sorted(name for (name,) in kept) == sorted(row["prompt_id"] for row in rows)
    # A reply that was on its way when the process was killed is one that it never had.
    assert len(rows) <= log.read_bytes().count(b"\n") <= len(rows) + killed


@pytest.mark.xdist_group("postgres")
def test_answers_go_into_a_server(tmp_path: Path) -> None:
    rows: list[dict[str, str | None]] = [
        {"prompt_id": "a", "prompt": "it's \\ é 😀", "repeat": "1", "own": None},
        {"prompt_id": "b", "prompt": "NUL?", "repeat": "x", "own": "o"},
    ]
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            warehouse = fairsql.connect(connection)
            provider = Fake(lambda prompt, _: "a\x00b\ud800" if prompt == "NUL?" else prompt)
            for _ in range(2):
                respond(
                    rows, QUESTION, warehouse, "public.answers", folder=tmp_path, provider=provider
                )
            assert provider.asked.total() == 2
            found = connection.execute(
                "select prompt_id, answer, repeat, own from answers order by prompt_id"
            ).fetchall()
    assert found == [
        ("a", "it's \\ é 😀", 1, None),
        ("b", "a\\x00b\\ud800", None, "o"),
    ]


# --- the command -----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    write_prompts(tmp_path / "prompts.csv", counterfactual_prompts(PROBE))
    return tmp_path


RESPOND = ("counterfactual", "respond", "prompts.csv", "--table", "answers", "--model", "m")
SIMULATED = (*RESPOND, "--provider", "simulated", "--connection", "duckdb:///a.duckdb")


@pytest.mark.usefixtures("folder")
def test_the_command_makes_its_file_and_says_what_it_did() -> None:
    dry = call(*SIMULATED, "--connection", "duckdb://", "--dry-run")
    assert dry.exit_code == 2  # nothing outlasts memory, and a dry run says so too
    dry = call(*SIMULATED, "--dry-run")  # as the page does it: before there is a file
    assert dry.exit_code == 0
    assert "12 questions" in dry.output
    assert not Path("a.duckdb").exists()
    limited = call(*SIMULATED, "--max-requests", "5")
    assert limited.exit_code == 3
    assert "prompts are left" in limited.output
    dry = call(*SIMULATED, "--dry-run")
    assert dry.exit_code == 0
    assert "7 questions" in dry.output
    assert "Nobody was asked" in dry.output
    whole = call(*SIMULATED)
    assert whole.exit_code == 0
    assert "answered now         7" in whole.output
    assert call(*SIMULATED, "--replay-only").exit_code == 0
    missing = call(*SIMULATED, "--replay-only", "--parameter", "temperature=1")
    assert missing.exit_code == 4
    assert "--replay-only asks nobody" in missing.output


@pytest.mark.usefixtures("folder")
def test_the_file_may_be_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSQL_CONNECTION", "duckdb:///own.duckdb")
    assert call(*RESPOND, "--provider", "simulated").exit_code == 0
    assert Path("own.duckdb").exists()
    assert call(*RESPOND, "--provider", "simulated", "--replay-only").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        ((*RESPOND, "--connection", "duckdb://"), "no table outlasts the run here"),
        ((*SIMULATED, "--provider", "opena"), "Did you mean 'openai'?"),
        ((*SIMULATED, "--parameter", "temperature"), "must be NAME=VALUE, such as temperature=0"),
        ((*SIMULATED, "--parameter", "a=1", "--parameter", "a=2"), "names 'a' twice."),
        ((*SIMULATED, "--max-requests", "0"), "must be a number above 0"),
        ((*RESPOND, "--connection", "duckdb:///a.duckdb"), "OPENAI_API_KEY is not set"),
        (("counterfactual", "respond", "no.csv", *SIMULATED[3:]), "No such file"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_misuse_is_told_before_anybody_is_asked(
    arguments: Sequence[str], fragment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    result = call(*arguments)
    assert result.exit_code == 2
    assert fragment in result.output


@pytest.mark.parametrize(
    ("rows", "fragment"),
    [
        ([{"prompt_id": "a", "prompt": ""}], "row 1: prompt is empty."),
        ([{"prompt_id": "", "prompt": "x"}], "row 1: prompt_id is empty."),
        ([{"prompt_id": "a", "prompt": "x"}] * 2, "row 2: prompt_id 'a' is there twice."),
        ([{"prompt": "x"}], "has no column 'prompt_id'"),
        (
            [{"prompt_id": "a", "prompt": "x", "answer": "y"}],
            "has a column 'answer'",
        ),
    ],
)
def test_prompts_that_cannot_be_asked(
    rows: list[dict[str, str]], fragment: str, tmp_path: Path
) -> None:
    path = tmp_path / "prompts.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(ConfigurationError) as caught:
        read_prompts(path)
    assert fragment in str(caught.value)


@pytest.mark.usefixtures("folder")
def test_the_command_says_what_it_would_cost_and_stops_there() -> None:
    priced = (*SIMULATED, "--prices", "1000000", "1000000")
    dry = call(*priced, "--dry-run")
    assert "cost" in dry.stdout
    assert "about 3," in dry.stdout
    assert call(*SIMULATED, "--max-cost", "1").exit_code == 2
    assert call(*SIMULATED, "--prices", "-1", "nan").exit_code == 2
    stopped = call(*priced, "--max-cost", "280", "--concurrency", "1")
    assert stopped.exit_code == 3, stopped.output
