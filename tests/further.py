"""Questions with the metrics that group metric parity does not take, in Python and in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairsql.compile.loader import macros_for
from fairsql.config import GroupMetricParity, Threshold, build_test, canonical_key
from fairsql.metrics import PARITY_METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping

_TUPLES = ("protected_attribute_columns", "positive_values")


def question(**fields: Any) -> GroupMetricParity:
    """Return a test of any metric, unchecked where group metric parity would refuse the metric."""
    if fields["parity_metric"] in PARITY_METRICS:
        test = build_test(**fields)
        assert isinstance(test, GroupMetricParity)
        return test
    given = {name: value for name, value in fields.items() if value is not None}
    for name in _TUPLES:
        if name in given:
            given[name] = tuple(given[name])
    given["missing_attribute_values"] = tuple(
        map(canonical_key, given.get("missing_attribute_values", ()))
    )
    if limits := given.pop("thresholds", None):
        given["thresholds"] = tuple(Threshold(**limit) for limit in limits)
    return GroupMetricParity.model_construct(**given)


def verdict_sql(dialect: str, relation: str, test: Mapping[str, Any], *, failures: bool) -> str:
    """Return the verdict in SQL: the rows of a dbt test, or every group."""
    macros = macros_for(dialect)
    catalogue = macros.call("catalogue")
    type_ = "group_metric_parity"
    asked: dict[str, Any] = {**macros.call("unasked"), "type": type_, "name": test["name"]}
    for parameter, allowed in catalogue["types"][type_]["parameters"].items():
        given = test.get(parameter)
        asked[parameter] = allowed["default"] if given is None else given
    asked["measurements"] = macros.call("measurements_of", asked)
    limits = macros.call("checked_thresholds", "a test", test.get("thresholds"), asked)
    asked["thresholds"] = limits
    asked |= macros.call("lowered", "a test", asked)
    asked |= macros.call("derived", asked)
    asked["window"] = None
    ctes = [
        *macros.call("statistics_of_test", asked, relation, None),
        *macros.call("verdict_ctes", asked),
    ]
    rows = macros.call("test_rows" if failures else "result_rows", asked)
    return str(macros.call("statement", [], ctes, rows))
