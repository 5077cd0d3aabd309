"""A dbt project written to a folder, run by dbt, and read back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[2]
SETTINGS = {
    "name": "shop",
    "version": "1.0.0",
    "config-version": 2,
    "profile": "shop",
    "flags": {"send_anonymous_usage_stats": False, "validate_macro_args": True},
}


@dataclass(frozen=True)
class Outcome:
    """What one node of a run came to: pass, warn, fail, success, error."""

    status: str
    failures: int | None
    message: str | None


@dataclass(frozen=True)
class Project:
    """A folder with a dbt project that uses this package."""

    root: Path

    @classmethod
    def create(
        cls, root: Path, output: Mapping[str, Any], files: Mapping[str, str], **settings: Any
    ) -> Project:
        """Write a project whose one target is ``output``; ``files`` maps path -> text.

        The package stands where ``dbt deps`` would put it, which saves that command.
        """
        project = cls(root)
        profile = {"shop": {"target": "dev", "outputs": {"dev": dict(output)}}}
        project.write("dbt_project.yml", json.dumps({**SETTINGS, **settings}))
        project.write("profiles.yml", json.dumps(profile))
        copy_package(root / "dbt_packages" / "fairsql")
        for path, text in files.items():
            project.write(path, text)
        return project

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def dbt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run dbt in the project and return what it printed."""
        environment = {
            **os.environ,
            "DBT_PROFILES_DIR": str(self.root),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            "DO_NOT_TRACK": "1",
            "DBT_USE_COLORS": "false",
        }
        command = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *arguments]
        return subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            text=True,
            encoding="utf-8",
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def done(self, *arguments: str) -> str:
        """Run dbt, which must succeed, and return what it printed."""
        finished = self.dbt(*arguments)
        assert finished.returncode == 0, finished.stdout[-4000:] + finished.stderr[-2000:]
        return finished.stdout

    def outcomes(self) -> dict[str, Outcome]:
        """Return the last run's outcome of each node, by the node's name."""
        results = json.loads((self.root / "target" / "run_results.json").read_text())["results"]
        return {
            result["unique_id"].split(".")[2]: Outcome(
                result["status"], result["failures"], result["message"]
            )
            for result in results
        }


def copy_package(copy: Path) -> None:
    """Copy what dbt reads of the package, so that no run leaves anything in the checkout."""
    for name in ("macros", "dialects"):
        shutil.copytree(PACKAGE / name, copy / name)
    shutil.copy(PACKAGE / "dbt_project.yml", copy)


def literal(value: Any) -> Any:
    """Return a value for YAML that dbt's Jinja renders to just that value."""
    if isinstance(value, str) and ("{{" in value or "{%" in value or "{#" in value):
        return "{{ " + repr(value) + " }}"
    if isinstance(value, list | tuple):
        return [literal(item) for item in value]
    if isinstance(value, dict):
        return {key: literal(item) for key, item in value.items()}
    return value
