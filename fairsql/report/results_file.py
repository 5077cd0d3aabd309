"""The results file read back: from JSON to the records that a run had, or a clear complaint."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn, get_args

from fairsql.errors import ConfigurationError
from fairsql.records import COLUMNS, MAX_ATTRIBUTES
from fairsql.report.nodes import Node, short
from fairsql.results import (
    SCHEMA_VERSION,
    Comparison,
    GroupResult,
    Metric,
    PartResult,
    PooledResult,
    Rows,
    Run,
    Status,
    TestResult,
    ThresholdResult,
    Window,
)
from fairsql.version import __version__


def _text_or_null(node: Node) -> str | None:
    return node.maybe(Node.text)


def _not_negative(node: Node) -> float:
    return node.number("a number of at least 0", lambda value: value >= 0)


def _list(node: Node) -> list[Any]:
    return [item.scalar() for item in node.items()]


# Parameter -> how it is checked; those that a later version adds may be anything.
_PARAMETERS: Mapping[str, Callable[[Node], object]] = {
    **dict.fromkeys(
        ("where", "score_column", "probability_column", "prediction_column", "ground_truth_column",
         "value_column", "outcome_column", "output_column", "reference_column", "latency_column",
         "tokens_column", "average", "timestamp_column", "weight_column"),
        _text_or_null,
    ),
    **dict.fromkeys(
        ("parity_metric", "comparison", "reference_strategy", "significance_test",
         "p_value_adjustment", "statistic", "operator", "auc_method", "quantile_method"),
        Node.text,
    ),
    "stratify_by_columns": lambda node: _texts(node),
    "performance_metrics": lambda node: _texts(node),
    "favorable_values": lambda node: _list(node),
    "decision_threshold": lambda node: node.maybe(Node.number),
    "value": Node.number,
    "per_class": Node.flag,
    "filters": lambda node: [item.fields(Node.anything) for item in node.items()],
    "evaluation_window": lambda node: node.maybe(lambda found: found.count(least=1)),
    "delay_window": Node.count,
    "protected_attribute_columns": lambda node: node.sized(MAX_ATTRIBUTES) and _texts(node),
    "positive_values": lambda node: node.maybe(_list),
    "missing_attribute_values": _list,
    "reference_value": lambda node: node.maybe(Node.scalar),
    "higher_is_better": lambda node: node.maybe(Node.flag),
    "require_significance": Node.flag,
    "min_ratio": lambda node: node.number("above 0 and at most 1", lambda value: 0 < value <= 1),
    "max_difference": lambda node: node.maybe(_not_negative),
    "alpha": lambda node: node.number("a number between 0 and 1", lambda value: 0 < value < 1),
    "min_group_size": lambda node: node.count(least=1),
    "min_group_share": Node.share,
    "min_reported_rows": lambda node: node.count(least=1),
}  # fmt: skip
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "group_metric_parity": ("protected_attribute_columns", "parity_metric"),
    "group_column_statistic": ("protected_attribute_columns", "statistic", "operator", "value"),
}
"""What a report needs to know of a test of a kind."""
_NUMBERS_OF_A_GROUP = (
    "rows", "missing_metric_inputs", "share", "value", "denominator", "statistics",
    "confidence_interval", "ratio", "difference", "p_value", "p_value_adjusted", "rows_sql",
    "value_bounds",
)  # fmt: skip
_ALWAYS_KNOWN = ("rows", "missing_metric_inputs", "share", "statistics")


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
    return _run(Node(value, place))


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
            f"{place}: schema_version is {short(version)}, and fairsql {__version__} reads"
            f" {SCHEMA_VERSION}."
        )


def _run(node: Node) -> Run:
    warehouse = node["warehouse"]
    return Run(
        tests=tuple(_test(test) for test in node["tests"].items()),
        fairsql_version=node["fairsql_version"].text(),
        started_at=node["started_at"].moment(),
        finished_at=node["finished_at"].moment(),
        dialect=warehouse["dialect"].text(),
        warehouse_name=warehouse["name"].text(),
        scans=node["summary"]["scans"].count(),
        suite=node.get("suite").maybe(Node.text),
        warehouse_version=warehouse.get("version").maybe(Node.text),
        software=node.get("software").maybe(lambda found: found.fields(Node.text)) or {},
    )


def _test(node: Node) -> TestResult:
    return TestResult(
        name=node["name"].text(),
        type=node["type"].text(),
        relation=node["relation"].text(),
        status=node["status"].among(get_args(Status)),
        reason=node["reason"].maybe(Node.text),
        message=node["message"].maybe(Node.text),
        notes=_texts(node["notes"]),
        parameters=_parameters(node),
        rows=_rows(node["rows"]),
        overall_value=node["overall"]["value"].maybe(Node.number),
        comparison=node["comparison"].maybe(_comparison),
        measurements=_measurements(node["measurements"]),
        thresholds=tuple(_threshold(limit) for limit in node["thresholds"].items()),
        groups_total=node["groups_total"].maybe(Node.count),
        groups=_groups(node["groups"]),
        sql=_texts(node["sql"]),
        query_ids=node.get("query_ids").maybe(_texts) or (),
        elapsed_seconds=_not_negative(node["elapsed_seconds"]),
        metric=node.get("metric").maybe(_metric),
        window=node.get("window").maybe(_window),
        approximate=node.get("approximate").maybe(Node.flag) or False,
        illustrative=node.get("illustrative").maybe(Node.flag) or False,
        intervals=node.get("intervals").maybe(lambda found: found.fields(_bounds)) or {},
        parts=node.get("parts").maybe(_parts) or (),
        pooled=node.get("pooled").maybe(_pools) or (),
        overall_bounds=node["overall"].get("bounds").maybe(_bounds),
    )


def _window(node: Node) -> Window:
    return Window(node["start"].moment(), node["end"].moment(), node["timestamp_column"].text())


def _parameters(test: Node) -> dict[str, Any]:
    node = test["parameters"]
    could_not_be_read = test["status"].value == "error" and test["groups"].value == []
    if could_not_be_read and not node.fields(Node.anything):
        return {}
    for name in _NEEDED.get(test["type"].text(), ()):
        _PARAMETERS[name](node[name])
    found = node.fields(Node.anything)
    for name, check in _PARAMETERS.items():
        if name in found:
            check(node[name])
    return found


def _measurements(node: Node) -> dict[str, float | None]:
    counts = {name for name in node.fields(Node.anything) if COLUMNS.get(name) == "integer"}
    for name in counts:
        node[name].maybe(Node.count)
    return node.fields(lambda found: found.maybe(Node.number))


def _texts(node: Node) -> tuple[str, ...]:
    return tuple(item.text() for item in node.items())


def _metric(node: Node) -> Metric:
    name = node.get("name").maybe(Node.text) or ""
    return Metric(node["label"].text(), node["higher_is_better"].flag(), name)


def _parts(node: Node) -> tuple[PartResult, ...]:
    return tuple(
        PartResult(
            metric=part["metric"].text(),
            label=part["label"].text(),
            higher_is_better=part["higher_is_better"].flag(),
            stratum=part["stratum"].maybe(_key),
            positive_class=part["positive_class"].maybe(Node.text),
            overall_value=part["overall_value"].maybe(Node.number),
            comparison=part["comparison"].maybe(_comparison),
            measurements=_measurements(part["measurements"]),
            groups_total=part["groups_total"].maybe(Node.count),
            reason=part["reason"].maybe(Node.text),
            message=part["message"].maybe(Node.text),
        )
        for part in node.items()
    )


def _pools(node: Node) -> tuple[PooledResult, ...]:
    return tuple(
        PooledResult(
            key=_key(pooled["key"]),
            reference=pooled["reference"].maybe(_key),
            value=pooled["value"].share(),
            reference_value=pooled["reference_value"].share(),
            odds_ratio=pooled["odds_ratio"].maybe(_not_negative),
            p_value=pooled["p_value"].maybe(Node.share),
            p_value_adjusted=pooled["p_value_adjusted"].maybe(Node.share),
        )
        for pooled in node.items()
    )


def _key(node: Node) -> dict[str, str]:
    """Return a group or a stratum; without attributes it is all rows together."""
    found = node.fields(Node.text)
    if found:
        node.sized(MAX_ATTRIBUTES)
    return found


def _rows(node: Node) -> Rows:
    names = ("total", "missing_metric_inputs", "missing_attribute", "evaluated")
    return Rows(*(node[name].maybe(Node.count) for name in names))


def _comparison(node: Node) -> Comparison:
    return Comparison(
        kind=node["kind"].among(("reference", "overall")),
        key=node["key"].maybe(_key),
        value=node["value"].maybe(Node.number),
    )


def _threshold(node: Node) -> ThresholdResult:
    return ThresholdResult(
        measurement=node["measurement"].text(),
        operator=node["operator"].text(),
        value=node["value"].number(),
        observed=node["observed"].maybe(Node.number),
        passed=node["passed"].maybe(Node.flag),
    )


def _groups(node: Node) -> tuple[GroupResult, ...]:
    groups = tuple(_group(item) for item in node.items())
    # All rows together, which some tests have besides groups, have no key.
    first = next((group.key for group in groups if group.key), {})
    for item, group in zip(node.items(), groups, strict=True):
        if group.key and set(group.key) != set(first):
            item["key"].complain(f"of {', '.join(first)}, as the first group's")
    return groups


def _group(node: Node) -> GroupResult:
    key = _key(node["key"])
    if node["suppressed"].flag():
        for name in _NUMBERS_OF_A_GROUP:
            if node.get(name).value is not None:
                node[name].complain("null in a group that is suppressed")
    else:
        counted = ("denominator",) if node["value"].value is not None else ()
        for name in (*_ALWAYS_KNOWN, *counted):
            if node[name].value is None:
                node[name].complain("there in a group that is not suppressed")
    return GroupResult(
        key=key,
        rows=node["rows"].maybe(Node.count),
        missing_metric_inputs=node["missing_metric_inputs"].maybe(Node.count),
        share=node["share"].maybe(Node.share),
        sufficient=node["sufficient"].flag(),
        value=node["value"].maybe(Node.number),
        value_reason=node["value_reason"].maybe(Node.text),
        denominator=node["denominator"].maybe(_not_negative),
        statistics=node["statistics"].maybe(_statistics),
        suppressed=node["suppressed"].flag(),
        confidence_interval=node["confidence_interval"].maybe(_interval),
        ratio=node["ratio"].maybe(Node.number),
        difference=node["difference"].maybe(Node.number),
        is_reference=node["is_reference"].flag(),
        worse=node["worse"].flag(),
        p_value=node["p_value"].maybe(Node.share),
        p_value_adjusted=node["p_value_adjusted"].maybe(Node.share),
        significant=node["significant"].flag(),
        failed=node["failed"].flag(),
        rows_sql=node.get("rows_sql").maybe(Node.text),
        metric=node.get("metric").maybe(Node.text),
        stratum=node.get("stratum").maybe(_key),
        positive_class=node.get("positive_class").maybe(Node.text),
        value_bounds=node.get("value_bounds").maybe(_bounds),
    )


def _statistics(node: Node) -> dict[str, float | None]:
    return node.fields(lambda found: found.maybe(Node.number))


def _bounds(node: Node) -> tuple[float, float]:
    bounds = [item.number() for item in node.items()]
    if len(bounds) != 2:
        raise ConfigurationError(f"{node.place}: must hold two bounds, but holds {len(bounds)}.")
    return bounds[0], bounds[1]


def _interval(node: Node) -> tuple[float | None, float | None]:
    bounds = [item.maybe(Node.number) for item in node.items()]
    if len(bounds) != 2:
        raise ConfigurationError(f"{node.place}: must hold two bounds, but holds {len(bounds)}.")
    return bounds[0], bounds[1]
