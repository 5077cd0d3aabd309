"""The relation that a test with judges reads: its own, with the judges' columns beside the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fairsql import reasons
from fairsql.compile import relation as checked_relation
from fairsql.compile import stored_name
from fairsql.compile.derived import derived
from fairsql.errors import ConfigurationError, WarehouseError, did_you_mean
from fairsql.llm.versions import prompt_version
from fairsql.tallying import JUDGE_FIRST

if TYPE_CHECKING:
    from fairsql.config import Test
    from fairsql.config.judging import JudgeSpec
    from fairsql.reasons import Skip
    from fairsql.warehouses import Column, Warehouse

Naming = Callable[[str], str]
"""From a column's name as the user wrote it to that which the relation has."""

READ_COLUMNS = (
    "judge",
    "prompt_version",
    "model",
    "input_hash",
    "score",
    "label",
    "judged_at",
)
"""The columns of a table of judgements that a test reads."""


class ColumnMissing(Exception):  # noqa: N818 - a reason for a skip, told in its words
    """That the relation lacks a column which a judge has judged."""

    def __init__(self, skip: Skip) -> None:
        super().__init__(skip.message)
        self.skip = skip


def with_judgements(
    test: Test, relation: str, dialect: str, place: str, naming: Naming | None = None
) -> str:
    """Return a checked relation with the columns of the test's judges.

    Parameters
    ----------
    test
        Whose judges.
    relation
        Its relation, as SQL for a FROM clause.
    dialect
        The warehouse's dialect.
    place
        What begins a message.
    naming
        How the judged columns are found; as the warehouse folds names without it.

    Raises
    ------
    ConfigurationError
        When a judge judges no column.
    """
    if not test.judges:
        return relation
    naming = naming or (lambda name: stored_name(name, dialect))
    judges = [_as_macro(spec, dialect, f"{place}, judges", naming) for spec in test.judges]
    return derived(relation, "with_judgements", (judges,), dialect)


def _as_macro(spec: JudgeSpec, dialect: str, place: str, naming: Naming) -> dict[str, Any]:
    if not spec.text_columns:
        raise ConfigurationError(
            f"{place}, {spec.name}: names no column that is judged, such as output_column."
        )
    return {
        "name": spec.name,
        "judge": spec.judge,
        "prompt_version": spec.prompt_version or prompt_version(spec),
        "model": spec.model,
        "table": checked_relation(spec.table, dialect, f"{place}, table"),
        "stored_columns": {text: naming(name) for text, name in spec.text_columns.items()},
    }


def naming_in(test: Test, columns: Sequence[Column], warehouse: Warehouse) -> Naming:
    """Return how a relation's columns are found: as they are spelled, else by the fold of names.

    The function raises :exc:`ColumnMissing` for one that is not there.
    """
    exact = {column.name: column.name for column in columns}
    folded = {warehouse.fold(column.name): column.name for column in columns}

    def naming(name: str) -> str:
        fold = warehouse.fold(name)
        found = exact.get(name) or exact.get(fold) or folded.get(fold)
        if found is None:
            hint = did_you_mean(name, exact) or f" It has {', '.join(list(exact)[:20])}."
            raise ColumnMissing(reasons.column_missing(name, test.relation, hint))
        return found

    return naming


def why_unreadable(test: Test, warehouse: Warehouse, place: str) -> str | None:
    """Return what is wrong with the tables of judgements, if that is why a test cannot be read."""
    for spec in test.judges:
        table = checked_relation(spec.table, warehouse.dialect, f"{place}, judges, table")
        try:
            columns = warehouse.describe(table, None)
        except WarehouseError as error:
            return (
                f"the judgements of {spec.name} cannot be read from {spec.table}: {JUDGE_FIRST},"
                f" which makes the table and fills it. ({error})"
            )
        have = {warehouse.fold(column.name) for column in columns}
        lacking = [name for name in READ_COLUMNS if warehouse.fold(name) not in have]
        if lacking:
            return (
                f"{spec.table} lacks {', '.join(lacking)}, so it is no table of judgements:"
                f" {JUDGE_FIRST}, which makes one, or name another in judgements."
            )
    return None
