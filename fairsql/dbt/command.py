"""dbt itself, as a program: where it is, what it is asked, and what its complaints come to."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairsql.errors import ConfigurationError

_TIME = re.compile(r"(\x1b\[[0-9;]*m|\d\d:\d\d:\d\d\s+)+")
_NO_NEWS = ("Encountered an error:", "> in macro", "> called by")


@dataclass(frozen=True)
class Dbt:
    """How dbt is called for one project.

    Attributes
    ----------
    root
        The project's folder.
    options
        The options by which dbt finds the same profile and target.
    announce
        Called with the command before it runs, since dbt takes seconds.
    """

    root: Path
    options: tuple[str, ...] = ()
    announce: Callable[[str], None] = lambda _: None

    def parse(self) -> None:
        """Write the manifest anew."""
        self._run("parse")

    def compile(self, models: Iterable[str]) -> None:
        """Write the manifest anew, with the SQL of these models in it."""
        self._run("compile", "--select", *models)

    def selected_tests(self, select: Sequence[str], exclude: Sequence[str]) -> set[str]:
        """Return the ids of the tests that dbt selects; the manifest is written anew."""
        chosen = [word for text in select for word in text.split()]
        left_out = [word for text in exclude for word in text.split()]
        printed = self._run(
            *("ls", "--resource-type", "test", "--output", "json", "--output-keys", "unique_id"),
            *(["--select", *chosen] if chosen else []),
            *(["--exclude", *left_out] if left_out else []),
        )
        lines = (line for line in printed.splitlines() if line.startswith("{"))
        return {str(json.loads(line)["unique_id"]) for line in lines}

    def _run(self, *arguments: str) -> str:
        program = _program()
        if program is None:
            raise ConfigurationError(
                f"{self.root}: `dbt {arguments[0]}` must read the project, and there is no dbt"
                f" beside {sys.executable} or on PATH; pip install dbt-core and its adapter."
            )
        self.announce(f"dbt {arguments[0]}")
        done = subprocess.run(  # noqa: S603 - the user's own dbt, on the user's own project
            [program, "--quiet", "--no-use-colors", *arguments, *self.options],
            cwd=self.root,
            env={**os.environ, "PYTHONUTF8": "1"},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            complaint = _complaint(done.stdout + done.stderr)
            raise ConfigurationError(f"`dbt {arguments[0]}` ended with: {complaint}")
        return done.stdout


def _program() -> str | None:
    beside = Path(sys.executable).parent
    return shutil.which("dbt", path=beside) or shutil.which("dbt")


def _complaint(printed: str) -> str:
    r"""Return what dbt printed without times, colours and the stack of its macros.

    >>> _complaint("11:17:45  Encountered an error:\n11:17:45  Parsing Error\n  Why.")
    'Parsing Error\n  Why.'
    """
    lines = [_TIME.sub("", line).rstrip() for line in printed.splitlines()]
    told = [line for line in lines if line and not line.strip().startswith(_NO_NEWS)]
    return "\n".join(told) or "no message."
