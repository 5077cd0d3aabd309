"""What the documents show is what happens: links, suites, SQL, numbers and commands."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from ruamel.yaml import YAML

import fairsql
from fairsql.config import tests_json_names
from fairsql.config.filters import FilterOperator
from fairsql.config.parse import read_judge
from fairsql.metrics import MEASUREMENTS, METRICS, PARITY_METRICS
from fairsql.results import to_dict
from fairsql.weighted import is_weightable, weighted
from tests.docs.pages import ROOT, blocks, run, table_rows, text
from tests.golden_cases import CASES, connection, golden_path

DOCUMENTS = (
    "README.md",
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md"))),
    "fairsql/demo/README.md",
)
LOANS = "gender,approved\n" + "F,1\nF,0\nF,0\nM,1\nM,1\n" * 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the README's suite and a table that it fits."""
    suite, _dbt = blocks("README.md", "yaml")
    (tmp_path / "fairsql.yml").write_text(suite, encoding="utf-8")
    (tmp_path / "loans.csv").write_text(LOANS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", text(document))
    missing = [link for link in links if not (ROOT / document).parent.joinpath(link).exists()]
    assert not missing


def test_the_suite_of_the_readme_runs(folder: Path) -> None:
    (command,) = [block for block in blocks("README.md") if block.startswith("fairsql run ")]
    done = run("-m", *command.split(), folder=folder)
    assert done.returncode == 1, done.stderr  # 0.33 of the women, all men
    assert "Approval by gender" in done.stdout
    result = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    shown = json.loads(blocks("README.md", "json")[0])
    assert set(shown) <= set(result["tests"][0]["groups"][0])


def test_the_python_of_the_readme_runs(folder: Path) -> None:
    (program,) = blocks("README.md", "python")
    done = run("-c", program, folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("failed 0.333")


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    done = run("-m", "fairsql", "demo", "demo", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    (shown,) = [block for block in blocks("README.md") if "False alarms by race" in block]
    for part in shown.split("\n\n"):
        assert part.strip() in done.stdout
    results = json.loads((tmp_path / "demo" / "results.json").read_text(encoding="utf-8"))
    false_alarms = next(t for t in results["tests"] if t["name"] == "False alarms by race")
    group = json.loads(blocks("README.md", "json")[0])
    assert {name: false_alarms["groups"][0][name] for name in group} == group


def test_the_readme_lists_every_metric_with_its_columns() -> None:
    listed: dict[str, tuple[set[str], str]] = {}
    for names, columns, direction in table_rows("README.md", "`parity_metric`"):
        for name in re.split("`?, `?", names):
            listed[name] = (set(re.split("`?, `?", columns)), direction)
    assert listed == {
        name: (
            {*metric.inputs, *(["positive_values"] if metric.needs_positive_values else [])},
            metric.direction or "as `higher_is_better` says",
        )
        for name, metric in PARITY_METRICS.items()
    }


# --- the suite file --------------------------------------------------------------------------


def test_every_measurement_is_listed() -> None:
    names = [row[0] for row in table_rows("docs/suite-file.md", "measurement")]
    assert names == list(MEASUREMENTS)


def test_the_suite_of_the_page_runs(tmp_path: Path) -> None:
    suite = blocks("docs/suite-file.md", "yaml")[0]
    (tmp_path / "fairsql.yml").write_text(suite, encoding="utf-8")
    people = "F,1,900\nF,0,\nM,1,2000\nM,1,2000\nN/A,0,\n" * 40
    (tmp_path / "loans.csv").write_text("gender,approved,amount\n" + people, encoding="utf-8")
    command = ("run", "fairsql.yml", "--data", "loans=loans.csv", "--json", "-")
    approval, amounts = json.loads(run("-m", "fairsql", *command, folder=tmp_path).stdout)["tests"]
    assert (approval["status"], approval["measurements"]["min_metric_ratio"]) == ("failed", 0.5)
    assert approval["rows"]["missing_attribute"] == 40
    # 900 is more than 500 below the mean of all three thirds, 4900 / 3; nobody's gender is missing.
    assert [limit["passed"] for limit in amounts["thresholds"]] == [False, True]


def test_the_filters_of_the_page_filter(tmp_path: Path) -> None:
    filters = blocks("docs/suite-file.md", "yaml")[1]
    fields = {
        "name": "Approval",
        "type": "group_metric_parity",
        "relation": "loans",
        "protected_attribute_columns": ["gender"],
        "parity_metric": "rate",
        "value_column": "approved",
        "positive_values": ["1"],
        "higher_is_better": True,
    }
    own = "".join(f"    {line}\n" for line in filters.splitlines())
    written = "".join(f"    {name}: {json.dumps(value)}\n" for name, value in fields.items())
    suite = f"version: 1\ntests:\n  - {(written + own).lstrip()}"
    (tmp_path / "fairsql.yml").write_text(suite, encoding="utf-8")
    right = "web,18,2024-06-30 23:00:00,"
    people = [f"F,1,{right}", f"M,1,{right}fine", f"F,1,branch,{right[4:]}",
              f"M,0,web,17,{right[7:]}", f"M,0,{right}a demo",
              "F,0,app,20,2024-07-01 00:00:00,"]  # fmt: skip
    header = "gender,approved,channel,age,decided_at,note\n"
    (tmp_path / "loans.csv").write_text(header + "\n".join(people * 40) + "\n", encoding="utf-8")
    command = ("run", "fairsql.yml", "--data", "loans=loans.csv", "--json", "-")
    (test,) = json.loads(run("-m", "fairsql", *command, folder=tmp_path).stdout)["tests"]
    assert (test["status"], test["rows"]["total"]) == ("passed", 80)
    operators = [name for row in table_rows("docs/suite-file.md", "operator") for name in
                 re.split("`?, `?", row[0])]  # fmt: skip
    assert sorted(operators) == sorted(get_args(FilterOperator))


# --- a tests.json ----------------------------------------------------------------------------


def test_the_tests_json_of_the_page_runs_and_converts(tmp_path: Path) -> None:
    (items,) = blocks("docs/tests-json.md", "json")
    mapping, judges = blocks("docs/tests-json.md", "yaml")
    written = YAML(typ="safe").load(judges)
    assert [fault for one in written["judges"] for fault in read_judge(one)[1]] == []
    (tmp_path / "tests.json").write_text(items, encoding="utf-8")
    whole = "Approval rate by gender: {evaluation_window: null, delay_window: null}\n"
    (tmp_path / "mapping.yml").write_text(mapping + whole, encoding="utf-8")
    people = ["F,1,web,0.9,1", "F,0,app,0.1,1", "M,1,web,0.5,0", "M,1,branch,0.7,1"]
    header = "gender,approved,channel,score,repaid\n"
    (tmp_path / "loans.csv").write_text(header + "\n".join(people * 20) + "\n", encoding="utf-8")
    said = ("tests.json", "--relation", "loans", "--mapping", "mapping.yml")
    data = ("--data", "loans=loans.csv", "--json", "-")
    done = run("-m", "fairsql", "run", *said, *data, folder=tmp_path)
    assert done.returncode == 4
    approval, ranking, relevancy = json.loads(done.stdout)["tests"]
    assert (approval["status"], approval["measurements"]["min_metric_ratio"]) == ("failed", 0.5)
    assert approval["rows"]["total"] == 60
    assert (ranking["status"], ranking["thresholds"][0]["value"]) == ("failed", 0.7)
    assert ranking["thresholds"][0]["observed"] == pytest.approx(2 / 3)
    assert relevancy["name"] == "Ranking and answers [2]"
    assert relevancy["message"].startswith("answerRelevancy needs a judge")

    done = run("-m", "fairsql", "convert", *said, folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "Wrote fairsql.yml: 2 tests.\n")
    again = run("-m", "fairsql", "run", "fairsql.yml", *data, folder=tmp_path)
    tests = json.loads(again.stdout)["tests"]
    assert [test["measurements"] for test in tests] == [
        approval["measurements"],
        ranking["measurements"],
    ]


def test_the_names_of_a_tests_json_are_listed_as_they_are_read() -> None:
    assert dict(table_rows("docs/tests-json.md", "subtype")) == dict(tests_json_names.TYPES)
    assert dict(table_rows("docs/tests-json.md", "measurement")) == dict(tests_json_names.METRICS)
    page = text("docs/tests-json.md")
    judged = dict(table_rows("docs/tests-json.md", "judged measurement"))
    assert judged == dict(tests_json_names.JUDGED_METRICS)
    for name in tests_json_names.RUBRIC_TYPES:
        assert f"`{name}`" in page
    for name in tests_json_names.READ:
        assert name in page
    assert all(f"`{name}`" in page for name in get_args(FilterOperator))


# --- how it works ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, Any]]:
    """The document's test, run on the golden table: the statement's rows, and the result."""
    (block,) = blocks("docs/how-it-works.md", "yaml")
    suite = tmp_path_factory.mktemp("suite") / "suite.yml"
    suite.write_text(f"version: 1\ntests:\n{block}", encoding="utf-8")
    opened = connection()
    result = fairsql.load_suite(suite).run(opened).tests[0]
    return opened, to_dict(result)


def test_the_explained_test_is_the_golden_one() -> None:
    (block,) = blocks("docs/how-it-works.md", "yaml")
    (case,) = CASES["rate"]
    assert f"name: {case['name']}" in block
    assert f"relation: {case['relation']}" in block


def test_the_explained_sql_is_the_golden_sql() -> None:
    golden = golden_path("rate").read_text(encoding="utf-8")
    shown = blocks("docs/how-it-works.md", "sql")
    assert len(shown) == 3
    assert all(block in golden for block in shown)


def test_the_explained_chain_is_the_golden_chain() -> None:
    golden = golden_path("rate").read_text(encoding="utf-8")
    parts = re.findall(r"(?m)^(?:with )?(\w+) as \($", golden)
    assert [row[0] for row in table_rows("docs/how-it-works.md", "part |")] == parts


def test_the_raw_keys_can_be_counted_by_hand(example: tuple[Any, dict[str, Any]]) -> None:
    opened, _ = example
    counted = opened.sql(
        "select coalesce('''' || gender || '''', 'null'), count(*), count(approved), sum(approved)"
        " from loans group by gender order by gender nulls last"
    ).fetchall()
    shown = table_rows("docs/how-it-works.md", "`attribute_1`")
    assert shown == [[str(value) for value in row] for row in counted]


def test_the_returned_rows_are_shown(example: tuple[Any, dict[str, Any]]) -> None:
    opened, _ = example
    columns = (
        "is_whole, coalesce(key_1, 'null'), rows_total, missing_metric_inputs,"
        " missing_attribute, evaluated, positives"
    )
    statement = golden_path("rate").read_text(encoding="utf-8").rstrip().rstrip(";")
    rows = opened.sql(f"select {columns} from ({statement})").fetchall()
    shown = table_rows("docs/how-it-works.md", "`is_whole`")
    assert shown == [[str(value) for value in row] for row in rows]


def test_the_verdict_is_the_one_explained(example: tuple[Any, dict[str, Any]]) -> None:
    _, result = example
    women, men = result["groups"]
    assert result["status"] == "failed"
    shown = text("docs/how-it-works.md")
    assert f"130 / 255 = {women['value']:.4f} and 84 / 117 = {men['value']:.4f}" in shown
    assert f"= {women['ratio']:.4f}, its gap {women['difference']:.4f}" in shown
    assert f"p = {women['p_value']:.5f}." in shown
    # The sum of Fisher's probabilities in whole-number arithmetic.
    assert women["p_value"] == pytest.approx(1.820165358573836e-04, rel=1e-9)


# --- the report ------------------------------------------------------------------------------


def test_the_hash_of_the_report_is_computed_as_its_page_says(folder: Path) -> None:
    assert run("-m", "fairsql", "demo", "demo", folder=folder).returncode == 0
    (program,) = blocks("docs/report.md", "python")
    done = run("-c", program, folder=folder / "demo")
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_sql_of_a_groups_rows_is_as_the_page_shows(folder: Path) -> None:
    warehouse = fairsql.connect("duckdb://", data={"loans": str(folder / "loans.csv")})
    result = fairsql.group_metric_parity(
        warehouse,
        "loans",
        protected_attribute_columns=["gender"],
        parity_metric="rate",
        value_column="approved",
        positive_values=["1"],
        higher_is_better=True,
    )
    warehouse.close()
    (shown,) = blocks("docs/report.md", "sql")
    assert shown in [group.rows_sql for group in result.groups]


# --- weights ---------------------------------------------------------------------------------


def test_the_suite_of_weights_runs_as_its_page_says(tmp_path: Path) -> None:
    (suite,) = blocks("docs/weights.md", "yaml")
    (tmp_path / "fairsql.yml").write_text(suite, encoding="utf-8")
    people = "F,1,1\nF,0,3\nF,1,0\nM,1,2\nM,1,2\n" * 40
    table = "gender,approved,sampling_weight\n" + people
    (tmp_path / "loans.csv").write_text(table, encoding="utf-8")
    command = ("run", "fairsql.yml", "--data", "loans=loans.csv", "--json", "-")
    (result,) = json.loads(run("-m", "fairsql", *command, folder=tmp_path).stdout)["tests"]
    assert result["approximate"] is True
    assert result["measurements"]["min_metric_ratio"] == 0.25  # 40 / 160 of the women's weight
    assert "40 rows have the weight 0" in " ".join(result["notes"])
    women = next(group for group in result["groups"] if group["key"] == {"gender": "F"})
    statistics = women["statistics"]
    assert statistics["weight_positives"] / statistics["weight_sum"] == women["value"] == 0.25
    # The formulas of the page: 160² / 400 effective women, and 80 equal men.
    n, m = statistics["weight_sum"] ** 2 / statistics["squared_weight_sum"], 80
    assert n == pytest.approx(64)
    pooled = (n * 0.25 + m * 1) / (n + m)
    z = (1 - 0.25) / math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    assert women["p_value"] == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-9)


def test_the_statistics_of_weights_are_those_listed() -> None:
    listed = " ".join(cell for row in table_rows("docs/weights.md", "metric |") for cell in row)
    named = {
        name
        for metric in METRICS.values()
        for name in (weighted(metric).family.statistics if is_weightable(metric) else ())
        if "weight" in name
    }
    patterns = ("_tp", "_fp", "_fn", "_tn", "_negatives")
    assert not [name for name in named if name not in listed and not name.endswith(patterns)]
