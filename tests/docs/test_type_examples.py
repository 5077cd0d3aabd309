"""Every example of the pages in docs/tests is run, on the tables of their examples.sql."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from ruamel.yaml import YAML

import fairsql
from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.config.models import TESTS
from fairsql.config.tests_json_names import TYPES
from tests.docs.pages import Example, blocks, examples, text
from tests.docs.test_type_pages import kinds, page

if TYPE_CHECKING:
    from fairsql.config.base import Test

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


def test_the_tables_are_made_as_the_overview_says(tmp_path: Path) -> None:
    (tmp_path / "examples.sql").write_text(text("docs/tests/examples.sql"), encoding="utf-8")
    (command,) = blocks("docs/tests/README.md")
    assert Example({}, command, "").run(tmp_path).returncode == 0
    with duckdb.connect(str(tmp_path / "examples.duckdb"), read_only=True) as made:
        assert made.sql("select count(*) from applications").fetchall() == [(4526,)]


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
    if kind in TYPES.values():  # the others have no subtype there
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
def test_the_dbt_test_of_a_page_is_one_of_its_suite_and_as_it_is_judged(
    kind: str, folder: Path
) -> None:
    example = next(one for one in examples(page(kind)) if "fairsql.yml" in one.command)
    (folder / "fairsql.yml").write_text(example.files["fairsql.yml"], encoding="utf-8")
    suite = fairsql.load_suite(folder / "fairsql.yml")
    with duckdb.connect(str(folder / "examples.duckdb"), read_only=True) as opened:
        run = suite.run(opened)
        for of, fields in dbt_tests(page(kind)):
            test = build_test(of, name="dbt", **fields)
            asked = {one.name: one.model_dump(exclude={"name"}) for one in suite.tests}
            name = next(name for name, own in asked.items() if own == written(test))
            result = next(result for result in run.tests if result.name == name)
            rows = opened.execute(verdict_sql(of, fields)).fetchall()
            assert (result.status == "passed") == (not rows)


def written(test: Test) -> dict[str, Any]:
    return test.model_dump(exclude={"name"})


def verdict_sql(kind: str, fields: dict[str, Any]) -> str:
    """Return the statement of a dbt test, which gives no row when it has passed."""
    macros = macros_for("duckdb")
    arguments = dict(fields)
    relation, thresholds = arguments.pop("relation"), arguments.pop("thresholds", None)
    assert arguments.pop("where") is None
    parameters = macros.call("catalogue")["types"][kind]["parameters"]
    assert set(arguments) <= set(parameters)
    given = {name: arguments.get(name) for name in parameters}
    macro = f"default__fairsql_test_{kind}"
    return str(macros.call(macro, relation, None, given, thresholds, None))
