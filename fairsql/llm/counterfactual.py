"""Counterfactual prompts: the same text for every group of a dimension, and who is compared.

Each template and each dimension that it has a place for make a *counterfactual group* of prompts
(``group_id``), one for each group of people and repeat. Within it only the dimension's group
differs. ``role`` is ``reference`` for the group that others are compared with, and else the group's
own label, so that rows of one ``group_id`` and ``role`` are answers to one and the same prompt:
what differs between those is noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fairsql.config.counterfactual import REFERENCE, load_counterfactual
from fairsql.warehouses.row_files import write_rows

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from fairsql.config.counterfactual import Counterfactual, Template

COLUMNS: Mapping[str, str] = {
    "prompt_id": "text",
    "group_id": "text",
    "role": "text",
    "dimension": "text",
    "template_id": "text",
    "group_label": "text",
    "repeat": "integer",
    "prompt": "text",
}
"""Column of the prompts -> its kind, in order."""


@dataclass(frozen=True)
class Prompt:
    """One prompt, and where it stands among the others; see the module."""

    prompt_id: str
    group_id: str
    role: str
    dimension: str
    template_id: str
    group_label: str
    repeat: int
    prompt: str


def counterfactual_prompts(source: str | Path | Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the prompts that a file, or a mapping, describes, as rows.

    Parameters
    ----------
    source
        A YAML or JSON file, or its content; see :mod:`fairsql.config.counterfactual`.

    Raises
    ------
    ConfigurationError
        When it is wrong: an unknown key, a placeholder that nothing fills, a pool of another
        length than the templates, and so on, each by its place.

    Examples
    --------
    >>> rows = counterfactual_prompts(
    ...     {
    ...         "templates": ["Praise {name}, a {gender} {job}.", "Is {name} a good {job}?"],
    ...         "dimensions": {"gender": ["man", "woman"]},
    ...         "name_pools": {"gender": {"man": ["Al", "Bo"], "woman": ["Cy", "Di"]}},
    ...         "defaults": {"job": "cook"},
    ...     }
    ... )
    >>> for row in rows:
    ...     print(row["group_id"], row["role"], row["prompt"])
    t1/gender reference Praise Al, a man cook.
    t1/gender woman Praise Cy, a woman cook.
    t2/gender reference Is Bo a good cook?
    t2/gender woman Is Di a good cook?
    """
    return [asdict(prompt) for prompt in prompts_of(load_counterfactual(source))]


def write_prompts(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of prompts to a CSV, Parquet or JSON lines file, as its ending says.

    Raises
    ------
    ConfigurationError
        When the ending says none of the three.
    OSError
        When the file cannot be written; nothing has changed then.
    """
    write_rows(path, COLUMNS, rows)


def prompts_of(described: Counterfactual) -> Iterator[Prompt]:
    """Yield the prompts, template by template and dimension by dimension."""
    for number, template in enumerate(described.templates):
        for dimension in described.varied(template):
            yield from _group(described, number, template, dimension)


def _group(
    described: Counterfactual, number: int, template: Template, dimension: str
) -> Iterator[Prompt]:
    group_id = f"{template.id}/{dimension}"
    for label in described.dimensions[dimension]:
        role = REFERENCE if label == described.reference_of(dimension) else label
        values = {dimension: label, **described.defaults}
        if dimension in described.name_pools:
            # Another name for each template: one name alone may tell of itself and not of a group.
            values[described.name_placeholder] = described.name_pools[dimension][label][number]
        else:
            values[dimension] = label
        for repeat in range(1, described.repeats + 1):
            yield Prompt(
                prompt_id=f"{group_id}/{label}/{repeat}",
                group_id=group_id,
                role=role,
                dimension=dimension,
                template_id=template.id,
                group_label=label,
                repeat=repeat,
                prompt=template.filled(values),
            )
