"""What a benchmark found: a table, and how it stands to the targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Cell = str | float | None
"""A table's cell: a number is in its column's unit; ``None`` is what was not measured."""


@dataclass(frozen=True)
class Target:
    """What was aimed at, and what came out.

    Attributes
    ----------
    what
        What is measured, in a few words.
    measured
        The number, or ``None`` where the work did not end in its time.
    limit
        The most it may be; ``None`` where no limit was set, and the number is there to be known.
    unit
        Of both: ``×``, ``s``, ``MB`` or ``rows``.
    """

    what: str
    measured: float | None
    limit: float | None
    unit: str

    @property
    def state(self) -> str:
        """``met``, ``missed``, or ``reported`` where there is no limit."""
        if self.limit is None:
            return "reported"
        return "met" if self.measured is not None and self.measured <= self.limit else "missed"


@dataclass(frozen=True)
class Section:
    """The table of one benchmark.

    Attributes
    ----------
    columns
        Header -> unit: ``text``, ``count``, ``s``, ``MB`` or ``×``.
    rows
        As many cells each as there are columns.
    checked
        How many numbers were compared, all of which agreed.
    conditions
        Where, when and with what it ran.
    """

    name: str
    columns: Mapping[str, str]
    rows: Sequence[Sequence[Cell]]
    targets: Sequence[Target] = ()
    checked: int = 0
    conditions: str = ""
    notes: Sequence[str] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the section as JSON has it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Section:
        """Return the section that JSON has."""
        return cls(**{**found, "targets": [Target(**target) for target in found["targets"]]})


def ratio(one: float | None, other: float | None) -> float | None:
    """Return how many times the other one is, where both are known.

    >>> ratio(3.0, 1.5), ratio(None, 1.5)
    (2.0, None)
    """
    return None if one is None or not other else one / other
