"""An Openlayer tests.json as tests of ours: each item becomes fields of a suite file, or a reason.

Nothing in one item stops another: an item that is wrong, or asks for what there is not yet, says so
under its own name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from fairsql.config.filters import LISTS, ORDERS, FilterOperator
from fairsql.config.messages import shown
from fairsql.config.tests_json_names import (
    FILTER_OPERATORS,
    IGNORED,
    INSIGHTS,
    JUDGED_METRICS,
    METRICS,
    READ,
    RUBRIC_TYPES,
    TYPES,
    snake_case,
)
from fairsql.config.values import WHITE_SPACE
from fairsql.errors import did_you_mean

Fields = Mapping[str, Any]

_OURS = ("name", "type", "relation", "where", "filters", "thresholds")
_THRESHOLD_KEYS = (
    "insightName",
    "insightParameters",
    "measurement",
    "operator",
    "value",
    "thresholdMode",
)
_FILTER_KEYS = ("measurement", "column", "operator", "value")
_DEEPEST = 20  # a test needs five levels; more is a mistake or an attack
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_OPERATORS = {
    **{name.replace("_", ""): name for name in get_args(FilterOperator)},
    **FILTER_OPERATORS,
}


@dataclass(frozen=True)
class Item:
    """A test that an item of the file asks for.

    Attributes
    ----------
    name, type
        The type is ours, or theirs where we have none like it.
    fields
        The test as a suite file would hold it, but for what the file does not say, such as the
        relation; ``None`` when it cannot run.
    message
        Why it cannot run.
    description
        What the file says about it.
    notes
        What a reader of its result should know: keys that were not read.
    """

    name: str
    type: str
    fields: Fields | None = None
    message: str | None = None
    description: str | None = None
    notes: tuple[str, ...] = ()


class _Unreadable(Exception):  # noqa: N818 - a reason, told under the item's name
    """Why an item cannot be read."""


def read_items(content: Sequence[Any]) -> list[Item]:
    """Return the tests of a tests.json, in its order.

    Thresholds with equal parameters form one test; further ones are called ``name [2]`` and so on.

    Parameters
    ----------
    content
        The array at the top of the file.

    Examples
    --------
    >>> limit = {"measurement": "biasMeanScore", "operator": "<=", "value": 0.2}
    >>> limits = [{"insightName": "llmBias", **limit}]
    >>> (item,) = read_items([{"name": "Bias", "thresholds": limits}])
    >>> item.type, item.fields["thresholds"][0]["measurement"]
    ('llm_bias', 'bias_mean_score')
    """
    items: list[Item] = []
    names: dict[str, int] = {}
    for number, written in enumerate(content, 1):
        for item in _items(written, number):
            first = names.setdefault(item.name, number)
            if first != number:
                item = _twin(item, first, number, names)
            items.append(item)
    return items


def _twin(item: Item, first: int, number: int, names: dict[str, int]) -> Item:
    name, count = f"{item.name} (item {number})", 1
    while name in names:
        count += 1
        name = f"{item.name} (item {number}, {count})"
    names[name] = number
    message = f"name: item {first} has the same name, {shown(item.name)}."
    return replace(item, name=name, fields=None, message=message)


def _items(written: Any, number: int) -> Iterator[Item]:
    name, unnamed = f"item {number}", "name: is required: a text on one line that is not blank."
    if not isinstance(written, Mapping):
        message = f'must be an object such as {{"name": …}}, but is {shown(written)}.'
        yield Item(name, "unknown", message=message)
        return
    is_named = isinstance(written.get("name"), str) and written["name"].strip(WHITE_SPACE)
    if is_named:
        name = _on_one_line(written["name"])
    about = written.get("description")
    described = Item(
        name,
        _type_named(written),
        description=_on_one_line(about) if isinstance(about, str) and about.strip() else None,
    )
    try:
        if not is_named or name != written["name"]:
            raise _Unreadable(unnamed)
        if _is_deeper(written, _DEEPEST):
            raise _Unreadable("its values are nested too deeply.")
        yield from _tests(written, described)
    except _Unreadable as reason:
        yield replace(described, message=str(reason))


def _is_deeper(value: Any, levels: int) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list):
        return False
    return levels == 0 or any(_is_deeper(inner, levels - 1) for inner in value)


def _on_one_line(text: str) -> str:
    """Return text that can stand in a result, whatever it holds; right names stay as they are."""
    text = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _type_named(written: Fields) -> str:
    subtype = written.get("subtype")
    if not isinstance(subtype, str) or not subtype.strip():
        return "unknown"
    return TYPES.get(subtype, _on_one_line(subtype))


# --- one item --------------------------------------------------------------------------------


def _tests(written: Fields, described: Item) -> Iterator[Item]:
    thresholds = _thresholds(written)
    subtype = _subtype(written, thresholds)
    _refuse_rubric(subtype, thresholds)
    kind = TYPES[subtype]
    unread = [key for key in written if key not in (*READ, *IGNORED)]
    shared = {**_filters(written, unread), **_windows(written)}
    groups: dict[str, tuple[Fields, list[Fields]]] = {}
    for place, threshold in enumerate(thresholds):
        unread += [f"thresholds[{place}].{key}" for key in threshold if key not in _THRESHOLD_KEYS]
        parameters = _parameters(threshold, f"thresholds[{place}].insightParameters")
        limit = _limit(threshold, kind, f"thresholds[{place}]")
        group = json.dumps(parameters, sort_keys=True)
        if kind == "metric_threshold" and limit["measurement"] in JUDGED_METRICS.values():
            # One for each, so that a judge that is missing stops no other.
            group += limit["measurement"]
        groups.setdefault(group, (parameters, []))[1].append(limit)
    notes = (f"The tests.json has what was not read: {_listing(unread)}.",) if unread else ()
    found = [
        replace(
            described,
            type=kind,
            fields={"type": kind, **shared, **parameters, "thresholds": limits},
            notes=notes,
        )
        for parameters, limits in _unjudged_first(groups)
    ]
    for place, item in enumerate(found, 1):
        name = item.name if place == 1 else f"{item.name} [{place}]"
        fields = None if item.fields is None else {"name": name, **item.fields}
        yield replace(item, name=name, fields=fields)


def _unjudged_first(
    groups: Mapping[str, tuple[Fields, list[Fields]]],
) -> list[tuple[Fields, list[Fields]]]:
    """Return what each test is made of; those that need no judge come before those that do."""
    judged = set(JUDGED_METRICS.values())
    return sorted(groups.values(), key=lambda group: group[1][0]["measurement"] in judged)


def _listing(keys: Sequence[str]) -> str:
    texts = [shown(_on_one_line(str(key))) for key in keys[:10]]
    return ", ".join(texts) + (f" and {len(keys) - 10} more" if len(keys) > 10 else "")


def _subtype(written: Fields, thresholds: Sequence[Fields]) -> str:
    """Return the subtype; an item without one has that of its insights."""
    subtype: str | None = written.get("subtype")
    for place, threshold in enumerate(thresholds):
        insight = threshold.get("insightName")
        if insight is None:
            continue
        meant = INSIGHTS.get(insight) if isinstance(insight, str) else None
        subtype = meant if subtype is None else subtype
        if subtype and subtype in TYPES and TYPES[subtype] != TYPES.get(meant or ""):
            known = [name for name, own in INSIGHTS.items() if own == subtype]
            raise _Unreadable(
                f"thresholds[{place}].insightName: must be {' or '.join(known)} in a test of the"
                f" subtype {subtype}, but is {shown(insight)}."
            )
    if subtype is None:
        raise _Unreadable(f"subtype: is required: one of {', '.join(TYPES)}.")
    return subtype


def _known_type(written: Fields) -> None:
    subtype = written.get("subtype")
    if subtype is None:
        return
    if not isinstance(subtype, str):
        raise _Unreadable(f"subtype: must be one of {', '.join(TYPES)}, but is {shown(subtype)}.")
    if subtype not in (*TYPES, *RUBRIC_TYPES):
        raise _Unreadable(
            f"subtype: fairsql has no test like {shown(subtype)}."
            f"{did_you_mean(subtype, TYPES) or f' It has {_names(TYPES)}.'}"
        )


def _names(names: Mapping[str, str]) -> str:
    return ", ".join(names)


def _thresholds(written: Fields) -> list[Fields]:
    _known_type(written)
    thresholds = written.get("thresholds")
    if thresholds is None or thresholds == []:
        raise _Unreadable("thresholds: are required: a list of at least one threshold.")
    if not isinstance(thresholds, list):
        raise _Unreadable(f"thresholds: must be a list, but is {shown(thresholds)}.")
    for place, threshold in enumerate(thresholds):
        if not isinstance(threshold, Mapping):
            raise _Unreadable(
                f"thresholds[{place}]: must be an object with insightName, insightParameters,"
                f" measurement, operator and value, but is {shown(threshold)}."
            )
    return thresholds


def _refuse_rubric(subtype: str, thresholds: Sequence[Fields]) -> None:
    if subtype in RUBRIC_TYPES:
        names = [threshold.get("measurement") for threshold in thresholds]
        texts = [_on_one_line(name) for name in names if isinstance(name, str)]
        raise _Unreadable(
            f"{' and '.join(dict.fromkeys(texts)) or subtype} needs a judge with a rubric that is"
            " not in the file: in a suite, limit the mean of NAME_score of a judge NAME that is"
            " custom."
        )


def _limit(threshold: Fields, kind: str, place: str) -> dict[str, Any]:
    mode = threshold.get("thresholdMode")
    if mode not in (None, "manual"):
        raise _Unreadable(
            f"{place}.thresholdMode: must be manual, since a limit that is set automatically is"
            f" known to Openlayer alone, but is {shown(mode)}."
        )
    for key in ("measurement", "operator", "value"):
        if threshold.get(key) is None:
            raise _Unreadable(f"{place}.{key}: is required.")
    measurement = threshold["measurement"]
    if not isinstance(measurement, str):
        raise _Unreadable(f"{place}.measurement: must be a name, but is {shown(measurement)}.")
    return {
        "measurement": _measurement(measurement, kind, place),
        "operator": threshold["operator"],
        "value": threshold["value"],
    }


def _measurement(name: str, kind: str, place: str) -> str:
    if kind != "metric_threshold":
        return snake_case(name)
    if name in JUDGED_METRICS:
        return JUDGED_METRICS[name]
    if name in (*METRICS.values(), *JUDGED_METRICS.values()):
        return name
    if name not in METRICS:
        hint = did_you_mean(name, [*METRICS, *JUDGED_METRICS]) or f" Known are {_names(METRICS)}."
        raise _Unreadable(f"{place}.measurement: there is no metric {shown(name)}.{hint}")
    return METRICS[name]


def _parameters(threshold: Fields, place: str) -> dict[str, Any]:
    """Return the insight's parameters by name; a null parameter is an absent one."""
    written = threshold.get("insightParameters")
    if isinstance(written, Mapping):
        pairs = list(written.items())
    elif isinstance(written, list):
        pairs = [_pair(one, f"{place}[{number}]") for number, one in enumerate(written)]
    elif written is None:
        return {}
    else:
        raise _Unreadable(f"{place}: must be a list of name and value, but is {shown(written)}.")
    parameters: dict[str, Any] = {}
    for written_name, value in pairs:
        name = snake_case(written_name)
        if name in _OURS:
            raise _Unreadable(f"{place}: {shown(written_name)} is no parameter of an insight.")
        if name in parameters:
            raise _Unreadable(f"{place}: {shown(written_name)} is given twice.")
        parameters[name] = value
    return {name: value for name, value in parameters.items() if value is not None}


def _pair(written: Any, place: str) -> tuple[str, Any]:
    if not isinstance(written, Mapping) or not isinstance(written.get("name"), str):
        raise _Unreadable(f"{place}: must be an object with name and value, but is {_of(written)}.")
    return written["name"], written.get("value")


def _of(written: Any) -> str:
    if isinstance(written, Mapping):
        return f"one with {_listing([str(key) for key in written]) or 'nothing'}"
    return shown(written)


# --- which rows ------------------------------------------------------------------------------


def _windows(written: Fields) -> dict[str, Any]:
    windows = {
        ours: written[theirs]
        for theirs, ours in (
            ("evaluationWindow", "evaluation_window"),
            ("delayWindow", "delay_window"),
        )
        if written.get(theirs) is not None
    }
    # Every monitoring test has a delay, most often 0; without a window there is nothing to delay.
    if "evaluation_window" not in windows and windows.get("delay_window") == 0:
        del windows["delay_window"]
    return windows


def _filters(written: Fields, unread: list[str]) -> dict[str, Any]:
    filters = written.get("subpopulationFilters")
    if filters is None or filters == []:
        return {}
    if not isinstance(filters, list):
        raise _Unreadable(
            "subpopulationFilters: must be null or a list of measurement, operator and value, but"
            f" is {shown(filters)}."
        )
    found = []
    for number, one in enumerate(filters):
        place = f"subpopulationFilters[{number}]"
        if not isinstance(one, Mapping):
            raise _Unreadable(
                f"{place}: must be an object with measurement, operator and value, but is"
                f" {shown(one)}."
            )
        found.append(_filter(one, place))
        unread += [f"{place}.{key}" for key in one if key not in _FILTER_KEYS]
    return {"filters": found}


def _filter(written: Fields, place: str) -> dict[str, Any]:
    column = written.get("measurement", written.get("column"))
    operator, value = written.get("operator"), written.get("value")
    for key, found in (("measurement", column), ("operator", operator), ("value", value)):
        if found is None:
            raise _Unreadable(f"{place}.{key}: is required.")
    if isinstance(operator, str):
        operator = _OPERATORS.get(re.sub(r"[\s_-]", "", operator).lower(), operator)
    if operator in LISTS and not isinstance(value, list):
        value = [value]
    elif operator not in LISTS and isinstance(value, list) and len(value) == 1:
        (value,) = value
    if operator in ORDERS and isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value) if re.search(r"[.eE]", value) else int(value)
    return {"column": column, "operator": operator, "value": value}
