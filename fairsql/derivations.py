"""The relation that a test asks about where it is not its own: flagged rows, or pairs of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairsql.compile import relation as checked_relation
from fairsql.compile import stored_name
from fairsql.compile.derived import derived
from fairsql.config.judging import JudgeSpec
from fairsql.errors import WarehouseError
from fairsql.judged_relations import Naming, naming_in
from fairsql.llm.versions import prompt_version

if TYPE_CHECKING:
    from fairsql.config import Test
    from fairsql.warehouses import Column, Warehouse

_COLUMNS = ("group_by", "role", "dimension")


def derived_relation(
    test: Test,
    relation: str,
    where: str | None,
    dialect: str,
    place: str,
    warehouse: Warehouse | None = None,
) -> tuple[str, str | None]:
    """Return the relation that a test asks about, and what is left of its filter.

    Parameters
    ----------
    test
        What was asked.
    relation, where
        Its relation and its predicate, checked. Where pairs are made of rows, the predicate is
        read before.
    dialect
        The warehouse's dialect.
    place
        What begins a message.
    warehouse
        Tells how columns are spelled; without it they are named as the warehouse folds names.

    Raises
    ------
    ColumnMissing
        When the relation lacks a column.
    """
    derivation = test.derivation()
    if derivation is None:
        return relation, where
    naming: Naming = str
    if warehouse is not None:
        try:
            naming = _naming(test, warehouse.describe(relation, None), warehouse)
        except WarehouseError:  # told when the relation itself is asked for
            return relation, where
    macro, arguments = derivation
    if test.makes_rows and where is not None:
        relation, where = (
            f"(\n    select *\n    from {relation}\n    where {where}\n) as relation",
            None,
        )
    known = [_argument(argument, naming, dialect, place) for argument in arguments]
    return derived(relation, macro, known, dialect), where


def _argument(argument: Any, naming: Naming, dialect: str, place: str) -> Any:
    """Return an argument as a macro takes it: columns by name, a judge as a mapping."""
    if isinstance(argument, JudgeSpec):
        return {
            "name": argument.name,
            "judge": argument.judge,
            "prompt_version": argument.prompt_version or prompt_version(argument),
            "model": argument.model,
            "table": checked_relation(argument.table, dialect, f"{place}, judges, table"),
        }
    if not isinstance(argument, Mapping):
        return argument
    return {
        name: naming(value) if value is not None and _is_column(name) else value
        for name, value in argument.items()
    }


def _is_column(name: str) -> bool:
    return name.endswith("_column") or name in _COLUMNS


def _naming(test: Test, columns: tuple[Column, ...], warehouse: Warehouse) -> Naming:
    """Return how columns are found, as one writes them for the macros to fold."""
    find = naming_in(test, columns, warehouse)

    def naming(name: str) -> str:
        found = find(name)
        if stored_name(found, warehouse.dialect) == found:
            return found
        return '"' + found.replace('"', '""') + '"'

    return naming
