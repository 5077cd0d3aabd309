"""Snowflake's golden files: in two grammars, by functions and frames that its reference names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from tests.golden_cases import BEFORE_SCANS, NAMES, golden
from tests.vendors.grammar import parts_by_case, unparsable
from tests.vendors.snowflake_functions import SNOWFLAKE_FRAMES, SNOWFLAKE_FUNCTIONS

# Words that a parenthesis may follow, other than functions.
WORDS = {
    *("and", "as", "from", "grouping sets", "in", "join", "not", "or", "over", "then", "when"),
    *("where", "case", "else", "on", "select", "between", "union all", "distinct", "by"),
}
PARTS = parts_by_case("snowflake")


def calls(sql: str) -> Iterator[tuple[str, int]]:
    """Yield each function that is called, and with how many arguments."""
    tokens = sqlglot.tokenize(sql, read="snowflake")
    for place, (token, following) in enumerate(pairwise(tokens)):
        word = token.text.lower()
        if following.token_type == TokenType.L_PAREN and re.fullmatch(r"[a-z][\w ]*", word):
            is_quoted = token.token_type in (TokenType.IDENTIFIER, TokenType.STRING)
            if word not in WORDS and not is_quoted:
                yield word, arguments(tokens[place + 2 :])


def arguments(tokens: list[Token]) -> int:
    """Count the arguments of a call, from the tokens after its parenthesis."""
    depth, commas = 0, 0
    for place, token in enumerate(tokens):
        if token.token_type == TokenType.R_PAREN:
            if depth == 0:
                return commas + (1 if place else 0)
            depth -= 1
        depth += token.token_type == TokenType.L_PAREN
        commas += token.token_type == TokenType.COMMA and depth == 0
    raise AssertionError("a call that does not end")


def frames(sql: str) -> set[str]:
    return {" ".join(found.split()) for found in re.findall(r"\b(?:rows|range) [^)]*", _code(sql))}


def _code(sql: str) -> str:
    return re.sub(r"--.*|'(?:[^'\\]|\\.)*'", "", sql)


@pytest.mark.xdist_group("grammar")
@pytest.mark.parametrize("name", PARTS)
def test_sqlfluff_parses_what_a_case_adds(name: str) -> None:
    assert not list(unparsable(PARTS[name], "snowflake"))


@pytest.mark.parametrize("name", NAMES)
def test_sqlglot_parses_it(name: str) -> None:
    (statement,) = sqlglot.parse(golden(name, "snowflake"), read="snowflake")
    assert isinstance(statement, exp.Query)


@pytest.mark.parametrize("name", NAMES)
def test_its_functions_are_in_the_reference(name: str) -> None:
    found = set(calls(golden(name, "snowflake")))
    assert {word for word, _ in found} >= {"cast", "count", "sum", "grouping"}
    assert not {word for word, _ in found} - set(SNOWFLAKE_FUNCTIONS)
    wrong = {(word, count) for word, count in found if not SNOWFLAKE_FUNCTIONS[word].takes(count)}
    assert not wrong


def test_the_list_holds_what_is_used() -> None:
    names = [*NAMES, *BEFORE_SCANS]
    used = {word for name in names for word, _ in calls(golden(name, "snowflake"))}
    assert set(SNOWFLAKE_FUNCTIONS) == used


@pytest.mark.parametrize("name", NAMES)
def test_its_frames_are_in_the_reference(name: str) -> None:
    assert frames(golden(name, "snowflake")) <= SNOWFLAKE_FRAMES


@pytest.mark.parametrize("sql", ["select countif(x) from t", "select trim(a, b, c)"])
def test_a_function_that_is_not_in_the_reference_is_found(sql: str) -> None:
    ((word, count),) = calls(sql)
    assert word not in SNOWFLAKE_FUNCTIONS or not SNOWFLAKE_FUNCTIONS[word].takes(count)


def test_an_unparsable_part_is_found() -> None:
    assert list(unparsable(["select 1 as one from from t"], "snowflake"))


def test_calls_and_frames_are_read_past_texts_and_comments() -> None:
    sql = "select sum(a) over (order by 'rows (' range current row) -- count(a)\nfrom t"
    assert list(calls(sql)) == [("sum", 1)]
    assert frames(sql) == {"range current row"}
