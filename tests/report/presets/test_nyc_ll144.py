"""The example of the rule of Local Law 144 (6 RCNY, section 5-301), from rows to its tables."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.report import parse_run
from fairsql.report.presets.nyc_ll144 import local_law_144
from fairsql.suite import Suite
from tests.cli.samples import call
from tests.fixtures.test_published import RACE, RACE_AND_SEX, SEX, UNKNOWN
from tests.report.every_type import every_type
from tests.report.runs import full_run

if TYPE_CHECKING:
    from fairsql.results import Run

SETTINGS: dict[str, Any] = {
    "parity_metric": "rate",
    "value_column": "selected",
    "positive_values": ["1"],
    "higher_is_better": True,
    "min_group_size": 1,
    "min_group_share": 0.02,
    "missing_attribute_values": ["Unknown"],
}
# The ratios of the rule's example, from rates that are not rounded.
PEOPLE = sum(rows for rows, _ in RACE_AND_SEX.values())
RACE_RATIOS = {
    "Hispanic": 0.967233,
    "White": 1.0,
    "Black": 0.843229,
    "Native Hawaiian or Pacific Islander": 0.845313,
    "Asian": 0.948391,
    "Two or more": 0.871872,
}


def table(connection: duckdb.DuckDBPyConnection, name: str, columns: str, counts: Any) -> None:
    """Make a table of people from the rows and the selected rows of each category."""
    connection.execute(f"create table {name} ({columns}, selected int)")
    for key, (rows, selected) in counts.items():
        keys = key if isinstance(key, tuple) else (key,)
        marks = ", ".join("?" for _ in keys)
        connection.execute(
            f"insert into {name} select {marks}, (i < {selected})::int from range({rows}) as r(i)",
            list(keys),
        )


OUTCOME: dict[str, Any] = {
    "type": "group_outcome_disparity",
    "outcome_column": "selected",
    "favorable_values": ["1"],
    **{name: SETTINGS[name] for name in (
        "min_group_size", "min_group_share", "missing_attribute_values"
    )},
}  # fmt: skip


@cache
def audit_of_outcomes() -> Run:
    return audited(OUTCOME)


@cache
def audit(**changes: Any) -> Run:
    return audited({**SETTINGS, **changes})


def audited(settings: dict[str, Any]) -> Run:
    connection = duckdb.connect()
    table(connection, "by_sex", "sex varchar", {**SEX, "Unknown": UNKNOWN})
    table(connection, "by_race", "race varchar", {**RACE, "Unknown": UNKNOWN})
    both = {**RACE_AND_SEX, ("Unknown", "Male"): UNKNOWN}
    table(connection, "by_both", "race varchar, sex varchar", both)
    wanted = {"by_sex": ["sex"], "by_race": ["race"], "by_both": ["race", "sex"]}
    return Suite(
        tuple(
            build_test(name=name, relation=name, protected_attribute_columns=columns, **settings)
            for name, columns in wanted.items()
        )
    ).run(connection)


def tables(text: str) -> dict[str, dict[tuple[str, ...], list[str]]]:
    """Return the tables by their titles: category -> its cells."""
    found = {}
    for section in text.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        width = title.count(" and ") + 1
        lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        found[title] = {tuple(row[:width]): row[width:] for row in rows}
    return found


def test_the_tables_are_those_of_the_rule() -> None:
    found = tables(local_law_144(audit()))
    assert list(found) == ["sex", "race", "race and sex"]
    # The rule prints 48 % and 47 %, 1.00 and 0.979.
    assert found["sex"] == {
        ("Female",): ["1,181", "555", "46.99 %", "0.9793"],
        ("Male",): ["1,390", "667", "47.99 %", "1.000"],
    }
    for race, (rows, selected) in RACE.items():
        cells = found["race"][race,]
        assert [cells[0], cells[1]] == [f"{rows}", f"{selected}"]
        assert float(cells[2].removesuffix(" %")) == pytest.approx(100 * selected / rows, abs=0.005)
        if race in RACE_RATIOS:
            assert float(cells[3]) == pytest.approx(RACE_RATIOS[race], abs=0.00005)
    assert set(found["race and sex"]) == set(RACE_AND_SEX)
    best = 215 / 412  # White men
    for (race, sex), (rows, selected) in RACE_AND_SEX.items():
        *counts, _, ratio = found["race and sex"][race, sex]
        assert counts == [f"{rows}", f"{selected}"]
        if rows / PEOPLE >= 0.02:
            assert float(ratio) == pytest.approx(selected / rows / best, abs=0.00005)


def test_a_category_under_two_percent_is_shown_without_a_ratio_and_with_the_reason() -> None:
    text = local_law_144(audit())
    found = tables(text)
    assert found["race"]["Native American",] == ["41", "18", "43.90 %", "left out"]
    # Its ratio would be 0.789, of 17 people.
    assert found["race and sex"]["Native American", "Female"] == [
        "17", "7", "41.18 %", "left out",
    ]  # fmt: skip
    left_out = {key for key, cells in found["race and sex"].items() if cells[-1] == "left out"}
    small = {key for key, (rows, _) in RACE_AND_SEX.items() if rows / PEOPLE < 0.02}
    assert left_out == small
    assert (
        '"Native American / Female" is left out of the ratios: it has 17 rows,'
        " 0.661 % of all, and under 2 %, so" in text
    )
    assert text.count("is left out of the ratios") == len(small) + 1
    assert "0.789" not in text


def test_the_unknown_are_counted_and_in_no_category() -> None:
    text = local_law_144(audit())
    assert text.count("is unknown: 250 rows.") == 3
    assert "In no category, since race or sex is unknown: 250 rows." in text
    assert "Unknown |" not in text


def test_a_setting_that_makes_other_numbers_is_named() -> None:
    assert "Not as the rule asks" not in local_law_144(audit())
    text = local_law_144(audit(min_group_size=30, min_group_share=0.05))
    assert text.count("**Not as the rule asks:** min_group_size is 30, and should be 1.") == 3
    assert text.count("min_group_share is 0.05, and should be 0.02.") == 3
    assert "higher_is_better is false" in local_law_144(audit(higher_is_better=False))


EMPTY = "**Not as the rule asks:** missing_attribute_values is empty"
LOUD = "**These ratios are not those of the rule:** "


def of_sexes(*missing: str, **counts: tuple[int, int]) -> str:
    """The table of a run on people of these sexes: rows and selected rows of each."""
    connection = duckdb.connect()
    table(connection, "people", "sex varchar", {k.replace("_", " "): v for k, v in counts.items()})
    settings = {**SETTINGS, "missing_attribute_values": list(missing)}
    test = build_test(name="t", relation="people", protected_attribute_columns=["sex"], **settings)
    return local_law_144(Suite((test,)).run(connection))


def test_an_unknown_category_that_became_the_reference_is_told_loudly() -> None:
    text = of_sexes(Female=(300, 150), Male=(300, 180), Unknown=(40, 40))
    assert EMPTY in text
    assert LOUD + '"Unknown" looks like an unknown category' in text
    assert "every ratio is divided by its rate" in text
    # Male has a ratio of 0.6 to it, though the rule would have 1.
    assert tables(text)["sex"]["Male",][-1] == "0.6000"


@pytest.mark.parametrize(
    "key", ["unknown", "N_A", "n/a", "Not specified", "Decline to answer", "MISSING", "(unknown)",
            "I prefer not to say", "Declined to self-identify", "None", "?"]
)  # fmt: skip
def test_a_category_that_looks_unknown_is_named(key: str) -> None:
    key = key.replace("N_A", "NA")
    text = of_sexes("other", **{"Female": (300, 200), "Male": (300, 180), key: (40, 4)})
    assert EMPTY not in text
    assert f'{LOUD}"{key}" looks like an unknown category' in text
    assert "every ratio is divided by its rate" not in text


@pytest.mark.parametrize(
    "key", ["Nonbinary", "Not Hispanic or Latino", "Native American", "Two or more races",
            "Nonspecific", "Known", "Missingham", "Naples", "Other"]
)  # fmt: skip
def test_a_category_that_is_one_is_not_named(key: str) -> None:
    text = of_sexes("Unknown", **{"Female": (300, 200), "Male": (300, 180), key: (40, 4)})
    assert LOUD not in text
    assert EMPTY not in text


def test_the_unknown_of_one_attribute_in_two_are_named_once_each() -> None:
    connection = duckdb.connect()
    counts = {(race, sex): (100, 50) for race in ("A", "B") for sex in ("F", "Unknown")}
    table(connection, "people", "race varchar, sex varchar", counts)
    test = build_test(
        name="t", relation="people", protected_attribute_columns=["race", "sex"],
        **SETTINGS | {"missing_attribute_values": []},
    )  # fmt: skip
    text = local_law_144(Suite((test,)).run(connection))
    assert LOUD + '"Unknown" looks like' in text
    assert text.count(LOUD) == 1


def test_a_category_that_is_hidden_is_named() -> None:
    text = local_law_144(audit(min_reported_rows=50))
    assert (
        "**Not as the rule asks:** min_reported_rows is 50, and hides the numbers of"
        ' "Native American".' in text
    )
    assert "hides the numbers" not in local_law_144(audit(min_reported_rows=2))


SCORED = {"Male": (92, 50), "Female": (83, 37)}
"""People and, of them, those with a score above the median of all, which is one of the 175."""


@cache
def scores(**changes: Any) -> Run:
    """Three tests of a system that scores; one person more has no score, and one no known sex."""
    connection = duckdb.connect()
    connection.execute("create table scored (race varchar, sex varchar, score double)")
    for sex, (people, above) in SCORED.items():
        connection.execute(
            "insert into scored select case when i % 2 = 0 then 'A' else 'B' end, ?,"
            f" i / 1000 + case when i < {above} then 1 else 0 end from range({people}) as r(i)",
            [sex],
        )
    connection.execute("insert into scored values ('A', 'Male', null), ('A', 'Unknown', 0.01)")
    settings = {
        "type": "group_score_disparity", "score_column": "score", "statistic": "scoring_rate",
        "higher_is_better": True, "min_group_size": 1, "min_group_share": 0.02,
        "missing_attribute_values": ["Unknown"], **changes,
    }  # fmt: skip
    tests = [
        build_test(name=" ".join(columns), relation="scored", protected_attribute_columns=columns,
                   **settings)
        for columns in (["sex"], ["race"], ["race", "sex"])
    ]  # fmt: skip
    return Suite(tuple(tests)).run(connection)


def test_a_scoring_rate_counts_those_above_the_median() -> None:
    text = local_law_144(scores())
    assert text.count("| rows | above the median | rate | impact ratio |") == 3
    # 37 / 83 and 50 / 92, and the one divided by the other.
    assert tables(text)["sex: scores"] == {
        ("Female",): ["83", "37", "44.58 %", "0.8202"],
        ("Male",): ["92", "50", "54.35 %", "1.000"],
    }
    assert "Not complete" not in text
    assert "Not as the rule asks" not in text
    assert "Without a score, and not counted: 1." in text
    assert "In no category, since sex is unknown: 1 row." in text


def test_a_scoring_rate_of_which_less_is_better_is_told() -> None:
    assert "higher_is_better is false" in local_law_144(scores(higher_is_better=False))


def test_rates_and_scores_each_want_three_tables() -> None:
    run = audit()
    both = replace(run, tests=(*run.tests, *scores().tests))
    assert "Not complete" not in local_law_144(both)
    text = local_law_144(replace(run, tests=(*run.tests, *scores().tests[:2])))
    assert "the rule asks for three tables of scores" in text
    assert "2 tables of one attribute and 0 of several" in text


def test_an_outcome_disparity_makes_the_tables_of_a_rate() -> None:
    text = local_law_144(audit_of_outcomes())
    assert tables(text) == tables(local_law_144(audit()))
    assert "Not as the rule asks" not in text


def test_a_stratified_test_is_not_part_of_the_tables() -> None:
    text = local_law_144(every_type())
    assert '"Admissions by sex within departments"' in text.rpartition("Not part of")[2]
    # Its plain twin is, and so is the parity test of the same rate.
    assert list(tables(text)) == ["sex", "sex: scores"]


def test_what_is_missing_is_said() -> None:
    run = audit()
    assert "Not complete" not in local_law_144(run)
    assert "1 table of one attribute and 1 of several" in local_law_144(
        replace(run, tests=run.tests[1:])
    )
    assert "0 tables of one attribute and 0 of several" in local_law_144(replace(run, tests=()))


def test_other_tests_and_skips_are_not_hidden() -> None:
    text = local_law_144(full_run())
    assert 'of no rate: "against everyone", "ranks".' in text
    assert re.search(r'(?s)"skips".*?\*\*Skipped:\*\* 1 of 1 groups', text)
    assert re.search(r'(?s)"errs".*?\*\*Error:\*\* cannot read', text)
    assert "| Few | &#60; 100 | – | – | – |" in text


def test_nothing_of_the_data_becomes_markup() -> None:
    text = local_law_144(full_run())
    assert "<script" not in text
    assert "](" not in text
    assert {line.count("|") for line in text.splitlines() if line.startswith("|")} == {6}


def test_the_command_prints_them(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    audit().write_json(path)
    result = call("report", str(path), "--preset", "nyc-ll144")
    assert result.exit_code == 0, result.output
    assert result.stdout == local_law_144(audit())
    call("report", str(path), "--preset", "nyc-ll144", "-o", str(tmp_path / "ll144.md"))
    assert (tmp_path / "ll144.md").read_text(encoding="utf-8") == result.stdout


def test_a_preset_of_a_results_file_is_that_of_the_run() -> None:
    run = full_run()
    again = parse_run(run.to_json(), "results.json")
    assert again.to_markdown() == run.to_markdown()
    assert local_law_144(again) == local_law_144(run)
