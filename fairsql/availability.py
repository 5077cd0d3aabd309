"""What a warehouse cannot compute: a fact of its dialect, or of the server behind a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairsql.compile.loader import macros_for
from fairsql.errors import WarehouseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairsql.metrics import Metric
    from fairsql.warehouses import Column, Warehouse


# Where a function takes embeddings of one type alone: the function and the type.
_EMBEDDING_TYPE = {"snowflake": ("vector_cosine_similarity()", "VECTOR")}


def lacks(metric: Metric, warehouse: Warehouse, columns: Sequence[Column]) -> str | None:
    """Return why a warehouse cannot compute a metric of columns, or nothing where it can.

    The sentence names the function, the version where that is at fault, and what would give it.
    A warehouse whose servers differ has a method ``lacks`` that takes a quantity's name; without a
    connection the newest version is assumed, which is what the dialect knows.
    """
    lacking = macros_for(warehouse.dialect).call("lacks", metric.quantity)
    if lacking is None and hasattr(warehouse, "lacks"):
        try:
            lacking = warehouse.lacks(metric.quantity)
        except WarehouseError:  # that it cannot be asked shows when the statement runs
            return None
    if lacking is None and "embedding" in metric.inputs.values():
        function, type_name = _EMBEDDING_TYPE.get(warehouse.dialect, ("", ""))
        others = [column for column in columns if type_name and column.type != type_name]
        if others:
            return (
                f"{function} takes columns of the type {type_name}, and column"
                f" {others[0].name!r} is {others[0].type}; cast it to {type_name} in a view"
            )
    return None if lacking is None else str(lacking)
