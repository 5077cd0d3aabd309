"""The fairsql tests in dbt's manifest, and what each is about.

The manifest is documented at https://schemas.getdbt.com/dbt/manifest/v12.json; what is read here
has been in it since v8.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairsql.config import TESTS
from fairsql.errors import ConfigurationError
from fairsql.metrics import METRICS

_NOT_OURS = ("model", "column_name", "on_skip")


@dataclass(frozen=True)
class Node:
    """A model, seed, snapshot or source; ``sql`` is that of an ephemeral model, once compiled."""

    relation: str | None
    sql: str | None
    is_ephemeral: bool
    path: str

    @property
    def from_clause(self) -> str | None:
        """What a statement reads; ``None`` while an ephemeral model is not compiled."""
        if self.is_ephemeral:
            return f"(\n{self.sql.strip()}\n)" if self.sql else None
        return self.relation


@dataclass(frozen=True)
class DbtTest:
    """A fairsql test as dbt knows it; its arguments are not rendered yet."""

    name: str
    type: str
    file: str
    arguments: Mapping[str, Any]
    column: str | None
    where: str | None
    node: Node

    @property
    def place(self) -> str:
        """What messages call it."""
        return f"{self.file}, test {self.name!r}"


@dataclass(frozen=True)
class Manifest:
    """The manifest as dbt wrote it."""

    content: Mapping[str, Any]

    def tests(self, selected: Collection[str] | None = None) -> list[DbtTest]:
        """Return the fairsql tests, in dbt's order; those selected alone where ids are given."""
        nodes = dict(self._test_nodes())
        names = [str(node["name"]) for node in nodes.values()]
        return [
            self._test(node, is_unique=names.count(str(node["name"])) == 1)
            for unique_id, node in nodes.items()
            if selected is None or unique_id in selected
        ]

    def is_made_for(self, database: str, schema: str) -> bool:
        """Return whether the tests' own schemas are those of a target, as far as one can tell."""
        return all(
            str(node.get("database") or "") == database
            and str(node.get("schema") or "").startswith(schema)
            for _, node in self._test_nodes()
        )

    def _test_nodes(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for unique_id, node in self.content["nodes"].items():
            told = node.get("test_metadata") or {}
            if told.get("namespace") == "fairsql" and told.get("name") in TESTS:
                yield unique_id, node

    def _test(self, node: Mapping[str, Any], *, is_unique: bool) -> DbtTest:
        arguments = node["test_metadata"]["kwargs"]
        name = str(node["name"])
        return DbtTest(
            name=name if is_unique else f"{node['package_name']}.{name}",
            type=str(node["test_metadata"]["name"]),
            file=str(node["original_file_path"]),
            # Null stands for an argument that is not given, as in every macro.
            arguments={
                key: value
                for key, value in arguments.items()
                if key not in _NOT_OURS and value is not None
            },
            column=_unquoted(arguments.get("column_name")),
            where=node["config"].get("where"),
            node=self._attached(node),
        )

    def _attached(self, test: Mapping[str, Any]) -> Node:
        # dbt attaches the tests of models, seeds and snapshots; a source's depends on it alone.
        candidates = [test.get("attached_node"), *test["depends_on"]["nodes"]]
        for unique_id in filter(None, candidates):
            found = self.content["nodes"].get(unique_id) or self.content["sources"].get(unique_id)
            if found is not None:
                return Node(
                    relation=found.get("relation_name"),
                    sql=found.get("compiled_code"),
                    is_ephemeral=found["config"].get("materialized") == "ephemeral",
                    path=".".join(found["fqn"]),
                )
        raise ConfigurationError(
            f"{test['original_file_path']}, test {test['name']!r}: is about no table."
        )


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest; ``None`` when there is no such file.

    Raises
    ------
    ConfigurationError
        When the file is no manifest.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not {"nodes", "sources"} <= set(content):
            raise ValueError("no nodes")
    except FileNotFoundError:
        return None
    except (OSError, TypeError, ValueError):
        raise ConfigurationError(
            f"{path}: is no manifest of dbt's; remove it, and dbt writes it anew."
        ) from None
    return Manifest(content)


_COLUMN_OF: Mapping[str, tuple[str, ...]] = {
    "group_outcome_disparity": ("outcome_column",),
    "group_score_disparity": ("score_column",),
    "group_performance_parity": ("prediction_column",),
    "group_column_statistic": ("value_column",),
}
"""Type of test -> what a column may be to it that its tests stand under."""


def with_column(
    test_type: str, arguments: Mapping[str, Any], column: str | None
) -> Mapping[str, Any] | None:
    """Return the arguments of a test that stands under a column, that column among them.

    It is the first input besides the truth that is not given, unless another is given as it. The
    macro of this name has the same rule. ``None`` when every such input is given, or where it is
    not clear what a column would be to the test.

    >>> with_column("group_metric_parity", {"parity_metric": "npv"}, "predicted")
    {'parity_metric': 'npv', 'prediction_column': 'predicted'}
    >>> with_column("group_outcome_disparity", {}, "approved")
    {'outcome_column': 'approved'}
    """
    if column is None:
        return arguments
    roles = _roles(test_type, arguments)
    if roles is None or any(arguments.get(role) == column for role in roles):
        return arguments
    open_roles = [role for role in roles if role not in arguments]
    return {**arguments, open_roles[0]: column} if open_roles else None


def _roles(test_type: str, arguments: Mapping[str, Any]) -> Sequence[str] | None:
    """Return what a column may be; ``None`` where a wrong metric is told of instead."""
    if test_type == "group_performance_parity" and "decision_threshold" in arguments:
        return ("score_column",)
    if test_type != "group_metric_parity":
        return _COLUMN_OF.get(test_type, ())
    name = arguments.get("parity_metric")
    if not isinstance(name, str) or name not in METRICS:
        return None
    return [role for role in METRICS[name].inputs if role != "ground_truth_column"]


def _unquoted(column: str | None) -> str | None:
    """Return a column's name; dbt puts it into quotes where the YAML says ``quote: true``."""
    if column and len(column) > 2 and column[0] == column[-1] and column[0] in '"`':
        return column[1:-1]
    return column
