"""Every example of the pages in docs/tests is run, on the tables of their examples.sql."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from ruamel.yaml import YAML

import fairsql
from fairsql.config import build_test
from fairsql.config.models import TESTS
from tests.docs.pages import Example, blocks, examples, text
from tests.docs.test_type_pages import kinds, page

PAGES = [page(kind) for kind in TESTS]
EXAMPLES = [
    pytest.param(example, id=f"{Path(document).stem}-{number}")
    for document in PAGES
    for number, example in enumerate(examples(document), 1)
]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database that the README of docs/tests has its reader make."""
    path = tmp_path_factory.mktemp("examples") / "examples.duckdb"
    with duckdb.connect(str(path)) as opened:
        opened.execute(text("docs/tests/examples.sql"))
    return path


@pytest.fixture
def folder(tmp_path: Path, database: Path) -> Path:
    (tmp_path / "examples.duckdb").symlink_to(database)
    return tmp_path


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_command_prints_what_its_page_shows(example: Example, folder: Path) -> None:
    done = example.run(folder)
    assert done.returncode in (0, 1), done.stderr
    for part in example.shown.strip("\n").split("\n\n"):
        assert part in done.stdout


@kinds
def test_a_page_shows_every_way_to_ask(kind: str) -> None:
    commands = [example.command for example in examples(page(kind))]
    assert any(command.startswith("fairsql run fairsql.yml") for command in commands)
    assert any(command.startswith("python ") for command in commands)
    assert any(command.startswith("fairsql run tests.json") for command in commands)
    assert dbt_tests(page(kind))


def dbt_tests(document: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the kind and the fields of each dbt test that a page shows."""
    found = []
    for block in blocks(document, "yaml"):
        for model in YAML(typ="safe").load(block).get("models", ()):
            for test in model["data_tests"]:
                ((name, written),) = test.items()
                where = written.get("config", {}).get("where")
                fields = {"relation": model["name"], "where": where, **written["arguments"]}
                found.append((name.removeprefix("fairsql."), fields))
    return found


@kinds
def test_the_dbt_test_of_a_page_is_one_of_its_suite(kind: str, folder: Path) -> None:
    asked: list[fairsql.config.Test] = []
    for example in examples(page(kind)):
        if example.command.startswith("fairsql run fairsql.yml"):
            (folder / "fairsql.yml").write_text(example.files["fairsql.yml"], encoding="utf-8")
            asked += fairsql.load_suite(folder / "fairsql.yml").tests
    known = [test.model_dump(exclude={"name"}) for test in asked]
    for of, fields in dbt_tests(page(kind)):
        test = build_test(name="dbt", type=of, **fields)
        assert test.model_dump(exclude={"name"}) in known
        assert re.fullmatch(r"group_\w+|metric_threshold", of)
