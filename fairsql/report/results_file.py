"""The results file read back: from JSON to the records that a run had, or a clear complaint."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_args

from fairsql.errors import ConfigurationError
from fairsql.results import (
    SCHEMA_VERSION,
    Comparison,
    GroupResult,
    Metric,
    Rows,
    Run,
    Status,
    TestResult,
    ThresholdResult,
)
from fairsql.version import __version__

_Value = TypeVar("_Value")
_MOST_SHOWN = 60  # characters of a wrong value


def load_run(path: str | Path) -> Run:
    """Return the run of a results file, as ``fairsql run --json`` writes it.

    Keys that this version does not know are left out, so that it reads what a later one adds.

    Raises
    ------
    ConfigurationError
        When the file cannot be read, holds something else, or is of another ``schema_version``.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: there is no such file.") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: is not text in UTF-8, so no results file.") from None
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}.") from None
    return parse_run(text, str(path))


def parse_run(text: str, place: str) -> Run:
    """Return the run that the text of a results file holds; ``place`` begins every complaint.

    Raises
    ------
    ConfigurationError
        As :func:`load_run`.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{place}: is not a results file: {error}.") from None
    _check_version(value, place)
    return _run(_Node(value, place))


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _check_version(value: Any, place: str) -> None:
    if not isinstance(value, dict) or "schema_version" not in value:
        raise ConfigurationError(
            f"{place}: is not a results file: it has no schema_version."
            " `fairsql run SUITE --json FILE` writes one."
        )
    version = value["schema_version"]
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise ConfigurationError(
            f"{place}: schema_version is {_short(version)}, and fairsql {__version__} reads"
            f" {SCHEMA_VERSION}."
        )


@dataclass(frozen=True)
class _Node:
    """A value of the file and where it stands."""

    value: Any
    place: str

    def __getitem__(self, name: str) -> _Node:
        """Return a field that must be there."""
        fields = self._of(dict, "an object")
        if name not in fields:
            raise ConfigurationError(f"{self.place}: lacks {name!r}.")
        return _Node(fields[name], f"{self.place}, {name}")

    def get(self, name: str) -> _Node:
        """Return a field, null where an older file lacks it."""
        return _Node(self._of(dict, "an object").get(name), f"{self.place}, {name}")

    def items(self) -> Iterator[_Node]:
        """Yield the items of a list."""
        for number, item in enumerate(self._of(list, "a list"), 1):
            yield _Node(item, f"{self.place} {number}")

    def fields(self, read: Callable[[_Node], _Value]) -> dict[str, _Value]:
        """Return an object's fields, each as ``read`` returns it."""
        return {name: read(self[name]) for name in self._of(dict, "an object")}

    def maybe(self, read: Callable[[_Node], _Value]) -> _Value | None:
        """Return what ``read`` returns, or ``None`` for null."""
        return None if self.value is None else read(self)

    def text(self) -> str:
        return str(self._of(str, "text"))

    def count(self) -> int:
        return int(self._of(int, "a whole number"))

    def number(self) -> float:
        number: float = self._of((int, float), "a number")
        if not math.isfinite(number):  # as JSON's 1e999 is read
            self._complain("a finite number")
        return number

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self._complain("true or false")
        return self.value

    def among(self, allowed: tuple[str, ...]) -> Any:
        if self.value not in allowed:
            self._complain(f"one of {', '.join(allowed)}")
        return self.value

    def _of(self, kind: type | tuple[type, ...], name: str) -> Any:
        if not isinstance(self.value, kind) or isinstance(self.value, bool):
            self._complain(name)
        return self.value

    def _complain(self, allowed: str) -> NoReturn:
        raise ConfigurationError(f"{self.place}: must be {allowed}, but is {_short(self.value)}.")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"


def _run(node: _Node) -> Run:
    warehouse = node["warehouse"]
    return Run(
        tests=tuple(_test(test) for test in node["tests"].items()),
        fairsql_version=node["fairsql_version"].text(),
        started_at=node["started_at"].text(),
        finished_at=node["finished_at"].text(),
        dialect=warehouse["dialect"].text(),
        warehouse_name=warehouse["name"].text(),
        scans=node["summary"]["scans"].count(),
        suite=node.get("suite").maybe(_Node.text),
        warehouse_version=warehouse.get("version").maybe(_Node.text),
        software=node.get("software").maybe(lambda found: found.fields(_Node.text)) or {},
    )


def _test(node: _Node) -> TestResult:
    return TestResult(
        name=node["name"].text(),
        type=node["type"].text(),
        relation=node["relation"].text(),
        status=node["status"].among(get_args(Status)),
        reason=node["reason"].maybe(_Node.text),
        message=node["message"].maybe(_Node.text),
        notes=_texts(node["notes"]),
        parameters=node["parameters"].fields(lambda found: found.value),
        rows=_rows(node["rows"]),
        overall_value=node["overall"]["value"].maybe(_Node.number),
        comparison=node["comparison"].maybe(_comparison),
        measurements=node["measurements"].fields(lambda found: found.maybe(_Node.number)),
        thresholds=tuple(_threshold(limit) for limit in node["thresholds"].items()),
        groups_total=node["groups_total"].maybe(_Node.count),
        groups=tuple(_group(group) for group in node["groups"].items()),
        sql=_texts(node["sql"]),
        query_ids=node.get("query_ids").maybe(_texts) or (),
        elapsed_seconds=node["elapsed_seconds"].number(),
        metric=node.get("metric").maybe(_metric),
    )


def _texts(node: _Node) -> tuple[str, ...]:
    return tuple(item.text() for item in node.items())


def _metric(node: _Node) -> Metric:
    return Metric(node["label"].text(), node["higher_is_better"].flag())


def _rows(node: _Node) -> Rows:
    names = ("total", "missing_metric_inputs", "missing_attribute", "evaluated")
    return Rows(*(node[name].maybe(_Node.count) for name in names))


def _comparison(node: _Node) -> Comparison:
    return Comparison(
        kind=node["kind"].among(("reference", "overall")),
        key=node["key"].maybe(lambda found: found.fields(_Node.text)),
        value=node["value"].maybe(_Node.number),
    )


def _threshold(node: _Node) -> ThresholdResult:
    return ThresholdResult(
        measurement=node["measurement"].text(),
        operator=node["operator"].text(),
        value=node["value"].number(),
        observed=node["observed"].maybe(_Node.number),
        passed=node["passed"].maybe(_Node.flag),
    )


def _group(node: _Node) -> GroupResult:
    return GroupResult(
        key=node["key"].fields(_Node.text),
        rows=node["rows"].maybe(_Node.count),
        missing_metric_inputs=node["missing_metric_inputs"].maybe(_Node.count),
        share=node["share"].maybe(_Node.number),
        sufficient=node["sufficient"].flag(),
        value=node["value"].maybe(_Node.number),
        value_reason=node["value_reason"].maybe(_Node.text),
        denominator=node["denominator"].maybe(_Node.number),
        statistics=node["statistics"].maybe(_statistics),
        suppressed=node["suppressed"].flag(),
        confidence_interval=node["confidence_interval"].maybe(_interval),
        ratio=node["ratio"].maybe(_Node.number),
        difference=node["difference"].maybe(_Node.number),
        is_reference=node["is_reference"].flag(),
        worse=node["worse"].flag(),
        p_value=node["p_value"].maybe(_Node.number),
        p_value_adjusted=node["p_value_adjusted"].maybe(_Node.number),
        significant=node["significant"].flag(),
        failed=node["failed"].flag(),
        rows_sql=node.get("rows_sql").maybe(_Node.text),
    )


def _statistics(node: _Node) -> dict[str, float | None]:
    return node.fields(lambda found: found.maybe(_Node.number))


def _interval(node: _Node) -> tuple[float | None, float | None]:
    bounds = [item.maybe(_Node.number) for item in node.items()]
    if len(bounds) != 2:
        raise ConfigurationError(f"{node.place}: must hold two bounds, but holds {len(bounds)}.")
    return bounds[0], bounds[1]
