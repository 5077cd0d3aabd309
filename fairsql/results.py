"""What a run brings back: frozen records in the shape of the results file.

Undefined is ``None``, never NaN; every record prints and converts with :func:`to_dict`.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from fairsql.frames import GroupsField
from fairsql.views import RunViews, TestViews

Status = Literal["passed", "failed", "skipped", "error"]
Outcome = Literal["passed", "failed", "skipped", "error", "illustrative"]
Key = Mapping[str, str]

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class GroupStatistics:
    """One group as the warehouse returns it: its key, attribute by attribute, and numbers."""

    key: tuple[str, ...]
    values: Mapping[str, Any]


@dataclass(frozen=True)
class TestStatistics:
    """What a scan brings back for one test: a row for the whole, and one a group."""

    __test__ = False  # pytest: a record, not a test case

    whole: Mapping[str, Any]
    groups: tuple[GroupStatistics, ...]


@dataclass(frozen=True)
class Rows:
    """Row counts of the relation after ``where``; ``None`` where no scan could count."""

    total: int | None = None
    missing_metric_inputs: int | None = None
    missing_attribute: int | None = None
    evaluated: int | None = None


@dataclass(frozen=True)
class Comparison:
    """What the groups are compared with: a reference group, or all evaluated rows."""

    kind: Literal["reference", "overall"]
    key: Key | None
    value: float | None


@dataclass(frozen=True)
class ThresholdResult:
    """One threshold with the measurement it observed; ``passed`` is ``None`` on a null one."""

    measurement: str
    operator: str
    value: float
    observed: float | int | None
    passed: bool | None


@dataclass(frozen=True)
class GroupResult:
    """One group: its statistics, its value and how it compares.

    ``rows`` counts evaluated rows, ``share`` is their part of all evaluated rows, and
    ``denominator`` the number the value rests on. Under ``suppressed`` every count and number
    is ``None``; the verdict's flags stay. ``rows_sql`` is the SELECT of the group's rows, where the
    warehouse's columns were known; a suppressed group has none. ``metric``, ``stratum`` and
    ``positive_class`` say which part of a test of several parts the group belongs to.
    ``value_bounds`` are the least and the greatest that the exact value can be, where ``value`` is
    computed approximately.
    """

    key: Key
    rows: int | None
    missing_metric_inputs: int | None
    share: float | None
    sufficient: bool
    value: float | None
    value_reason: str | None
    denominator: int | float | None
    statistics: Mapping[str, Any] | None
    suppressed: bool
    confidence_interval: tuple[float | None, float | None] | None
    ratio: float | None
    difference: float | None
    is_reference: bool
    worse: bool
    p_value: float | None
    p_value_adjusted: float | None
    significant: bool
    failed: bool
    rows_sql: str | None = None
    metric: str | None = None
    stratum: Key | None = None
    positive_class: str | None = None
    value_bounds: tuple[float, float] | None = None


@dataclass(frozen=True)
class Metric:
    """What a reader needs to know of a test's metric: its name in words, and what is better."""

    label: str
    higher_is_better: bool
    name: str = ""


@dataclass(frozen=True)
class PartResult:
    """One part of a test of several: a metric, a stratum or a class, with its own comparison.

    ``metric`` is its name in the catalogue, and ``reason`` why the part has no verdict.
    """

    metric: str
    label: str
    higher_is_better: bool
    stratum: Key | None
    positive_class: str | None
    overall_value: float | None
    comparison: Comparison | None
    measurements: Mapping[str, float | int | None]
    groups_total: int | None
    reason: str | None
    message: str | None

    @property
    def place(self) -> str:
        """The class and the stratum in words; empty where a part is told by its metric alone."""
        places = [f"{name} {value}" for name, value in (self.stratum or {}).items()]
        classes = [] if self.positive_class is None else [f"class {self.positive_class}"]
        return ", ".join([*classes, *places])


@dataclass(frozen=True)
class PooledResult:
    """A group against the reference, pooled over strata.

    ``value`` is the group's rate over all strata together, which strata may turn round.
    ``reference`` is the other group, ``None`` where it is all other rows. ``odds_ratio`` and the
    p-values are Mantel and Haenszel's.
    """

    key: Key
    reference: Key | None
    value: float
    reference_value: float
    odds_ratio: float | None
    p_value: float | None
    p_value_adjusted: float | None


@dataclass(frozen=True)
class Window:
    """Which rows a test looked at: those that happened at its start or later, and before its end.

    ``start`` and ``end`` are UTC in ISO 8601.
    """

    start: str
    end: str
    timestamp_column: str


@dataclass(frozen=True)
class TestResult(TestViews):
    """The verdict of one test with everything it rests on.

    ``approximate`` says that p-values and intervals are, since rows are weighted; or that values
    are, by ``auc_method: binned`` or ``quantile_method: approximate``. ``overall_bounds`` are then
    the least and the greatest that the exact ``overall_value`` can be.

    ``intervals`` maps measurements to their intervals, where these have any. ``illustrative`` says
    that the test was told to judge samples too small to be evidence.
    """

    __test__ = False  # pytest: a record, not a test case

    name: str
    type: str
    relation: str
    status: Status
    reason: str | None
    message: str | None
    notes: tuple[str, ...]
    parameters: Mapping[str, Any]
    rows: Rows
    overall_value: float | None
    comparison: Comparison | None
    measurements: Mapping[str, float | int | None]
    thresholds: tuple[ThresholdResult, ...]
    groups_total: int | None
    groups: GroupsField = GroupsField()  # noqa: RUF009 - a descriptor, and no default
    sql: tuple[str, ...] = ()
    query_ids: tuple[str, ...] = ()
    elapsed_seconds: float = 0.0
    metric: Metric | None = None
    window: Window | None = None
    approximate: bool = False
    parts: tuple[PartResult, ...] = ()
    pooled: tuple[PooledResult, ...] = ()
    facet: str | None = None
    overall_bounds: tuple[float, float] | None = None
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    illustrative: bool = False

    def facets(self) -> tuple[TestResult, ...]:
        """Return the test part by part, each as a test of one metric; itself where it is one.

        Each has the groups, the comparison and the measurements of its part; the status, the
        thresholds and the notes are the whole test's, and ``facet`` is what tells the part from the
        others: its metric where there are several, its class and its stratum.
        """
        if not self.parts:
            return (self,)
        one_metric = len({part.metric for part in self.parts}) == 1
        return tuple(
            self._facet(
                part,
                ", ".join(
                    filter(None, ["" if one_metric and part.place else part.label, part.place])
                ),
            )
            for part in self.parts
        )

    def _facet(self, part: PartResult, title: str) -> TestResult:
        place = (part.metric, part.stratum, part.positive_class)
        own = (g for g in self.groups if (g.metric, g.stratum, g.positive_class) == place)
        return replace(
            self,
            metric=Metric(part.label, part.higher_is_better, part.metric),
            overall_value=part.overall_value,
            overall_bounds=None,
            comparison=part.comparison,
            measurements=part.measurements,
            groups_total=part.groups_total,
            groups=tuple(own),
            parts=(),
            pooled=(),
            facet=title,
        )

    @property
    def passed(self) -> bool:
        """True only for the status ``passed``: a skipped test has not passed."""
        return self.status == "passed"


@dataclass(frozen=True)
class Run(RunViews):
    """The results of a suite on one warehouse. Times are UTC in ISO 8601.

    ``suite`` is the file it was read from, and ``software`` maps what computed the results to its
    version.
    """

    tests: tuple[TestResult, ...]
    fairsql_version: str
    started_at: str
    finished_at: str
    dialect: str
    warehouse_name: str
    scans: int
    suite: str | None = None
    warehouse_version: str | None = None
    software: Mapping[str, str] = field(default_factory=dict)

    def count(self, status: Status) -> int:
        """Return how many tests ended with this status."""
        return sum(test.status == status for test in self.tests)

    def outcomes(self) -> Mapping[Outcome, int]:
        """Return how many tests came to what; an illustrative one neither passed nor failed."""
        return Counter(outcome(test) for test in self.tests)

    @property
    def passed(self) -> bool:
        """True when every test passed; a skipped one is not a pass."""
        return all(test.passed for test in self.tests)

    @property
    def suite_sha256(self) -> str:
        """The SHA-256 of what was asked: the same for the same tests, however they are written.

        It is the digest, in hexadecimal, of compact JSON with sorted keys: a list that has the
        name, type, relation, parameters and thresholds of each test as they stand in the results
        file, but of a threshold measurement, operator and value alone. A test that was run for
        several windows is in it once.
        """
        once = {test.name if test.window else place: test for place, test in enumerate(self.tests)}
        asked = [
            {
                "name": test.name,
                "type": test.type,
                "relation": test.relation,
                "parameters": dict(test.parameters),
                "thresholds": [
                    {"measurement": one.measurement, "operator": one.operator, "value": one.value}
                    for one in test.thresholds
                ],
            }
            for test in once.values()
        ]
        text = json.dumps(asked, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()

    def exit_code(self, *, allow_skips: bool = False) -> int:
        """Return the command line's exit code: 4 error, 1 failed, 3 skipped, 0 all passed.

        An illustrative result neither passes nor fails: it is 3, whatever skips may be.
        """
        if self.count("error"):
            return 4
        illustrative = [is_illustrative(test) for test in self.tests]
        verdicts = zip(self.tests, illustrative, strict=True)
        if any(test.status == "failed" and not is_one for test, is_one in verdicts):
            return 1
        if any(illustrative) or (self.count("skipped") and not allow_skips):
            return 3
        return 0

    def to_dict(self) -> dict[str, Any]:
        """Return the results file as plain Python values."""
        return {
            "schema_version": SCHEMA_VERSION,
            "fairsql_version": self.fairsql_version,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "suite": self.suite,
            "suite_sha256": self.suite_sha256,
            "software": dict(self.software),
            "warehouse": {
                "dialect": self.dialect,
                "name": self.warehouse_name,
                "version": self.warehouse_version,
            },
            "summary": {
                "passed": self.count("passed"),
                "failed": self.count("failed"),
                "skipped": self.count("skipped"),
                "error": self.count("error"),
                "scans": self.scans,
            },
            "tests": [to_dict(test) for test in self.tests],
        }

    def to_json(self) -> str:
        """Return the results file: standard JSON, floats in full precision, no NaN."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)


def is_illustrative(test: TestResult) -> bool:
    """Return whether a result shows how a test works and is no evidence: samples are too small.

    Tests whose samples may be of any size set ``illustrative``; a skipped one has no number at all.
    """
    return test.illustrative and test.status in ("passed", "failed")


def outcome(test: TestResult) -> Outcome:
    """Return what a test came to: its status, unless its verdict is illustrative."""
    return "illustrative" if is_illustrative(test) else test.status


def to_dict(test: TestResult) -> dict[str, Any]:
    """Return one test's result as plain Python values, keys as in the results file."""
    return {
        "name": test.name,
        "type": test.type,
        "relation": test.relation,
        "window": None if test.window is None else dict(vars(test.window)),
        "status": test.status,
        "reason": test.reason,
        "message": test.message,
        "notes": list(test.notes),
        "metric": None if test.metric is None else dict(vars(test.metric)),
        "approximate": test.approximate,
        "illustrative": test.illustrative,
        "parameters": dict(test.parameters),
        "rows": dict(vars(test.rows)),
        "overall": {"value": test.overall_value, "bounds": _pair(test.overall_bounds)},
        "comparison": None if test.comparison is None else dict(vars(test.comparison)),
        "measurements": dict(test.measurements),
        "intervals": {name: list(bounds) for name, bounds in test.intervals.items()},
        "thresholds": [dict(vars(threshold)) for threshold in test.thresholds],
        "groups_total": test.groups_total,
        "parts": [_part(part) for part in test.parts],
        "pooled": [_pooled(pooled) for pooled in test.pooled],
        "groups": [_group(group) for group in test.groups],
        "sql": list(test.sql),
        "query_ids": list(test.query_ids),
        "elapsed_seconds": test.elapsed_seconds,
    }


def _pooled(pooled: PooledResult) -> dict[str, Any]:
    reference = pooled.reference
    return {
        **vars(pooled),
        "key": dict(pooled.key),
        "reference": None if reference is None else dict(reference),
    }


def _part(part: PartResult) -> dict[str, Any]:
    return {
        **vars(part),
        "stratum": None if part.stratum is None else dict(part.stratum),
        "comparison": None if part.comparison is None else dict(vars(part.comparison)),
        "measurements": dict(part.measurements),
    }


def _group(group: GroupResult) -> dict[str, Any]:
    return {
        **vars(group),
        "key": dict(group.key),
        "stratum": None if group.stratum is None else dict(group.stratum),
        "statistics": None if group.statistics is None else dict(group.statistics),
        "confidence_interval": _pair(group.confidence_interval),
        "value_bounds": _pair(group.value_bounds),
    }


def _pair(pair: tuple[float | None, float | None] | None) -> list[float | None] | None:
    return None if pair is None else list(pair)
