"""What is still to be judged: asked of the warehouse, which leaves out what has a judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fairsql.compile import one_select, predicate, relation
from fairsql.compile.loader import macros_for
from fairsql.config.judging import Pairing
from fairsql.errors import ConfigurationError, RelationNotFoundError, did_you_mean
from fairsql.llm.judges import judge_for
from fairsql.llm.versions import prompt_version
from fairsql.version import __version__

if TYPE_CHECKING:
    from fairsql.config.judging import JudgeSpec
    from fairsql.llm.judges import Judge
    from fairsql.warehouses import Warehouse

PAGE = 2_000
"""Rows that are fetched at a time."""

_PAIR_TEXTS = {"input": "input", "output_a": "output_a", "output_b": "output_b"}
_PAIR_KEY = "pair_key"


@dataclass(frozen=True)
class Row:
    """One row under judgement."""

    row_key: str | None
    input_hash: str
    texts: Mapping[str, str | None]


@dataclass(frozen=True)
class Counts:
    """How many rows and texts there are.

    Attributes
    ----------
    relation_rows
        The rows of the relation, after ``where``.
    rows_without_texts
        Those that lack a text that the judge needs.
    texts
        Different texts among the others, or among the sample of them.
    unjudged_texts
        Those that have no judgement yet.
    characters
        Of these texts, all together.
    """

    relation_rows: int
    rows_without_texts: int
    texts: int
    unjudged_texts: int
    characters: int


@dataclass(frozen=True)
class Job:
    """A judge, and the relation whose texts it judges."""

    spec: JudgeSpec
    judge: Judge
    prompt_version: str
    dialect: str
    arguments: Mapping[str, Any] = field(repr=False)

    def count(self, warehouse: Warehouse) -> Counts:
        """Return how many texts are to be judged."""
        answer = warehouse.run(self._sql("count_to_judge", "how many texts are to be judged"))
        return Counts(**{name: int(value) for name, value in answer.rows[0].items()})

    def page(self, warehouse: Warehouse, after: str | None, limit: int = PAGE) -> list[Row]:
        """Return the next texts that are to be judged, those after a hash."""
        header = "texts that are to be judged"
        answer = warehouse.run(self._sql("rows_to_judge", header, after, limit))
        names = self.arguments["text_columns"]
        return [
            Row(row["row_key"], row["input_hash"], {name: row[f"text_{name}"] for name in names})
            for row in answer.rows
        ]

    def _sql(self, macro: str, header: str, *arguments: Any) -> str:
        comment = [f"fairsql {__version__}: {header}", f"judge {self.spec.name}"]
        call = macros_for(self.dialect).call
        sql = str(call(macro, dict(self.arguments), comment, *arguments)).strip() + "\n"
        one_select(sql, self.dialect)
        return sql


def job_for(spec: JudgeSpec, warehouse: Warehouse, *, retries_errors: bool = False) -> Job:
    """Return what a specification asks for, checked against the relation and the table.

    Raises
    ------
    ConfigurationError
        When the judge lacks a text or a field that it needs, has one that it has no use for, or a
        column is not there.
    RelationNotFoundError
        When the relation is not there.
    """
    place = f"judge {spec.name!r}"
    judge = judge_for(spec)
    if spec.relation is None:
        raise ConfigurationError(f"{place}: relation is required: the table that is judged.")
    is_of_pairs = judge.kind == "pairwise"
    if spec.pairing and not is_of_pairs:
        raise ConfigurationError(f"{place}: {judge.name} judges rows, and has no use for pairing.")
    source = relation(spec.relation, warehouse.dialect, f"{place}, relation")
    texts = _PAIR_TEXTS if is_of_pairs else spec.text_columns
    keys = (_PAIR_KEY,) if is_of_pairs else spec.key_columns
    kinds = _kinds(place, warehouse, source, spec)
    _check_texts(place, judge, spec.text_columns, is_of_pairs=is_of_pairs)
    where = predicate(spec.where, warehouse.dialect, f"{place}, where") if spec.where else None
    if is_of_pairs:
        source, where = _pairs(source, where, spec, warehouse.dialect), None
    version = prompt_version(spec)
    table = relation(spec.table, warehouse.dialect, f"{place}, table")
    arguments = {
        "relation": source,
        "where": where,
        "text_columns": dict(texts),
        "needed": [name for name in judge.texts if name in texts],
        "key_columns": [{"name": name, "kind": kinds.get(name, "text")} for name in keys],
        "sample_size": spec.sample_size,
        "seed": spec.seed,
        "judge": spec.judge,
        "prompt_version": version,
        "model": spec.model,
        "table": table if is_there(table, warehouse) else None,
        "retries_errors": retries_errors,
    }
    return Job(spec, judge, version, warehouse.dialect, arguments)


def with_table(job: Job, table: str) -> Job:
    """Return a job that knows that its table of judgements is there now."""
    return replace(job, arguments={**job.arguments, "table": table})


def is_there(table: str, warehouse: Warehouse) -> bool:
    """Return whether a table, as SQL for a FROM clause, is there."""
    try:
        warehouse.describe(table)
    except RelationNotFoundError:
        return False
    return True


def _kinds(place: str, warehouse: Warehouse, source: str, spec: JudgeSpec) -> dict[str, str]:
    """Return each column that a specification names -> its kind."""
    columns = warehouse.describe(source)
    folded = {warehouse.fold(column.name): column for column in columns}
    kinds = {}
    for name in (*spec.text_columns.values(), *spec.key_columns):
        column = folded.get(warehouse.fold(name))
        if column is None:
            hint = did_you_mean(name, [one.name for one in columns])
            raise ConfigurationError(f"{place}: {spec.relation} has no column {name!r}.{hint}")
        kinds[name] = column.kind
    return kinds


def _check_texts(place: str, judge: Judge, given: Mapping[str, str], *, is_of_pairs: bool) -> None:
    needed = ("input", "output") if is_of_pairs else judge.texts
    for name in needed:
        if name not in given:
            raise ConfigurationError(f"{place}: {judge.name} needs {name}_column.")
    for name in given:
        if name not in (*needed, *judge.optional):
            raise ConfigurationError(f"{place}: {judge.name} has no use for {name}_column.")


def _pairs(source: str, where: str | None, spec: JudgeSpec, dialect: str) -> str:
    """Return the relation of pairs of answers."""
    if where is not None:
        source = f"(select * from {source} where {where}) as relation"
    pairing = {
        **(spec.pairing or Pairing()).model_dump(),
        **{f"{k}_column": v for k, v in spec.text_columns.items()},
    }
    sql = str(macros_for(dialect).call("pairs", source, pairing))
    return f"(\n{sql}\n) as pairs"
