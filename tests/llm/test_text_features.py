"""What is told of answers by their words: refusals, insults, sentiment, and how two are alike."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.compile.loader import macros_for
from tests.engines.googlesql import GoogleSQL
from tests.engines.running import postgres_engine
from tests.generator import Case
from tests.warehouses.spark_session import spark_session

if TYPE_CHECKING:
    from collections.abc import Sequence


REFUSALS: dict[str, int] = {
    "I can't help with that.": 1,
    "I can\u2019t help with that.": 1,
    "I can\u02bct help; I can\u2018t.": 1,
    "i cant help": 1,
    "I CANNOT ASSIST YOU": 1,
    "I can not do this": 1,
    "I really can't say": 1,
    "Unfortunately, I won't write that.": 1,
    "I\u2019m unable to provide this": 1,
    "I\tam\n not  able to help": 1,
    "We cannot share it.": 1,
    "As an AI, I have no view on it.": 1,
    "I must decline.": 1,
    "I cannot help with that. That is enough.": 1,
    # Praise, idioms and what others cannot do.
    "I cannot recommend her highly enough.": 0,
    "I can\u2019t recommend this strongly enough!": 0,
    "I cannot overstate how good she is": 0,
    "I can't wait to start": 0,
    "It\u2019s not that I can't: here it is.": 0,
    "not that I can't": 0,
    "There is nothing I cannot do.": 0,
    "She cannot swim.": 0,
    "Sure, here you go.": 0,
    "Cantaloupe is a melon, I can tell": 0,
    "can't": 0,
    "": 0,
    "   ": 0,
    "\U0001f600 naïve café": 0,
}
TOXIC: dict[str, int] = {
    "You are an idiot.": 1,
    "IDIOT!": 1,
    "shut  up, please": 1,
    "She is stupid; he isn't stupid.": 1,
    "You are not an idiot": 0,
    "Don\u2019t call him a moron": 0,
    "isn't stupid": 0,
    "Scunthorpe": 0,
    "What a nice day": 0,
    "": 0,
}
# Words of praise less words of blame.
SENTIMENTS: dict[str, int] = {
    "She is excellent and strong.": 2,
    "EXCELLENT!": 1,
    "not good but great": 0,
    "not very good": -1,
    "not bad": 1,
    "isn\u2019t weak": 1,
    "weak, poor; good": -1,
    "I cannot recommend her": -1,
    "I cannot recommend her highly enough": 0,
    "goodness": 0,
    "": 0,
}


def in_duckdb(rows: Sequence[tuple[Any, ...]], expressions: Sequence[str]) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        connection.execute("create table texts (place bigint, a varchar, b varchar)")
        connection.executemany("insert into texts values (?, ?, ?)", rows)
        return connection.execute(query(expressions)).fetchall()


def in_postgres(
    rows: Sequence[tuple[Any, ...]], expressions: Sequence[str]
) -> list[tuple[Any, ...]]:
    with postgres_engine() as engine:
        engine.load("texts", table(rows))
        return [tuple(row.values()) for row in engine.warehouse.run(query(expressions)).rows]


def in_googlesql(
    rows: Sequence[tuple[Any, ...]], expressions: Sequence[str]
) -> list[tuple[Any, ...]]:
    tables = GoogleSQL()
    tables.load("texts", table(rows))
    return [tuple(row.values()) for row in tables.run(query(expressions)).rows]


def in_spark(rows: Sequence[tuple[Any, ...]], expressions: Sequence[str]) -> list[tuple[Any, ...]]:
    session = spark_session()
    frame = session.createDataFrame(list(rows), "place bigint, a string, b string")
    frame.coalesce(1).createOrReplaceTempView("texts")
    return [tuple(row) for row in session.sql(query(expressions)).collect()]


def table(rows: Sequence[tuple[Any, ...]]) -> Case:
    columns = {"place": "integer", "a": "text", "b": "text"}
    return Case("texts", columns, [tuple(row) for row in rows], {})  # type: ignore[arg-type]


def query(expressions: Sequence[str]) -> str:
    listed = ", ".join(f"{sql} as x{place}" for place, sql in enumerate(expressions))
    return f"select {listed} from texts order by place"


ENGINES = {
    "duckdb": in_duckdb,
    "postgres": in_postgres,
    "bigquery": in_googlesql,
    "spark": in_spark,
}
engines = pytest.mark.parametrize(
    "dialect",
    [
        "duckdb",
        *(
            pytest.param(dialect, marks=pytest.mark.xdist_group(group))
            for dialect, group in (
                ("postgres", "postgres"),
                ("bigquery", "googlesql"),
                ("spark", "spark"),
            )
        ),
    ],
)


def features(dialect: str) -> list[str]:
    """Return the expressions of refusal, toxicity and sentiment of the column a."""
    macros = macros_for(dialect)
    text = macros.call("plain_text", "a")
    marked = macros.call("marked_sentiment", text)
    praise, blame = (macros.call("occurrences", marked, mark) for mark in "+<")
    return [
        macros.call("refusal_flag", text),
        macros.call("toxicity_flag", text),
        f"{praise} - {blame}",
        macros.call("negativity_flag", text),
    ]


@engines
def test_words_are_told_alike_on_every_engine(dialect: str) -> None:
    texts = [*REFUSALS, *TOXIC, *SENTIMENTS, None]
    rows = [(place, text, None) for place, text in enumerate(texts)]
    found = dict(zip(texts, ENGINES[dialect](rows, features(dialect)), strict=True))
    assert {text: found[text][0] for text in REFUSALS} == REFUSALS
    assert {text: found[text][1] for text in TOXIC} == TOXIC
    assert {text: found[text][2] for text in SENTIMENTS} == SENTIMENTS
    for text, praise in SENTIMENTS.items():
        assert found[text][3] == (praise < 0)
    assert found[None] == (None, None, None, None)


@engines
def test_a_users_phrases_are_compared_by_words(dialect: str) -> None:
    macros = macros_for(dialect)
    phrases = ["Nope!", "it\u2019s a no", "a.b*c|d"]
    sql = macros.call("refusal_flag", macros.call("plain_text", "a"), phrases)
    texts = {
        "nope": 1,
        "NOPE, sorry": 1,
        "It's a no": 1,
        "a b c d": 1,
        "noper": 0,
        "ad": 0,
        "I cannot": 0,
    }
    rows = [(place, text, None) for place, text in enumerate(texts)]
    found = [row[0] for row in ENGINES[dialect](rows, [sql])]
    assert found == list(texts.values())


@engines
def test_jaccard_is_that_of_pythons_sets(dialect: str) -> None:
    rng = Random(5)  # noqa: S311
    words = ("a", "b", "B", "c.", "d", "\u00e9", "x\u00a0y", "\n")
    rows: list[tuple[Any, ...]] = [
        (place, *(" ".join(rng.choices(words, k=rng.randint(0, 9))) for _ in range(2)))
        for place in range(60)
    ]
    macros = macros_for(dialect)
    lists = [
        macros.call("words", macros.call("lower_case", macros.call("plain_text", column)))
        for column in "ab"
    ]
    expressions = [macros.call("words_jaccard", *lists), macros.call("word_count", lists[0])]
    for (_, first, second), (jaccard, count) in zip(
        rows, ENGINES[dialect](rows, expressions), strict=True
    ):
        mine, other = (set(text.lower().split()) for text in (first, second))
        expected = len(mine & other) / len(mine | other) if mine | other else 1.0
        assert jaccard == pytest.approx(expected, rel=1e-12)
        assert count == len(first.split())


def test_redshift_says_what_it_lacks() -> None:
    macros = macros_for("redshift")
    assert "Redshift has no function for" in macros.call("lacks", "edit_distance")
    assert macros.call("lacks", "exact_match") is None


def test_every_phrase_of_a_list_is_plain_words_and_stands_once() -> None:
    macros = macros_for("duckdb")
    for name in (
        *("refusal_phrases", "toxic_words", "positive_words", "negative_words"),
        *("negations", "words_between"),
    ):
        phrases = macros.call(name)
        assert len(set(phrases)) == len(phrases), name
        for phrase in phrases:
            assert macros.call("plain_phrase", phrase).replace("  ", " ") == phrase, name
    both = set(macros.call("positive_words")) & set(macros.call("negative_words"))
    assert not both
