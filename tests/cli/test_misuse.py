"""What is easily got wrong on a first day, and the sentence that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import fairsql
from tests.cli.samples import DATA, call, suite_of

TEST = {
    "protected_attribute_columns": ["sex"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}


def message(relation: str, **changes: Any) -> str:
    warehouse = fairsql.connect("duckdb://", data={"fair": "fair.csv"})
    return fairsql.group_metric_parity(warehouse, relation, **{**TEST, **changes}).message or ""


@pytest.mark.parametrize(
    ("options", "code", "fragment"),
    [
        (["--data", "fair=fare.csv"], 4, "there is no file 'fare.csv'. Did you mean 'fair.csv'?"),
        (["--data", "fair=no*.csv"], 4, "data fair: cannot read 'no*.csv': IO Error: No files"),
        (["--data", "fair=latin.csv"], 4, "not utf-8 encoded."),
        (["--connection", "own.duckdb"], 2, "Did you mean 'duckdb:///own.duckdb'?"),
        (["--connection", "duckdb:///fair.csv"], 2, "as in --data fair=fair.csv."),
        (["--connection", "duckdb:///."], 4, "there is no DuckDB file '.'."),
        (["--connection", "duckdb:///passed.yml"], 4, "is not a valid DuckDB database file."),
        (["--connection", "duckdb://"], 4, "Table with name fair does not exist. There are no"),
    ],
)
def test_where_the_data_is(options: list[str], code: int, fragment: str) -> None:
    Path("latin.csv").write_bytes(b"sex,approved\n\xff,1\n")
    result = call("run", "passed.yml", *options, env={"COLUMNS": "300"})
    assert result.exit_code == code
    assert fragment in result.output
    assert "!." not in result.output


def test_a_relation_and_a_filter_of_other_names() -> None:
    assert message("far").endswith("Table with name far does not exist. Nearest: fair.")
    assert message("(select sexx from fair)").endswith('Nearest columns: "sex".')
    assert message("fair", where="aproved = 1").endswith('Nearest columns: "approved".')


@pytest.mark.parametrize(
    ("where", "fragment"),
    [
        ("sex =", "but is 'sex =' (Something is missing at '=')."),
        ("sex = 'F", "but is \"sex = 'F\" (Missing ' from 1:"),
        ("(sex = 'F'", "(Expecting ) at"),
        ("approved = 1 group by sex", "(Invalid expression / Unexpected token at 'group by')."),
    ],
)
def test_a_filter_that_is_none(where: str, fragment: str) -> None:
    Path("where.yml").write_text(suite_of("fair") + f"    where: |-\n      {where}\n")
    result = call("run", "where.yml", *DATA)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: where.yml, test 'approvals by sex', where: ")
    assert fragment in result.stderr


@pytest.mark.parametrize(
    "relation", ["select\nsex, approved from fair", "with f as (from fair) select * from f"]
)
def test_a_select_without_parentheses(relation: str) -> None:
    with pytest.raises(fairsql.ConfigurationError, match="a select stands in parentheses"):
        message(relation)


@pytest.mark.parametrize("data", [["fair.csv"], "fair.csv"])
def test_data_that_has_no_name(data: Any) -> None:
    with pytest.raises(fairsql.ConfigurationError, match="data: must map names to files"):
        fairsql.connect("duckdb://", data=data)


def test_a_path_in_place_of_a_url() -> None:
    with pytest.raises(fairsql.ConfigurationError, match=r"Did you mean 'duckdb:///own\.duckdb'"):
        fairsql.connect(Path("own.duckdb"))


def test_a_call_without_anything() -> None:
    with duckdb.connect() as connection, pytest.raises(fairsql.ConfigurationError) as caught:
        fairsql.group_metric_parity(connection, "loans")
    assert str(caught.value).splitlines()[0].startswith("protected_attribute_columns: is required")


def test_a_set_is_no_list() -> None:
    with pytest.raises(fairsql.ConfigurationError, match=r"Write it as a list\.$"):
        message("fair", positive_values={"1"})


def test_one_pattern_may_stand_alone() -> None:
    suite = fairsql.load_suite("failed.yml")
    assert [test.name for test in suite.select("*1").tests] == ["approvals by sex 1"]


def test_a_bad_line_of_csv_is_explained_and_not_shown() -> None:
    lines = ["sex,approved", *["F,1"] * 40_000, "F,secret"]
    Path("fair.csv").write_text("\n".join(lines))
    said = message("fair")
    assert "CSV Error on Line: 40002" in said
    assert 'Error when converting column "approved"' in said
    assert "secret" not in said


def test_errors_are_counted() -> None:
    Path("nowhere.yml").write_text(suite_of("nowhere", "nowhere"))
    assert "2 errors · 0 scans" in call("run", "nowhere.yml", *DATA).stdout
