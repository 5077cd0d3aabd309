"""A dbt project written to a folder, run by dbt, and read back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[2]


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
    def create(cls, root: Path, output: Mapping[str, Any], **files: str) -> Project:
        """Write a project whose one target is ``output``; ``files`` maps path -> text."""
        root.mkdir(parents=True, exist_ok=True)
        project = cls(root)
        settings = {
            "name": "shop",
            "version": "1.0.0",
            "config-version": 2,
            "profile": "shop",
            "flags": {"send_anonymous_usage_stats": False},
        }
        profile = {"shop": {"target": "dev", "outputs": {"dev": dict(output)}}}
        project.write("dbt_project.yml", json.dumps(settings))
        project.write("profiles.yml", json.dumps(profile))
        packages = {"packages": [{"local": str(package_copy(root))}]}
        project.write("packages.yml", json.dumps(packages))
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
        }
        command = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *arguments]
        return subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            text=True,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def outcomes(self) -> dict[str, Outcome]:
        """Return the last run's outcome of each node, by the node's name."""
        results = json.loads((self.root / "target" / "run_results.json").read_text())["results"]
        return {
            result["unique_id"].split(".")[2]: Outcome(
                result["status"], result["failures"], result["message"]
            )
            for result in results
        }


def package_copy(root: Path) -> Path:
    """Return a copy of the package without anything a dbt run would leave in the checkout."""
    copy = root / "_package"
    for name in ("macros", "dialects"):
        for source in (PACKAGE / name).rglob("*"):
            if source.is_file():
                target = copy / source.relative_to(PACKAGE)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
    (copy / "dbt_project.yml").write_bytes((PACKAGE / "dbt_project.yml").read_bytes())
    return copy


def literal(value: Any) -> Any:
    """Return a value for YAML that dbt's Jinja renders to just that value."""
    if isinstance(value, str) and ("{{" in value or "{%" in value or "{#" in value):
        return "{{ " + repr(value) + " }}"
    if isinstance(value, list | tuple):
        return [literal(item) for item in value]
    if isinstance(value, dict):
        return {key: literal(item) for key, item in value.items()}
    return value
