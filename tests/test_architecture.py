"""Who may import whom: one flow from the command line to the numbers, and nothing walks back."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fairsql.warehouses import ENGINES

PACKAGE = Path(__file__).resolve().parents[1] / "fairsql"

# A room may import what its arrows lead to, near or far. "api" is the front door, __init__.py.
ARROWS: Mapping[str, tuple[str, ...]] = {
    "cli": ("api", "dbt", "history", "llm", "report", "starter", "demo", "selftest"),
    "api": ("suite", "history", "gate"),
    "gate": ("results",),
    "history": ("warehouses", "results"),
    "dbt": ("suite",),
    "suite": ("compile", "verdict", "warehouses", "report", "llm"),
    "llm": ("compile", "history"),
    "selftest": ("suite",),
    "starter": ("compile", "warehouses"),
    "compile": ("plan",),
    "plan": ("config",),
    "config": ("metrics",),
    "metrics": ("inference",),
    "verdict": ("metrics", "results"),
    "warehouses": (),
    "report": ("results",),
    "inference": (),
    "demo": (),
    # Below all: they import nothing of ours, and every room but `inference` may import them.
    "errors": (),
    "files": (),
    "limits": (),
    "results": (),
    "version": (),
}
BELOW_ALL = {"errors", "files", "limits", "results", "version"}
# The command line knows the public API and how results are shown, never what lies behind them.
NEAR_ONLY = {"cli"}
# A record's own methods may write it for people: `run.write_html` reads better than a function. The
# imports stand in those methods, so that a record knows nothing of it until it is asked.
ON_DEMAND = {"results": {"errors", "files", "report"}}
# For annotations alone: a verdict is reached on a test, and a connection is passed on.
FOR_TYPES = {"verdict": {"config"}, "cli": {"config", "warehouses"}}
ROOM_OF = {
    "__init__": "api",
    "__main__": "cli",
    "availability": "suite",
    "bias": "verdict",
    "binned": "metrics",
    "bounds": "verdict",
    "cardinality": "suite",
    "comparison": "verdict",
    "completing": "verdict",
    "conditions": "verdict",
    "derivations": "suite",
    "families": "metrics",
    "flagged": "verdict",
    "paired": "verdict",
    "converting": "suite",
    "judged_relations": "suite",
    "formulas": "metrics",
    "metric": "metrics",
    "mlflow_logging": "gate",
    "frames": "results",
    "judging": "suite",
    "loading": "suite",
    "measuring": "verdict",
    "panels": "verdict",
    "planning": "suite",
    "reasons": "verdict",
    "records": "results",
    "results_schema": "results",
    "showing": "verdict",
    "single": "suite",
    "strata": "verdict",
    "tallying": "verdict",
    "unready": "verdict",
    "views": "results",
    "weighted": "metrics",
    "windows": "suite",
}

LIBRARIES = {
    "altair": {"report", "results"},
    "anthropic": {"llm"},
    "click": {"cli"},
    "databricks": {"warehouses"},
    "duckdb": {"demo", "warehouses"},
    "dbt": set[str](),  # a program that is asked, not a library
    "google": {"dbt", "warehouses"},
    "jinja2": {"compile", "dbt", "report"},
    "junitparser": {"report"},
    "litellm": {"llm"},
    "mlflow": {"gate"},
    "numpy": {"inference"},
    "openai": {"llm"},
    "pandas": {"results"},
    "polars": {"results"},
    "psycopg": {"warehouses"},
    "py4j": {"warehouses"},
    "pyarrow": {"results"},
    "pydantic": {"config", "llm"},
    "pydantic_core": {"config"},
    "pyspark": {"warehouses"},
    "rich": {"cli", "report"},
    "ruamel": {"config"},
    "scipy": set[str](),
    "snowflake": {"warehouses"},
    "sqlglot": {"compile", "starter"},
    "tenacity": {"llm", "warehouses"},
    "vl_convert": {"report"},
}


def room(path: Path) -> str:
    name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return ROOM_OF.get(name, name)


def reachable(start: str) -> set[str]:
    if start in NEAR_ONLY:
        return set(ARROWS[start])
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for target in ARROWS[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def imports(tree: ast.AST) -> Iterator[tuple[int, str, bool, bool]]:
    """Yield line, dotted name, whether it is for types alone, and whether within a function."""
    for_types = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for statement in node.body
        for child in ast.walk(statement)
    }
    in_functions = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, id(node) in for_types, id(node) in in_functions
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield node.lineno, name, id(node) in for_types, id(node) in in_functions


def faults(source: str, own: str, where: str) -> Iterator[str]:
    """Yield a line for each import that walks against the arrows or takes a library from home."""
    allowed = reachable(own) | {own}
    if own != "inference" and own not in BELOW_ALL:
        allowed |= BELOW_ALL
    for line, name, for_types, in_function in imports(ast.parse(source)):
        top, *rest = name.split(".")
        if top == "fairsql":
            target = ROOM_OF.get(rest[0], rest[0]) if rest else "api"
            target = target if target in ARROWS else "api"  # a name that __init__ offers
            may = allowed | (FOR_TYPES.get(own, set()) if for_types else set())
            may |= ON_DEMAND.get(own, set()) if in_function else set()
            if target not in may:
                yield (
                    f"{where}:{line} imports {name}, but {own} may import only"
                    f" {', '.join(sorted(may - {own})) or 'nothing of ours'}"
                )
        elif top in LIBRARIES and own not in LIBRARIES[top]:
            homes = ", ".join(sorted(LIBRARIES[top])) or "the tests"
            yield f"{where}:{line} imports {name}, which is for {homes} only"


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def test_every_module_belongs_to_a_room() -> None:
    strangers = [str(path.relative_to(PACKAGE)) for path in modules() if room(path) not in ARROWS]
    assert not strangers, f"in no room of the architecture: {', '.join(strangers)}"


def test_imports_follow_the_arrows() -> None:
    found = [
        fault
        for path in modules()
        for fault in faults(
            path.read_text(encoding="utf-8"), room(path), f"fairsql/{path.relative_to(PACKAGE)}"
        )
    ]
    assert not found, "\n" + "\n".join(found)


def test_only_the_front_door_imports_by_name() -> None:
    # What is imported by a computed name escapes the test above.
    by_name = [
        str(path.relative_to(PACKAGE))
        for path in modules()
        if room(path) != "api"
        and path != PACKAGE / "warehouses" / "__init__.py"
        and any(
            word in path.read_text(encoding="utf-8") for word in ("import_module", "__import__")
        )
    ]
    assert not by_name
    # The warehouses' door opens rooms of its own alone.
    assert all(engine.module.startswith("fairsql.warehouses.") for engine in ENGINES.values())


def test_the_arrows_make_no_circle() -> None:
    assert not [name for name in ARROWS if name in reachable(name)]


@pytest.mark.parametrize(
    ("own", "source", "fault"),
    [
        (
            "inference",
            "from fairsql.errors import FairsqlError",
            "inference may import only nothing",
        ),
        ("metrics", "def f():\n    from fairsql import verdict", "m.py:2 imports fairsql.verdict"),
        ("verdict", "from fairsql.config import Suite", "imports fairsql.config.Suite"),
        ("report", "import fairsql.warehouses.duckdb", "imports fairsql.warehouses.duckdb"),
        ("plan", "from fairsql import connect", "imports fairsql.connect"),
        ("results", "from fairsql import errors", "imports fairsql.errors"),
        ("results", "from fairsql.report import render_html", "imports fairsql.report.render_html"),
        ("results", "def f():\n    from fairsql import suite", "imports fairsql.suite"),
        ("metrics", "import scipy.stats", "is for the tests only"),
        ("verdict", "import sqlglot", "is for compile, starter only"),
        ("cli", "from fairsql.suite import Suite", "cli may import only api, dbt, demo, errors"),
    ],
)
def test_a_fault_is_found(own: str, source: str, fault: str) -> None:
    assert fault in "\n".join(faults(source, own, "m.py"))


@pytest.mark.parametrize(
    ("own", "source"),
    [
        ("cli", "from fairsql import connect\nimport click"),
        ("suite", "from fairsql import config, reasons"),
        ("metrics", "def f():\n    from fairsql import inference"),
        ("verdict", "if TYPE_CHECKING:\n    from fairsql.config import GroupMetricParity"),
        ("plan", "import json\nfrom fairsql.errors import FairsqlError"),
        ("results", "def f():\n    from fairsql.report import render_html"),
    ],
)
def test_what_is_allowed_passes(own: str, source: str) -> None:
    assert not list(faults(source, own, "m.py"))
