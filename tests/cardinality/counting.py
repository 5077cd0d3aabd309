"""Groups as they are counted before a scan, and as the scan itself counts them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fairsql.cardinality import counted_in, counts_of, narrowed
from fairsql.planning import plan_of, statement_of, when
from fairsql.results import to_dict
from fairsql.windows import now
from tests.dbt.rows import near

if TYPE_CHECKING:
    from fairsql.results import TestResult
    from fairsql.suite import Suite
    from fairsql.warehouses import Warehouse
    from fairsql.windows import Backfill

# Of a test that has too many groups no message shows these: what is ranked, and the extremes of a
# label, where 0.0 and -0.0 are equal and NaN may be the greatest.
NOT_SHOWN = (
    "concordant",
    "weighted_concordant",
    "distinct_values",
    "label_minimum",
    "label_maximum",
    "groups_total",
)


def told(result: TestResult) -> dict[str, Any]:
    """Return what does not depend on which statement it came from."""
    left_out = ("sql", "query_ids", "elapsed_seconds")
    return {name: value for name, value in to_dict(result).items() if name not in left_out}


def counting_differences(
    suite: Suite, warehouse: Warehouse, backfill: Backfill | None = None
) -> Iterator[str]:
    """Yield where the count, or the scan of wholes alone, is not what the scan of groups says.

    Every cut is counted, and taken to have too many groups, however few it has.
    """
    for statement in plan_of(suite, warehouse, *when(now(), None, backfill)).statements:
        scan, dialect = statement.scan, statement.dialect
        cuts = range(1, len(scan.cuts) + 1)
        wholes = _wholes(warehouse, statement.sql)
        for count in counts_of(scan, cuts, dialect):
            for cut, windows in counted_in(count, warehouse.run(count.statement.sql).rows).items():
                for window, counted in windows.items():
                    whole = wholes.get(cut + (window - 1) * len(cuts), NO_ROWS)
                    if (counted.groups, counted.evaluated) != (
                        whole["groups_total"],
                        whole["evaluated"],
                    ):
                        yield f"cut {cut}, window {window}: {counted}, not {whole}"
        alone = narrowed(scan, cuts)
        answer = warehouse.run(statement_of(alone, dialect).sql).rows
        yield from (f"a group: {row}" for row in answer if not row["is_whole"])
        found = {row["cut"]: row for row in answer}
        if found.keys() != wholes.keys():
            yield f"wholes of {sorted(found)}, not {sorted(wholes)}"
        for cut, whole in wholes.items():
            measure = scan.measures[scan.cuts[(cut - 1) % len(cuts)].measure - 1]
            left_out = {*NOT_SHOWN, "positives" if measure.family == "scoring" else ""}
            for name in (whole.keys() & found[cut].keys()) - left_out:
                if not _same(found[cut][name], whole[name]):
                    yield f"cut {cut} {name}: {found[cut][name]}, not {whole[name]}"


NO_ROWS = {"groups_total": 0, "evaluated": 0}


def _wholes(warehouse: Warehouse, sql: str) -> dict[int, dict[str, Any]]:
    return {row["cut"]: row for row in warehouse.run(sql).rows if row["is_whole"]}


def _same(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, float) and isinstance(theirs, float):  # sums of weights in another order
        return near(mine, theirs, relative=1e-9)
    return bool(mine == theirs)
