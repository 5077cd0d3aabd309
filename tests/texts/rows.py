"""A statement that returns the quantities of each row, by the macros that a scan uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsql.compile.loader import macros_for
from fairsql.metrics import TEXT_METRICS

TEXTS = tuple(name for name, metric in TEXT_METRICS.items() if len(metric.inputs) == 2)[:-1]


def row_sql(
    dialect: str,
    relation: str,
    metrics: Sequence[str],
    columns: Sequence[str],
    kind: str | None = "text",
) -> str:
    """Return SQL of a row a row of the relation: its ``id`` and each metric of its columns."""
    call = macros_for(dialect).call
    roles = TEXT_METRICS[metrics[0]].inputs.values()
    inputs: list[Mapping[str, Any]] = [
        {"column": column, "kind": kind, "role": role}
        for column, role in zip(columns, roles, strict=False)
    ]
    numbers = list(range(1, len(inputs) + 1))
    measures = [{"quantity": TEXT_METRICS[name].quantity, "inputs": numbers} for name in metrics]
    source = ["id"] + [
        f"{call('text_input', call('read_column', item['column'], kind), item)} as input_{number}"
        for number, item in enumerate(inputs, 1)
    ]
    quantities = ["id"] + [
        f"{call('text_quantity', measure)} as {name}"
        for name, measure in zip(metrics, measures, strict=True)
    ]
    place = call("source_of_texts", {"measures": measures})
    return (
        f"with source as (select {', '.join(source)} from {relation})\n"
        f"select {', '.join(quantities)} from {place}"
    )
