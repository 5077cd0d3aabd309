"""The project that visitors copy is built as its README says; dbt takes the package from git."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.dbt.project import PACKAGE, Project, copy_package
from tests.dbt.warehouses import DuckDB
from tests.fixtures.relations import exactly
from tests.fixtures.test_compas import EXPECTED
from tools import generate_macro_docs

EXAMPLE = PACKAGE / "integration_tests"
LEFT_BEHIND = ("dbt_packages", "target", "logs", "package-lock.yml", "*.duckdb", ".user.yml")


@pytest.mark.xdist_group("dbt-example")
def test_the_example_is_built_as_its_readme_says(tmp_path: Path) -> None:
    copy_package(tmp_path)
    root = tmp_path / "integration_tests"
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    project = Project(root)
    project.done("deps")
    project.done("seed")
    printed = project.done("build")
    assert "deprecat" not in printed.lower()
    outcomes = project.outcomes()
    readme = (EXAMPLE / "README.md").read_text("utf-8")
    shown = re.findall(r"\| `(\w+)` \| `WARN (-?\d)` \|", readme)
    warned = {name: of.failures for name, of in outcomes.items() if of.status == "warn"}
    assert warned == {name: int(count) for name, count in shown}
    assert [of.status for of in outcomes.values()].count("pass") == 9
    groups, read = DuckDB(root / "example.duckdb").rows(
        ["main.false_alarms_by_race", "main.missed_risk"]
    )
    for name, rows in (("fpr", groups), ("for", read)):
        found = {row["key_1"]: row for row in rows}
        for race, value, ratio, _, p_value, holm, _ in EXPECTED["compare_race"][name][
            "rows_[group,value,ratio,gap,p,holm,bh]"
        ]:
            assert found[race]["value"] == exactly(value)
            assert found[race]["ratio"] == exactly(ratio)
            assert found[race]["p_value"] == exactly(p_value)
            if name == "fpr":
                assert found[race]["p_value_adjusted"] == exactly(holm)


@pytest.mark.xdist_group("dbt-example")
def test_dbt_takes_the_package_from_a_git_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "fairsql"
    copy_package(checkout)
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{f"GIT_{who}_{what}": f"{what}@example.com".lower()
           for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }  # fmt: skip
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"], ["tag", "v0"]):
        subprocess.run(["git", *command], cwd=checkout, env=environment, check=True)
    project = Project.create(tmp_path / "shop", DuckDB(tmp_path / "shop.duckdb").output, {})
    shutil.rmtree(project.root / "dbt_packages")
    project.write("packages.yml", f'packages:\n  - git: "{checkout.as_uri()}"\n    revision: v0\n')
    project.done("--warn-error", "deps")
    assert (project.root / "dbt_packages" / "fairsql" / "macros" / "tests").is_dir()


# Arguments that this data has no use for, and the pages that show them.
SHOWN_BY_PAGES = {
    "windows": ("timestamp_column", "evaluation_window", "delay_window", "as_of"),
    "weights": ("weight_column",),
    "approximate": ("auc_method", "quantile_method"),
}


def test_every_argument_is_shown() -> None:
    shown = "".join(
        path.read_text("utf-8")
        for folder in ("models", "seeds")
        for path in (EXAMPLE / folder).rglob("*.yml")
    )
    path = PACKAGE / "macros" / "tests" / "group_metric_parity.sql"
    arguments = generate_macro_docs.signature(path, "test_group_metric_parity")[2:]
    given = set(re.findall(r"(?m)^ +(\w+):", shown))
    for page, names in SHOWN_BY_PAGES.items():
        text = (PACKAGE / "docs" / f"{page}.md").read_text("utf-8")
        given |= {name for name in names if re.search(rf"`{name}\b", text)}
    assert given.issuperset(arguments), set(arguments) - given


def test_the_seed_holds_columns_of_the_demos_file() -> None:
    with (EXAMPLE / "seeds" / "compas.csv").open(encoding="utf-8", newline="") as file:
        mine = list(csv.DictReader(file))
    with (PACKAGE / "fairsql" / "demo" / "compas.csv").open(encoding="utf-8", newline="") as file:
        theirs = list(csv.DictReader(file))
    assert mine == [{name: row[name] for name in mine[0]} for row in theirs]


@pytest.mark.parametrize("file", generate_macro_docs.FILES)
def test_the_macros_are_documented_as_they_are(file: str) -> None:
    written = (PACKAGE / file).read_text("utf-8")
    assert written == generate_macro_docs.yaml_text(file), "run python -m tools.generate_macro_docs"


def test_the_guides_table_is_current() -> None:
    written = generate_macro_docs.GUIDE.read_text("utf-8")
    assert written == generate_macro_docs.guide(), "run python -m tools.generate_macro_docs"
