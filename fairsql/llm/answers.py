"""The table of answers: which it has, and how others come into it once, by way of the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsql.compile import relation
from fairsql.history import Keeping, storable_text
from fairsql.llm.rows import is_there
from fairsql.llm.table import check_name, keeping, rows_with

if TYPE_CHECKING:
    from fairsql.llm.journal import Journal
    from fairsql.warehouses import Warehouse

ANSWER_COLUMNS: Mapping[str, str] = {
    "answer": "text",
    "error": "text",
    "provider": "text",
    "model": "text",
    "parameters": "text",
    "request_hash": "text",
    "input_tokens": "integer",
    "output_tokens": "integer",
    "seconds": "number",
    "answered_at": "text",
}
"""Column that an answer adds to those of its prompt -> its kind."""

PromptRow = Mapping[str, str | None]
"""A prompt, with all columns of its file."""

FREE: Mapping[str, Any] = {"input_tokens": 0, "output_tokens": 0, "seconds": None}
"""What a further row with an answer that was paid for cost."""


def answers_kept_in(warehouse: Warehouse, table: str) -> Keeping:
    """Return a warehouse as one that a table of answers can be kept in.

    Raises
    ------
    ConfigurationError
        When no table outlasts the run there, or its name is no plain one.
    """
    check_name(table, "answers", warehouse)
    return keeping(warehouse, "answers", "give")


class Answers:
    """The table, and the journal of what is on its way there.

    Attributes
    ----------
    answers
        Hash of a question -> the columns of its answer, one that is there before one that failed.
    """

    def __init__(self, warehouse: Keeping, table: str, journal: Journal) -> None:
        self.answers: dict[str, dict[str, Any]] = {}
        self.journal = journal
        self._present: set[tuple[str, str]] = set()
        self._warehouse = warehouse
        self._table = table
        self._source = relation(table, warehouse.dialect, "answers")

    def look(self, hashes: Iterable[str]) -> None:
        """Find the answers that the table has to questions, by their hashes."""
        if not is_there(self._source, self._warehouse):
            return
        names = ("prompt_id", *ANSWER_COLUMNS)
        for row in rows_with(hashes, "request_hash", names, self._source, self._warehouse):
            one = str(row["request_hash"])
            self._present.add((str(row["prompt_id"]), one))
            if one not in self.answers or self.answers[one]["answer"] is None:
                self.answers[one] = {name: row[name] for name in ANSWER_COLUMNS}

    def recover(self) -> None:
        """Put what an earlier run left in the journal into the table."""
        kept = list(self.journal.judgements)
        if not kept:
            return
        self.look({str(record["input_hash"]) for record in kept})
        self.append([row for record in kept for row in record["rows"] if self._lacks(row)])
        asyncio.run(self.journal.written(len(kept)))

    def copies(self, wanted: Mapping[str, Sequence[PromptRow]]) -> list[dict[str, Any]]:
        """Return rows for prompts that have none and whose answer is there: they cost nothing."""
        return [
            {**row, **self.answers[one], **FREE}
            for one, own in wanted.items()
            if one in self.answers
            for row in own
            if (str(row["prompt_id"]), one) not in self._present
        ]

    def append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Put rows into the table."""
        if not rows:
            return
        kinds: dict[str, str] = {}
        for row in rows:
            kinds.update({name: _kind(name) for name in row if name not in ANSWER_COLUMNS})
        kinds.update(ANSWER_COLUMNS)
        kept = [{name: _storable(row.get(name), kinds[name]) for name in kinds} for row in rows]
        self._warehouse.append(self._table, kinds, kept)
        self._present |= {(str(row["prompt_id"]), str(row["request_hash"])) for row in rows}

    def _lacks(self, row: Mapping[str, Any]) -> bool:
        return (str(row["prompt_id"]), str(row["request_hash"])) not in self._present


def _kind(name: str) -> str:
    return "integer" if name == "repeat" else "text"


def _storable(value: Any, kind: str) -> Any:
    """Return a value as a column of its kind holds it."""
    if kind == "integer" and isinstance(value, str):
        return int(value) if value.strip().isdigit() else None
    return storable_text(value)
