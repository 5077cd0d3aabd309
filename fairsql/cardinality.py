"""Attributes of very many values: found in a few rows, and counted, before they are paid for.

An identifier that is taken for a protected attribute would have a scan compute every statistic for
each of its values, in all tests of the scan. So a *look* at the first rows goes before a scan; cuts
that show more than 1,000 combinations there are counted exactly, by a statement that does no more;
and of those that truly have so many groups the scan computes the whole alone, which is all that a
skipped test shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fairsql.compile import Statement, compile_count, compile_look
from fairsql.errors import TooLateError, WarehouseError
from fairsql.plan import Attribute, Cut, Input, Measure, Scan
from fairsql.reasons import MAX_GROUPS

if TYPE_CHECKING:
    from fairsql.warehouses import Answer, Warehouse

ROWS_LOOKED_AT = 100_000
"""Rows that a look reads at most, after the filter."""

# Kinds of so few values that a cut of several attributes of them is small.
_VALUES = {"boolean": 3, "constant": 1}

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Count:
    """A statement that counts the groups of some cuts of a scan; ``cuts`` are their numbers."""

    statement: Statement
    cuts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Counted:
    """What a cut was counted to have, in one window or in all rows."""

    groups: int
    evaluated: int


@dataclass(frozen=True)
class Findings:
    """What is known before a scan: the counts of the cuts that have too many groups.

    ``too_many`` has the windows of each such cut. ``too_late`` is why the cuts ``unknown`` were not
    counted: there was no time for it, and so there is none for a scan that has to do more.
    """

    counts: tuple[Count, ...] = ()
    query_ids: tuple[str | None, ...] = ()
    too_many: Mapping[int, Mapping[int, Counted]] = field(default_factory=dict)
    too_late: TooLateError | None = None
    unknown: tuple[int, ...] = ()

    def of(self, cuts: Collection[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the SQL of the counts that some cuts rest on, and the warehouse's ids of them."""
        own = {number for number in cuts if number in self.too_many}
        asked = [
            (count.statement.sql, query_id)
            for count, query_id in zip(self.counts, self.query_ids, strict=True)
            if own & {number for numbers in count.cuts for number in numbers}
        ]
        return tuple(sql for sql, _ in asked), tuple(id_ for _, id_ in asked if id_)


NOTHING = Findings()


def findings(scan: Scan, warehouse: Warehouse, ask: Callable[[Statement], Answer]) -> Findings:
    """Look at a scan's relation, and count where that shows very many values.

    A warehouse that says no leaves the scan as it is, which tells why by itself. ``ask`` runs a
    statement.
    """
    look = look_of(scan, warehouse)
    if look is None:
        return NOTHING
    try:
        suspected = suspects(scan, ask(look).rows)
    except WarehouseError:
        return NOTHING
    counts, query_ids = [], []
    found: dict[int, dict[int, Counted]] = {}
    for count in counts_of(scan, suspected, warehouse.dialect):
        counts.append(count)
        try:
            answer = ask(count.statement)
        except TooLateError as error:
            return Findings((count,), (None,), too_late=error, unknown=suspected)
        except WarehouseError:
            return NOTHING
        query_ids.append(answer.query_id)
        found.update(counted_in(count, answer.rows))
    too_many = {number: windows for number, windows in found.items() if has_too_many(windows)}
    return Findings(tuple(counts), tuple(query_ids), too_many)


def put_into(rows: Mapping[int, Sequence[dict[str, Any]]], found: Findings, cuts: int) -> set[int]:
    """Give the wholes of a scan of so many cuts their numbers of groups.

    Returns
    -------
    set of int
        The cuts that did not evaluate the rows that were counted: the relation has changed.
    """
    changed = set()
    for cut, windows in found.too_many.items():
        for window, counted in windows.items():
            place = cut + (window - 1) * cuts
            for row in rows.get(place, ()):
                row["groups_total"] = counted.groups
            if [row["evaluated"] for row in rows.get(place, ())] != [counted.evaluated]:
                changed.add(place)
    return changed


def look_of(scan: Scan, warehouse: Warehouse) -> Statement | None:
    """Return the look that goes before a scan, or nothing where it cannot help or is not cheap.

    A select in parentheses is not looked at: it may sort or join before its first row is there.
    """
    if not getattr(warehouse, "looks_first", False) or scan.relation.startswith("("):
        return None
    combinations = _combinations(scan)
    if not combinations:
        return None
    places = _places(number for numbers in combinations for number in numbers)
    looked_at = Scan(
        scan.relation,
        scan.where,
        tuple(scan.attributes[number - 1] for number in places),
        (),
        (),
        tuple(Cut(0, tuple(map(places.__getitem__, numbers)), ()) for numbers in combinations),
        {},
    )
    return compile_look(looked_at, warehouse.dialect, ROWS_LOOKED_AT)


def suspects(scan: Scan, rows: Sequence[Row]) -> tuple[int, ...]:
    """Return the cuts of a scan whose attributes have too many combinations in a look's rows."""
    combinations = _combinations(scan)
    many = {combinations[row["cut"] - 1] for row in rows if row["combinations"] > MAX_GROUPS}
    return tuple(number for number, cut in enumerate(scan.cuts, 1) if cut.attributes in many)


def counts_of(scan: Scan, cuts: Collection[int], dialect: str) -> Iterator[Count]:
    """Yield a statement for each choice of attributes, which counts the groups of its cuts.

    Cuts that evaluate the same rows are counted as one, whatever they measure of them.
    """
    for combination in dict.fromkeys(scan.cuts[number - 1].attributes for number in cuts):
        own = [number for number in cuts if scan.cuts[number - 1].attributes == combination]
        yield _count(scan, combination, own, dialect)


def counted_in(count: Count, rows: Sequence[Row]) -> dict[int, dict[int, Counted]]:
    """Return cut -> window, from 1 -> what was counted there, from the rows of a statement."""
    found: dict[int, dict[int, Counted]] = {}
    for row in rows:
        for place, numbers in enumerate(count.cuts, 1):
            for number in numbers:
                own = Counted(row[f"groups_{place}"], row[f"rows_{place}"])
                found.setdefault(number, {})[row.get("window_number", 1)] = own
    return found


def has_too_many(windows: Mapping[int, Counted]) -> bool:
    """Return whether no window of a cut is to be compared, since each that has groups has many."""
    totals = [counted.groups for counted in windows.values() if counted.groups]
    return bool(totals) and min(totals) > MAX_GROUPS


def narrowed(scan: Scan, too_many: Collection[int]) -> Scan:
    """Return the scan with cuts that have too many groups asked for their whole alone.

    Cuts keep their numbers. An attribute of theirs that no other cut has is read as whether it is
    missing, so that its values are not told apart.
    """
    kept = {
        attribute
        for number, cut in enumerate(scan.cuts, 1)
        if number not in too_many
        for attribute in cut.attributes
    }
    listed: dict[int, dict[str, None]] = {}
    for number in too_many:
        cut = scan.cuts[number - 1]
        for attribute in cut.attributes:
            listed.setdefault(attribute, {}).update(dict.fromkeys(cut.missing_values))
    return replace(
        scan,
        attributes=tuple(
            attribute
            if number in kept or attribute.kind == "constant"
            else replace(attribute, told_apart=tuple(listed.get(number, ())))
            for number, attribute in enumerate(scan.attributes, 1)
        ),
        cuts=tuple(
            replace(cut, too_many_groups=number in too_many)
            for number, cut in enumerate(scan.cuts, 1)
        ),
    )


def _combinations(scan: Scan) -> list[tuple[int, ...]]:
    """Return the choices of attributes that may have too many values, in order of first use."""
    found = []
    for numbers in dict.fromkeys(cut.attributes for cut in scan.cuts):
        most = 1
        for number in numbers:
            most *= _VALUES.get(scan.attributes[number - 1].kind or "", MAX_GROUPS + 1)
        if most > MAX_GROUPS:
            found.append(numbers)
    return found


def _count(scan: Scan, combination: tuple[int, ...], numbers: Sequence[int], dialect: str) -> Count:
    inputs: dict[Input, int] = {}
    measures: dict[Measure, int] = {}
    cuts: dict[Cut, list[int]] = {}
    places = _places(combination)
    for number in numbers:
        cut = scan.cuts[number - 1]
        measure = _evaluated(scan, scan.measures[cut.measure - 1], inputs)
        alike = Cut(
            measures.setdefault(measure, len(measures) + 1),
            tuple(map(places.__getitem__, combination)),
            cut.missing_values,
            cut.ends_in_class,
        )
        cuts.setdefault(alike, []).append(number)
    attributes: tuple[Attribute, ...] = tuple(scan.attributes[number - 1] for number in places)
    counting = replace(
        scan,
        attributes=attributes,
        inputs=tuple(inputs),
        measures=tuple(measures),
        cuts=tuple(cuts),
        cuts_of={
            name: own
            for name, of_test in scan.cuts_of.items()
            if (own := tuple(number for number in of_test if number in numbers))
        },
    )
    header = [f"groups counted before the scan: {name}" for name in counting.cuts_of]
    return Count(compile_count(counting, dialect, header), tuple(map(tuple, cuts.values())))


def _evaluated(scan: Scan, measure: Measure, inputs: dict[Input, int]) -> Measure:
    """Return what says which rows a measure evaluates, and nothing else of it."""

    def numbered(number: int) -> int:
        return inputs.setdefault(scan.inputs[number - 1], len(inputs) + 1)

    of_pair = measure.quantity == "semantic_similarity"  # two texts may have none
    numbers = tuple(map(numbered, measure.inputs))
    return Measure(
        family="rows",
        quantity=measure.quantity if of_pair else "row",
        inputs=numbers if of_pair else tuple(sorted(numbers)),
        label=None,
        probability=False,
        squared=False,
        weight=None if measure.weight is None else numbered(measure.weight),
    )


def _places(numbers: Collection[int] | Iterator[int]) -> dict[int, int]:
    """Return number -> its place among the distinct ones, from 1."""
    return {number: place for place, number in enumerate(dict.fromkeys(numbers), 1)}
