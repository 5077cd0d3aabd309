"""A question about a text metric, put by hand: whichever test asks it, it comes to this."""

from __future__ import annotations

from typing import Any

from fairsql.config import GroupMetricParity
from fairsql.metrics import TEXT_METRICS, Metric


class TextQuestion(GroupMetricParity):
    """A parity test whose metric is one of texts; only ``model_construct`` makes it."""

    text_metric: str
    columns: tuple[str, ...] = ()

    @property
    def metric(self) -> Metric:
        return TEXT_METRICS[self.text_metric]

    @property
    def input_columns(self) -> dict[str, str]:
        return dict(zip(self.metric.inputs, self.columns, strict=False))


def question(metric: str, relation: str, *columns: str, **more: Any) -> TextQuestion:
    """Return the question of a metric of columns by the attribute ``who``."""
    settings: dict[str, Any] = {
        "name": f"{metric} of {', '.join(columns)}",
        "protected_attribute_columns": ("who",),
        "parity_metric": metric,
        "min_group_size": 1,
        "min_group_share": 0.0,
        **more,
    }
    return TextQuestion.model_construct(
        relation=relation, text_metric=metric, columns=columns, **settings
    )
