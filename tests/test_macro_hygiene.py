"""The macros keep to what both dbt and our own loader can read, and to the house's habits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import jinja2
import pytest
import sqlglot
from jinja2 import nodes
from jinja2.ext import Extension
from sqlglot import exp
from sqlglot.errors import SqlglotError

from fairsql.compile.loader import dialects, macro_files, macros_for

if TYPE_CHECKING:
    from jinja2.parser import Parser

FILES = {f"{path.parent.name}/{path.name}": path for path in macro_files()}
# What dbt gives to a macro and our loader gives too; anything else is a query, a graph or a module.
OFFERED = {
    *("adapter", "config", "exceptions", "execute", "fairsql", "kwargs", "namespace", "range"),
    *("return", "run_started_at", "var"),
}


# Names and values that end a quote, or begin an escape, somewhere.
QUOTED = (
    "it's",
    '"',
    "`",
    "back\\slash",
    "\\",
    "\\'; --",
    "\\\\'",
    "''",
    "a\r\nb",
    "\t",
    "${x}",
    "naïve",
)


class _TestTag(Extension):
    """dbt's ``{% test name() %}``, read as a macro called ``test_name``."""

    tags = {"test"}  # noqa: RUF012 - Jinja's own interface

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        name = parser.parse_assign_target(name_only=True).name
        macro = nodes.Macro(f"test_{name}", [], [], [], lineno=line)
        parser.parse_signature(macro)
        macro.body = parser.parse_statements(("name:endtest",), drop_needle=True)
        return macro


ENVIRONMENT = jinja2.Environment(  # noqa: S701 - parses only
    extensions=["jinja2.ext.do", _TestTag]
)


def text_of(file: str) -> str:
    return FILES[file].read_text(encoding="utf-8")


@cache
def parsed(file: str) -> nodes.Template:
    return ENVIRONMENT.parse(text_of(file))


def macros(file: str) -> list[nodes.Macro]:
    return list(parsed(file).find_all(nodes.Macro))


NAMES = Counter(macro.name for file in FILES for macro in macros(file))


def forbidden(tree: nodes.Node) -> Iterator[str]:
    """Yield what dbt v2 does not read, or reads in another way (TRAPS: dbt)."""
    for test in tree.find_all(nodes.Test):
        if test.name in ("in", "undefined"):
            yield f"line {test.lineno}: `is {test.name}`"
    for attribute in tree.find_all(nodes.Getattr):
        if attribute.attr == "partition":
            yield f"line {attribute.lineno}: .partition"
    for name in tree.find_all(nodes.Name):
        if name.name in ("run_query", "graph", "modules", "dbt"):
            yield f"line {name.lineno}: {name.name}"


def of_package(tree: nodes.Node) -> list[nodes.Getattr]:
    """Return every ``fairsql.name``."""
    return [
        attribute
        for attribute in tree.find_all(nodes.Getattr)
        if isinstance(attribute.node, nodes.Name) and attribute.node.name == "fairsql"
    ]


def dispatched(tree: nodes.Node) -> Iterator[tuple[str, str]]:
    """Yield name and package of every ``adapter.dispatch``."""
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr == "dispatch":
            name, package = (argument.as_const() for argument in call.args)
            yield name, package


def uncommented(text: str) -> list[str]:
    """Return the macros that no comment introduces.

    A comment speaks for the macros below it until a gap of two blank lines. The implementation
    ``default__x`` is introduced where ``x`` is dispatched.
    """
    names = []
    for block in re.split(r"\n(?:[ \t]*\n){2,}", text):
        heads = re.findall(r"(?m)^\{%-? (?:macro|test) (\w+)", block)
        if not block.lstrip().startswith("{#"):
            names += [name for name in heads if "__fairsql_" not in name]
    return names


def read_back(written: str, dialect: str) -> str | None:
    """Return the name or text that sqlglot reads in a dialect; none where it reads no one item."""
    try:
        statement = sqlglot.parse_one(f"select {written}", read=dialect)
        assert isinstance(statement, exp.Select)
        (item,) = statement.expressions
    except (SqlglotError, ValueError, AssertionError):
        return None
    return str(item.name)


def test_a_name_is_given_once() -> None:
    assert not [name for name, count in NAMES.items() if count > 1]


@pytest.mark.parametrize("file", FILES)
def test_dialects_hold_dispatched_names_and_macros_plain_ones(file: str) -> None:
    names = [macro.name for macro in macros(file)]
    assert names or file == "dialects/databricks.sql"  # which is Spark's in all
    folder, stem = file.removesuffix(".sql").split("/")
    # A dispatched name of a user's project comes before ours, so it must be ours alone.
    own = re.compile(rf"{stem if folder == 'dialects' else 'default'}__fairsql_\w+|(?!\w+__)\w+")
    assert not [name for name in names if not own.fullmatch(name)]
    if folder == "dialects" and stem != "default":
        assert not [name for name in names if "__" not in name]


def test_what_is_dispatched_exists_and_what_exists_is_dispatched() -> None:
    wanted = {pair for file in FILES for pair in dispatched(parsed(file))}
    assert {package for _, package in wanted} == {"fairsql"}
    offered = {name.split("__", 1)[1]: name for name in NAMES if "__" in name}
    assert {name for name, _ in wanted} == set(offered)


@pytest.mark.parametrize("file", FILES)
def test_macros_are_called_by_the_name_of_the_package(file: str) -> None:
    tree = parsed(file)
    called = {id(call.node) for call in tree.find_all(nodes.Call)}
    for attribute in of_package(tree):
        assert NAMES[attribute.attr], f"line {attribute.lineno}: no macro fairsql.{attribute.attr}"
        assert id(attribute) in called, f"line {attribute.lineno}: a macro passed as a value"


@pytest.mark.parametrize("file", FILES)
def test_macros_use_what_dbt_and_our_loader_offer(file: str) -> None:
    assert not list(forbidden(parsed(file)))
    for macro in macros(file):
        names = {name.name for name in macro.find_all(nodes.Name) if name.ctx == "load"}
        own = {name.name for name in macro.find_all(nodes.Name) if name.ctx != "load"}
        assert names - own <= OFFERED | {"loop"}, macro.name


@pytest.mark.parametrize("file", FILES)
def test_nothing_stands_outside_a_macro(file: str) -> None:
    # dbt ignores it without a word.
    for node in parsed(file).body:
        if not isinstance(node, nodes.Macro):
            assert isinstance(node, nodes.Output)
            texts = [part.data for part in node.nodes if isinstance(part, nodes.TemplateData)]
            assert len(texts) == len(node.nodes)
            assert not "".join(texts).strip()


@pytest.mark.parametrize(
    "file",
    FILES,
)
def test_every_macro_has_a_comment(file: str) -> None:
    assert not uncommented(text_of(file))


def test_a_dialect_overrides_nothing_unknown() -> None:
    assert dialects()
    known = {name.removeprefix("default__") for name in NAMES if name.startswith("default__")}
    wrapped = {name for file in FILES for name, _ in dispatched(parsed(file))}
    for dialect in dialects():
        own = {name.split("__", 1)[1] for name in NAMES if name.startswith(f"{dialect}__")}
        assert own <= known | wrapped


@pytest.mark.parametrize("macro", ["literal", "identifier"])
@pytest.mark.parametrize("dialect", dialects())
def test_text_between_quotes_is_read_back_as_it_was(dialect: str, macro: str) -> None:
    for text in QUOTED:
        assert read_back(macros_for(dialect).call(macro, text), dialect) == text


@pytest.mark.parametrize(
    "text",
    [
        "{{ x is in [1] }}",
        "{{ x is undefined }}",
        "{{ 'a b'.partition(' ') }}",
        "{{ run_query(x) }}",
    ],
)
def test_a_forbidden_construct_is_found(text: str) -> None:
    assert list(forbidden(ENVIRONMENT.parse(text)))


def test_a_missing_comment_is_found() -> None:
    text = "{# One. #}\n{% macro one() %}{% endmacro %}\n\n{% macro two() %}{% endmacro %}\n\n\n"
    assert uncommented(text) == []
    assert uncommented(text + "{% macro three() %}{% endmacro %}") == ["three"]
