"""What is shipped: the wheel and the source archive are whole, and dbt reads the root cleanly."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from fairsql.version import __version__

ROOT = Path(__file__).resolve().parents[1]
DBT_PARTS = ("dbt_project.yml", "macros", "dialects")


def wheel_names(project: Path, folder: Path) -> set[str]:
    (path,) = WheelBuilder(str(project)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as wheel:
        return set(wheel.namelist())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return wheel_names(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.mark.parametrize("folder", ["macros", "dialects"])
def test_the_wheel_carries_the_sql_of_the_dbt_package(wheel: set[str], folder: str) -> None:
    files = {f"fairsql/sql/{path.relative_to(ROOT).as_posix()}" for path in sql_files(folder)}
    assert files, f"{folder}/ holds no SQL"
    assert {name for name in wheel if name.startswith(f"fairsql/sql/{folder}/")} >= files


@pytest.mark.parametrize(
    "name",
    [
        "fairsql/py.typed",
        "fairsql/demo/README.md",
        "fairsql/demo/adult.csv",
        "fairsql/demo/compas.csv",
        "fairsql/demo/suite.yml",
        "fairsql/report/html/report.css",
        "fairsql/report/html/report.js",
        "fairsql/report/html/templates/report.html.jinja",
        f"fairsql-{__version__}.dist-info/entry_points.txt",
        f"fairsql-{__version__}.dist-info/licenses/LICENSE",
    ],
)
def test_the_wheel_carries(wheel: set[str], name: str) -> None:
    assert name in wheel


def test_the_wheel_installs_one_package_only(wheel: set[str]) -> None:
    assert {name.split("/")[0] for name in wheel} == {"fairsql", f"fairsql-{__version__}.dist-info"}


def test_the_source_archive_gives_the_same_wheel(wheel: set[str], tmp_path: Path) -> None:
    (path,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / f"fairsql-{__version__}"
    assert all((unpacked / part).exists() for part in DBT_PARTS)
    assert wheel_names(unpacked, tmp_path) == wheel


def test_the_dbt_package_has_the_same_version() -> None:
    project = (ROOT / "dbt_project.yml").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^version: *['\"]?([^'\"\s]+)", project) == [__version__]


def test_dbt_parses_the_root_without_a_warning(tmp_path: Path) -> None:
    project = dbt_package(tmp_path / "fairsql")
    write_profile(project, "fairsql_tests")
    # The package has no profile of its own: a user's project brings one.
    output = dbt(project, "parse", "--profile", "fairsql_tests")
    assert not re.search(r"(?i)\bwarn|deprecat", output), output


def test_a_project_that_depends_on_it_gets_no_node_of_ours(tmp_path: Path) -> None:
    user = tmp_path / "user"
    (user / "models").mkdir(parents=True)
    (user / "models" / "loans.sql").write_text("select 1 as approved")
    (user / "dbt_project.yml").write_text("name: user\nprofile: user\n")
    write_profile(user, "user")
    # Where `dbt deps` puts packages, with something to find in each folder dbt looks into.
    (user / "dbt_packages").mkdir()
    package = dbt_package(user / "dbt_packages" / "fairsql")
    for folder in ("models", "tests", "analyses"):
        (package / folder).mkdir()
        (package / folder / f"trap_in_{folder}.sql").write_text("select 1 as approved")
    (package / "seeds").mkdir()
    (package / "seeds" / "trap_in_seeds.csv").write_text("approved\n1\n")
    assert dbt(user, "--quiet", "ls", "--output", "name").split() == ["loans"]


def sql_files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.sql"))


def dbt_package(folder: Path) -> Path:
    """A copy of what dbt reads, so that its logs and its target stay out of the checkout."""
    folder.mkdir()
    for part in DBT_PARTS:
        source = ROOT / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / part)
    return folder


def write_profile(project: Path, name: str) -> None:
    (project / "profiles.yml").write_text(
        f"{name}: {{target: test, outputs: {{test: {{type: duckdb, path: ':memory:'}}}}}}\n"
    )


def dbt(project: Path, *arguments: str) -> str:
    """What dbt printed; any warning of it, a deprecation too, is an error."""
    settings = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_USE_COLORS": "false"}
    run = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", "--warn-error", *arguments],
        cwd=project,
        env=os.environ | settings | {"DBT_PROFILES_DIR": str(project)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout
