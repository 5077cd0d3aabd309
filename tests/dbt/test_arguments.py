"""The macros' check of arguments: as strict as the Python path's, and from the same catalogue."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from fairsql.metrics import PARITY_METRICS
from tests.config.samples import sample
from tests.config.test_refusals import FIELDS
from tests.generator import cases
from tools import generate_macro_catalogue, generate_macro_docs, test_types

MACROS = macros_for("duckdb")
PARAMETERS = list(MACROS.call("catalogue")["types"]["group_metric_parity"]["parameters"])
NOT_ARGUMENTS = {"name", "type", "relation", "where"}  # dbt's own words, or none at all
ODD_VALUES: tuple[Any, ...] = (
    *(True, False, 0, 1, -1, 2, 3, 1.5, 0.5, 1e-5, 30.0, 2**63, math.nan, math.inf, -math.inf),
    *("", " ", "a", "approved", "score", "gender", "1e-5", "yes", "holm_all_pairs", "named"),
    *("overall", "none", "rate", "a\nb", "a\0", {}, {"a": 1}, [], [1], ["gender"], ["a", "a"]),
    *(["a", "b", "c", "d"], [None], [math.nan], [" "], [["a"]], [{"a": 1}], ["1", True, 1.0]),
)
THRESHOLDS: tuple[Any, ...] = (
    *({}, {"measurement": "min_metric_ratio"}, 3, "x", None, ["x"]),
    *(
        {"measurement": measurement, "operator": operator, "value": value}
        for measurement in ("minMetricRatio", "significant_disparity_count", "min_ratio", 3, None)
        for operator in (">=", "is", "==", None)
        for value in (0, 0.8, True, "0.8", math.nan, math.inf, None)
    ),
    {"measurement": "min_metric_ratio", "operator": "<", "value": 1, "limit": 1},
)


def macro_refusal(test: dict[str, Any]) -> str | None:
    """Return the message with which the macros refuse a test, if they do."""
    given = {name: test.get(name) for name in PARAMETERS}
    try:
        MACROS.call("checked_test", given, test.get("thresholds"), None)
    except ConfigurationError as error:
        return str(error)
    return None


def python_refusal(test: dict[str, Any]) -> str | None:
    """Return the message with which the Python path refuses a test, if it does."""
    given = {name: value for name, value in test.items() if value is not None}
    try:
        build_test(**{"relation": "loans", **given})
    except ConfigurationError as error:
        return str(error)
    return None


def with_column(given: dict[str, Any], column: str) -> Any:
    """Return the arguments of a test under a column."""
    return MACROS.call("with_column", "group_metric_parity", given, column)


def arguments(test: dict[str, Any]) -> dict[str, Any]:
    """Return a test without what is no argument of the macros, or dbt's own word."""
    return {name: value for name, value in test.items() if name not in NOT_ARGUMENTS}


REFUSED = [
    pytest.param(arguments(test), id=line)
    for test, line in FIELDS
    if not set(test) - {*PARAMETERS, *NOT_ARGUMENTS, "thresholds"}
    and python_refusal(arguments(test)) is not None
]


def test_the_catalogue_of_the_macros_is_current() -> None:
    written = generate_macro_catalogue.TARGET.read_text(encoding="utf-8")
    assert written == generate_macro_catalogue.rendered(), (
        "run python -m tools.generate_macro_catalogue"
    )


@pytest.mark.parametrize("type_", test_types.PARAMETERS)
def test_a_macro_takes_what_its_type_has(type_: str) -> None:
    own = ["thresholds", "on_skip", "statistics_of", "as_of"]
    assert generate_macro_docs.arguments(type_) == [*test_types.PARAMETERS[type_], *own]


@pytest.mark.parametrize("test", REFUSED)
def test_what_a_suite_file_may_not_hold_is_refused_here_too(test: dict[str, Any]) -> None:
    message = macro_refusal(test)
    assert message is not None
    place, argument = message.split(": ")[:2]
    assert place == "fairsql.group_metric_parity"
    assert argument.split()[0] in (*PARAMETERS, "thresholds")


def test_the_refusals_are_most_of_those_of_suite_files() -> None:
    assert len(REFUSED) > 80


def altered(rng: Random, test: dict[str, Any]) -> dict[str, Any]:
    """Return a test with one to three arguments changed, added or taken away."""
    test = arguments(test)
    for _ in range(rng.randint(1, 3)):
        name = rng.choice([*PARAMETERS, "thresholds"])
        if name == "thresholds":
            test[name] = rng.choice((THRESHOLDS, [rng.choice(THRESHOLDS)], rng.choice(THRESHOLDS)))
        elif rng.random() < 0.1:
            test.pop(name, None)
        else:
            test[name] = rng.choice(ODD_VALUES)
    return test


def test_the_two_checks_refuse_the_same_generated_tests() -> None:
    rng = Random(7)  # noqa: S311
    starts = [sample(metric) for metric in PARITY_METRICS] + [case.test for case in cases(7, 60)]
    refused, differing = 0, []
    for _ in range(1500):
        test = altered(rng, rng.choice(starts))
        theirs, ours = macro_refusal(test), python_refusal(test)
        refused += ours is not None
        if (ours is None) != (theirs is None):
            differing.append(f"{test}\n  Python: {ours}\n  macros: {theirs}")
    assert 700 < refused < 1450
    assert not differing, f"{len(differing)} differ\n" + "\n".join(differing[:12])


@pytest.mark.parametrize(("given", "weight"), [(None, -1), ("warn", -1), ("error", 1), ("pass", 0)])
def test_on_skip_weighs_a_skip(given: str | None, weight: int) -> None:
    assert f"then {weight} else 1" in MACROS.call("fail_calc", given)


@pytest.mark.parametrize("given", ["ignore", True, 1])
def test_on_skip_is_one_of_three_words(given: Any) -> None:
    with pytest.raises(ConfigurationError, match="on_skip must be one of warn, error, pass"):
        MACROS.call("fail_calc", given)


@pytest.mark.parametrize(
    ("metric", "column", "role"),
    [
        ("rate", "approved", "value_column"),
        ("auc", "s", "score_column"),
        ("brier", "p", "probability_column"),
        ("npv", "guess", "prediction_column"),
    ],
)
def test_a_column_is_the_input_that_is_not_given(metric: str, column: str, role: str) -> None:
    given = {name: sample(metric).get(name) for name in PARAMETERS}
    open_ = {**given, role: None}
    assert MACROS.call("with_column", "group_metric_parity", open_, column) == {
        **given,
        role: column,
    }
    # Named twice it is the same column, and named otherwise it is another.
    assert MACROS.call("with_column", "group_metric_parity", given, given[role]) == given
    with pytest.raises(ConfigurationError, match=f"under the column {column}x: it is not clear"):
        with_column(given, f"{column}x")
