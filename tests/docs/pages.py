"""A page as its reader finds it: tables, blocks of code, and commands with what they print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = {"python": "example.py", "json": "tests.json", "sql": "example.sql"}


def text(document: str) -> str:
    """Return a document, by its path from the root of the repository."""
    return (ROOT / document).read_text(encoding="utf-8")


def fenced(document: str) -> list[tuple[str, str]]:
    """Return the language and the text of every fenced block, in order."""
    return re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", text(document))


def blocks(document: str, language: str = "") -> list[str]:
    """Return the fenced blocks of a language; without one, those that name none."""
    return [block for named, block in fenced(document) if named == language]


def table_rows(document: str, header: str) -> list[list[str]]:
    """Return the rows of the table whose header starts like this."""
    _, _, after = text(document).partition(f"| {header}")
    body = after.split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip(" `") for cell in line.strip("| ").split("|")] for line in body]


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with this repository's package, on a terminal of 100 columns."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@dataclass(frozen=True)
class Example:
    """A command, the files that it reads, and what the page says it prints."""

    files: dict[str, str]
    command: str
    shown: str

    def run(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Write the files and run the command in a folder, as a reader would."""
        for name, content in self.files.items():
            (folder / name).write_text(content, encoding="utf-8")
        program, *arguments = shlex.split(self.command)
        assert program in ("fairsql", "python")
        module = ("-m", "fairsql") if program == "fairsql" else ()
        return run(*module, *arguments, folder=folder)


def examples(document: str) -> Iterator[Example]:
    """Yield the commands of a page; each reads the latest file of its kind that stands above it.

    A ``console`` block holds a command after ``$`` and what it prints. Of YAML, what starts with
    ``version`` is the suite ``fairsql.yml``, what starts with ``models`` is dbt's, and any other
    is ``mapping.yml``.
    """
    files: dict[str, str] = {}
    for language, block in fenced(document):
        if language == "console":
            command, _, shown = block.removeprefix("$ ").partition("\n")
            yield Example(dict(files), command, shown)
        elif language == "yaml":
            name = {"version": "fairsql.yml", "models": ""}.get(block.split(":")[0], "mapping.yml")
            files |= {name: block} if name else {}
        elif language in FILES:
            files[FILES[language]] = block
