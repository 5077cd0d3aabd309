"""Other tests of the same columns, so that one suite holds many measures and cuts of one scan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_SAME_INPUTS = (
    ("mean", "median", "p95"),
    ("npv", "false_omission_rate"),
    ("log_loss", "brier"),
    ("mae", "rmse", "r2"),
)
_UNSUITED = {
    "r2": ("require_significance", "comparison"),
}


def variants(test: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the test and its siblings: other metrics of the same inputs, attributes in turn."""
    yield test
    attributes = test["protected_attribute_columns"]
    siblings = next((m for m in _SAME_INPUTS if test["parity_metric"] in m), ())
    for metric in siblings:
        if metric != test["parity_metric"]:
            yield _plain(test, parity_metric=metric, name=f"{test['name']} as {metric}")
    for attribute in attributes if len(attributes) > 1 else ():
        yield _plain(
            test, protected_attribute_columns=[attribute], name=f"{test['name']} by {attribute}"
        )
    yield _plain(test, missing_attribute_values=["F", "x", "1"], name=f"{test['name']} less F")


def _plain(test: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a changed copy without what may not suit another metric."""
    dropped = ("thresholds", "max_difference", "require_significance", "comparison")
    kept = {name: value for name, value in test.items() if name not in dropped}
    return {**kept, **changes}
