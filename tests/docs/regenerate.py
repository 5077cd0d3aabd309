"""Write what the commands of the pages in docs/tests print: ``python -m tests.docs.regenerate``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb

from fairsql.config.models import TESTS
from tests.docs.pages import ROOT, Example, examples, text


def shown(example: Example, printed: str) -> str:
    """Return what a page shows: of a run of a suite all but notes and the time it took."""
    if not example.command.startswith("fairsql run"):
        return printed.rstrip()
    first, *others = printed.rstrip().split("\n\n")
    if "tests.json" in example.command:
        return first
    return "\n\n".join([first, *(part for part in others[:-1] if not part.startswith("Notes\n"))])


def written(document: str, folder: Path) -> str:
    """Return a page with what its commands print."""
    page = text(document)
    for example in examples(document):
        done = example.run(folder)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{document}: {example.command}: {done.stderr}")
        block = f"$ {example.command}\n{example.shown}```"
        assert block in page
        page = page.replace(block, f"$ {example.command}\n{shown(example, done.stdout)}\n```", 1)
    return page


def main() -> None:
    """Run every command of every page, and write the pages."""
    with tempfile.TemporaryDirectory() as folder:
        with duckdb.connect(str(Path(folder) / "examples.duckdb")) as opened:
            opened.execute(text("docs/tests/examples.sql"))
        for kind in TESTS:
            document = f"docs/tests/{kind.replace('_', '-')}.md"
            (ROOT / document).write_text(written(document, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
