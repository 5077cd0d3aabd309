"""From a scan to one checked statement: macros render it, sqlglot reads it back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel, ParseError, SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from fairsql.compile.loader import dialects, macros_for
from fairsql.errors import CompilationError, ConfigurationError, did_you_mean
from fairsql.version import __version__

if TYPE_CHECKING:
    from fairsql.plan import Attribute, Request, Scan

__all__ = [
    "Statement",
    "check_dialect",
    "compile_count",
    "compile_look",
    "compile_scan",
    "dialects",
    "group_rows",
    "predicate",
    "relation",
    "stored_name",
    "windowed",
]


# Dialects that fold an unquoted name to one case, and then tell cases apart.
_FOLDING = ("postgres", "redshift", "snowflake")
_WITH_VARIABLES = ("databricks", "spark")
_UNREADABLE = (SqlglotError, RecursionError)
_QUERY = re.compile(r"select\s|with\s.+\sselect\s", re.IGNORECASE | re.DOTALL)
_READ_IN_TWO_WAYS = re.compile(r"--|/\*|[\\$`#;]")
_NOT_READING = (exp.DDL, exp.DML, exp.Command, exp.Placeholder, exp.Parameter)


@dataclass(frozen=True)
class Statement:
    """One SELECT in a dialect, and the scan it computes."""

    dialect: str
    sql: str
    scan: Scan


def check_dialect(name: str) -> str:
    """Return the dialect's name if it has a file of primitives.

    Raises
    ------
    ConfigurationError
        When it has none; the message lists those that have.
    """
    if name not in dialects():
        allowed = ", ".join(dialects())
        raise ConfigurationError(
            f"dialect {name!r} is not known; fairsql has {allowed}.{did_you_mean(name, dialects())}"
        )
    return name


def predicate(text: str, dialect: str, place: str) -> str:
    """Return a user's filter, checked by sqlglot to be one predicate and nothing else.

    It stays as it is written, since sqlglot may bind an operator otherwise than the warehouse. Only
    a text with a comment or an escape, where the two might disagree on where a string ends, is
    returned as sqlglot writes it. Subqueries are allowed. A second statement, a clause after the
    predicate or an unbalanced parenthesis is not. ``place`` begins the message.

    Raises
    ------
    ConfigurationError
        When the text is not one predicate.
    """
    try:
        parsed = Dialect.get_or_raise(dialect).parse_into(exp.Condition, text)
        conditions = [condition for condition in parsed if condition is not None]
        written = [_written(condition, dialect) for condition in conditions]
    except _UNREADABLE as error:
        raise ConfigurationError(
            f"{place}: must be one SQL predicate in the {dialect} dialect, such as"
            f" split = 'validation', but is {text!r} ({_where_it_fails(error)})."
        ) from None
    if len(conditions) != 1 or any(condition.find(*_NOT_READING) for condition in conditions):
        raise ConfigurationError(
            f"{place}: must be one SQL predicate that only reads, but is {text!r}."
        )
    return written[0] if _READ_IN_TWO_WAYS.search(text) else text.strip()


def relation(text: str, dialect: str, place: str) -> str:
    """Return a relation as SQL for a FROM clause: a quoted name, or one select in parentheses.

    A name without quotes is folded as the warehouse would fold it.
    Text that is no plain name, such as ``my table``, is taken as a name in one piece.

    Raises
    ------
    ConfigurationError
        When text in parentheses is not one select.
    """
    stripped = text.strip()
    if stripped.startswith("("):
        return f"{_query(stripped, dialect, place)} as relation"
    if _QUERY.match(stripped):
        raise ConfigurationError(f"{place}: a select stands in parentheses, but is {text!r}.")
    try:
        table = exp.to_table(stripped, dialect=dialect)
    except SqlglotError:
        table = exp.Table(this=exp.to_identifier(stripped, quoted=True))
    extra = {name for name, value in table.args.items() if value} - {"this", "db", "catalog"}
    if extra or not isinstance(table.this, exp.Identifier):
        table = exp.Table(this=exp.to_identifier(stripped, quoted=True))
    if dialect in _FOLDING:
        table = normalize_identifiers(table, dialect=dialect)
    return table.sql(dialect=dialect, identify=True, comments=False)


def stored_name(name: str, dialect: str) -> str:
    """Return a column's name as a dialect stores it, when it is written without quotes."""
    return str(macros_for(dialect).call("stored_name", name))


def windowed(where: str | None, column: Attribute, span: tuple[str, str], dialect: str) -> str:
    """Return a checked filter and a window of time as one predicate.

    Parameters
    ----------
    where
        The filter, if there is one.
    column
        The column that says when a row happened; of kind ``None``, the SQL is right for a timestamp
        with a time zone, without one, and a date.
    span
        Start and end in UTC, such as ``2024-03-01 12:30:00``; the end is not in it.
    """
    start, end = span
    window = {**asdict(column), "start": start, "end": end}
    return str(macros_for(dialect).call("windowed", where, window))


def compile_scan(scan: Scan, dialect: str, header: Sequence[str] = ()) -> Statement:
    """Render a scan and check what was rendered.

    Raises
    ------
    CompilationError
        When sqlglot cannot read the statement in its own dialect, finds anything but one SELECT,
        or finds it reading other columns or relations than the scan needs.
    """
    return _compiled("scan", scan, dialect, header)


def compile_look(scan: Scan, dialect: str, rows: int) -> Statement:
    """Render and check a look at the first rows of a scan's relation.

    Its answer has a row for each cut, of which nothing but the attributes is asked: the number of
    ``combinations`` of their values as they are written.
    """
    header = ["a look before the scan: has an attribute so many values that it is to be counted?"]
    return _compiled("look", scan, dialect, header, rows)


def compile_count(scan: Scan, dialect: str, header: Sequence[str] = ()) -> Statement:
    """Render and check a statement that counts the groups of cuts of one choice of attributes.

    Its answer has one row, or one a window: ``groups_1`` and ``rows_1``, the evaluated ones, of the
    first cut, and so on.
    """
    return _compiled("count_groups", scan, dialect, header)


def _compiled(
    macro: str, scan: Scan, dialect: str, header: Sequence[str], *arguments: Any
) -> Statement:
    argument = asdict(scan)
    argument["header"] = [f"fairsql {__version__}", *map(_one_line, header)]
    sql = str(macros_for(dialect).call(macro, argument, *arguments)).strip() + "\n"
    _check(sql, dialect, scan)
    return Statement(dialect, sql, scan)


def group_rows(
    request: Request,
    dialect: str,
    keys: Iterable[Mapping[str, str]],
    *,
    is_checked: bool = False,
) -> Iterator[str]:
    """Yield for each group's key the SELECT of its rows, by the scan's own expressions for keys.

    A key has the value of each attribute, all keys of the same ones. The SELECT finds every
    spelling that the scan merged into the key, under the test's own filter. Rows of the group that
    lack a metric input are among them. ``is_checked`` says that sqlglot has read it before,
    but for the literals.

    Raises
    ------
    CompilationError
        When sqlglot cannot read it in its own dialect, or finds anything but one SELECT.
    """
    call = macros_for(dialect).call
    header = f"fairsql {__version__}: rows of one group, those that lack a metric input too"
    expressions: dict[str, Any] = {}
    for place, key in enumerate(keys):
        for name in key:
            if name not in expressions:
                expressions[name] = call("column_key", asdict(request.columns[name]))
        conditions = [expressions[name] for name in key]
        values = list(key.values())
        sql = str(call("group_rows", request.relation, request.where, conditions, values, header))
        if place == 0 and not is_checked:  # the others differ in literals alone
            one_select(sql, dialect)
        yield sql + "\n"


def _check(sql: str, dialect: str, scan: Scan) -> None:
    select = one_select(sql, dialect)
    parts = {cte.alias: cte.this for cte in select.ctes}
    source = _that_reads_the_relation(parts["source"])
    # A name with a dot in it, which sqlglot reads as two in BigQuery's backticks.
    read = {
        ".".join(part.name for part in column.parts)
        for projection in source.expressions
        for column in projection.find_all(exp.Column)
    }
    if read != set(scan.columns):
        raise CompilationError(
            f"the rendered SQL reads the columns {sorted(read)}, not {sorted(scan.columns)}"
        )
    for name, part in [*parts.items(), ("result", select)]:
        if name == "source":
            continue
        own = part.find_all(exp.Table) if name != "result" else _tables_after_ctes(part)
        own_parts = {*parts, *(cte.alias for cte in part.find_all(exp.CTE))}
        strangers = {
            table.sql(dialect)
            for table in own
            if isinstance(table.this, exp.Identifier) and table.name not in own_parts
        }
        if strangers:
            raise CompilationError(f"{name} reads {sorted(strangers)}, not only parts of its own")


def one_select(sql: str, dialect: str) -> exp.Select:
    """Return rendered SQL as one SELECT.

    Raises
    ------
    CompilationError
        When sqlglot cannot read it, or it is anything else.
    """
    try:
        statements = sqlglot.parse(sql, dialect=dialect)
    except _UNREADABLE as error:
        raise CompilationError(f"the rendered SQL does not parse: {error}") from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise CompilationError("the rendered SQL is not one SELECT")
    return statements[0]


def _that_reads_the_relation(source: exp.Expr) -> exp.Expr:
    """Return the SELECT within `source`, which a dialect may wrap so that it is computed once."""
    while True:
        inner = source.this if isinstance(source, exp.SetOperation | exp.Subquery) else None
        if isinstance(source, exp.Select) and source.is_star:
            inner = source.args["from_"].this
        if not isinstance(inner, exp.Query):
            return source
        source = inner


def _tables_after_ctes(select: exp.Expr) -> list[exp.Table]:
    return [table for table in select.find_all(exp.Table) if not table.find_ancestor(exp.CTE)]


def _query(text: str, dialect: str, place: str) -> str:
    try:
        statements = sqlglot.parse(text, dialect=dialect)
        query = statements[0] if len(statements) == 1 else None
        if isinstance(query, exp.Subquery) and not query.find(*_NOT_READING, exp.Into):
            return _written(query, dialect)
    except _UNREADABLE as error:
        raise ConfigurationError(
            f"{place}: must be a table, a view or one select in parentheses, but is"
            f" {text!r} ({_where_it_fails(error)})."
        ) from None
    raise ConfigurationError(
        f"{place}: must be a table, a view or one select in parentheses, but is {text!r}."
    )


def _written(node: exp.Expr, dialect: str) -> str:
    """Return a node as SQL; a part that sqlglot would leave out of it is an error."""
    sql = node.sql(dialect=dialect, comments=False, unsupported_level=ErrorLevel.RAISE)
    # sqlglot undoes the escape without which Spark takes a text's `${…}` for a variable.
    return sql.replace("${", "\\u0024{") if dialect in _WITH_VARIABLES else sql


def _where_it_fails(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "It is nested too deeply"
    faults = error.errors if isinstance(error, ParseError) else []
    if not faults:  # a string that does not end is the cause of the error that is raised
        return str(error.__cause__ or error).splitlines()[0]
    description, token = faults[0].get("description") or "", faults[0].get("highlight")
    # Some descriptions name a class of sqlglot's, which says nothing to whoever wrote the SQL.
    problem = "Something is missing" if "<class" in description else description
    return f"{problem} at {token!r}" if token else problem


def _one_line(text: str) -> str:
    return " ".join(text.split())
