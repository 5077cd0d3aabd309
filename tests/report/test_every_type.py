"""What every output shows of every type of test: a panel a part, strata together, metrics."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import duckdb
import pytest
from rich.cells import cell_len

from fairsql.config import build_test
from fairsql.report import (
    ASCII,
    UNICODE,
    Marks,
    breaking_groups,
    insights,
    parse_run,
    render_html,
)
from fairsql.report.detectable import detectable_gaps
from fairsql.report.html.page import page as report_page
from fairsql.report.listings import groups_left, listings, plain_odds_ratio
from fairsql.report.spelling import spelt_run
from fairsql.report.words import asked, headline, size
from fairsql.suite import Suite
from tests.cli.samples import call
from tests.report.every_type import ADMISSIONS, SUITE, applicants, every_type, result
from tests.report.runs import HOSTILE
from tests.report.samples import page, run_of

if TYPE_CHECKING:
    from pathlib import Path

    from fairsql.results import TestResult

STRATIFIED, SEVERAL = "Admissions by sex within departments", "Equalized odds by sex"
CLASSES, GAPS = "Recall of each grade by sex", "Standardized score gap by sex"
CONDITION, METRICS = "Waiting time of every department", "Quality of the prediction"
NAMES = [test.name for test in every_type().tests]


def titles(test: TestResult) -> list[str | None]:
    return [listing.title for listing in listings(test)]


# --- what is listed ----------------------------------------------------------------------------


def test_each_part_has_a_table_and_strata_have_one_together() -> None:
    departments = [f"department {name}" for name in "ABCDEF"]
    assert titles(result(STRATIFIED)) == [*departments, "all strata together"]
    assert titles(result(SEVERAL)) == ["recall", "false positive rate", "precision", "F1"]
    assert titles(result(CLASSES)) == [f"class {name}" for name in ("high", "low", "middle")]
    for name in set(NAMES) - {STRATIFIED, SEVERAL, CLASSES, "Quality where nobody is"}:
        assert titles(result(name)) == [None]


def test_all_strata_together_show_that_the_comparison_turns_round() -> None:
    # The plain odds ratio from the counts; the pooled one is R's, which has it the other way round:
    # mantelhaen.test(UCBAdmissions)$estimate is 0.9046968.
    men, women = ([ADMISSIONS[place, sex] for place in "ABCDEF"] for sex in ("Male", "Female"))
    (yes, no), (her_yes, her_no) = (map(sum, zip(*counts, strict=True)) for counts in (men, women))
    (pooled,) = result(STRATIFIED).pooled
    assert plain_odds_ratio(pooled) == pytest.approx((her_yes / her_no) / (yes / no), rel=1e-12)
    assert pooled.odds_ratio == pytest.approx(1 / 0.9046968, rel=1e-6)
    ((name, cells),) = list(listings(result(STRATIFIED)))[-1].rows
    assert name == "Female"
    assert cells == {
        "rate": "0.3035",
        "compared with": "Male",
        "its rate": "0.4452",
        "odds ratio": "0.5432",
        "within strata": "1.105",
        "p": "0.2169",
        "": "turned round",
    }


@pytest.mark.parametrize(
    ("value", "reference_value", "odds_ratio"),
    [(0.5, 0.5, 1.0), (0.5, 0.0, None), (1.0, 0.5, None), (0.0, 0.5, 0.0)],
)
def test_an_odds_ratio_that_would_divide_by_zero_is_none(
    value: float, reference_value: float, odds_ratio: float | None
) -> None:
    pooled = replace(result(STRATIFIED).pooled[0], value=value, reference_value=reference_value)
    assert plain_odds_ratio(pooled) == odds_ratio


def test_a_condition_has_its_limit_and_nothing_to_compare() -> None:
    (listing,) = listings(result(CONDITION))
    assert not {"ratio", "gap", "p"} & set(listing.rows[0][1])
    assert listing.rows[-1][0] == "limit"
    assert listing.rows[-1][1]["value"] == "<= 20"


def test_a_standardized_difference_has_a_gap_and_no_value() -> None:
    (listing,) = listings(result(GAPS))
    assert list(listing.rows[0][1]) == ["rows", "share", "gap", "p", ""]


def test_metrics_of_all_rows_are_one_table_with_their_thresholds() -> None:
    (listing,) = listings(result(METRICS))
    assert listing.named == "metric"
    assert [(name, cells["threshold"], cells[""]) for name, cells in listing.rows] == [
        ("recall", ">= 0.5", ""),
        ("precision", ">= 0.9", "failed"),
        ("auc", ">= 0.5", ""),
        ("accuracy", ">= 0.5 and < 0.999", ""),
    ]
    assert {cells["rows"] for _, cells in listing.rows} == {"4,526"}
    (unread,) = list(listings(result("Quality where nobody is")))
    assert unread.rows[0][1]["value"] == "–"


def test_there_is_room_for_so_many_groups_over_all_parts() -> None:
    found = list(listings(result(STRATIFIED), most=3))
    assert [listing.groups for listing in found] == [2, 1, 0]
    assert found[-1].title == "all strata together"
    assert groups_left(result(STRATIFIED), 3) == 9
    assert groups_left(result(SEVERAL)) == 0


@pytest.mark.parametrize(
    ("name", "text", "of"),
    [
        (STRATIFIED, "rate(admitted) in applicants within each department", "12 groups"),
        (GAPS, "standardized_mean_difference(score) in applicants", "2 groups"),
        (SEVERAL, "equalized_odds, precision, f1(predicted, admitted) in applicants", "2 groups"),
        (CLASSES, "recall(predicted_grade, grade) of each class in applicants", "2 groups"),
        (CONDITION, "mean(waited) <= 20 in applicants", "6 groups"),
        ("Rows of every department", "count(*) >= 100 in applicants", "6 groups"),
        (
            METRICS,
            "recall, precision, auc, accuracy(predicted, admitted, score) in applicants",
            "4 metrics",
        ),
    ],
)
def test_a_line_says_what_was_asked(name: str, text: str, of: str) -> None:
    assert asked(result(name)) == text
    assert size(result(name)) == of


def test_a_score_is_asked_for_with_its_decision() -> None:
    test = result(SEVERAL)
    parameters = {**test.parameters, "prediction_column": None, "score_column": "score",
                  "decision_threshold": 0.5}  # fmt: skip
    assert "(score, admitted) at 0.5 or more in" in asked(replace(test, parameters=parameters))


def test_a_condition_that_holds_says_how_near_it_was() -> None:
    text = headline(result("Rows of every department"))
    assert text == "failing_group_count 0, lowest_group_value 584"


# --- which groups broke a threshold ------------------------------------------------------------


def broken_by(name: str, measurement: str) -> list[tuple[str, str | None, str | None]]:
    test = result(name)
    observed = test.measurements[measurement]
    limit = replace(test.thresholds[0], measurement=measurement, observed=observed, passed=False)
    return [
        (next(iter(group.key.values())), group.metric, (group.stratum or {}).get("department"))
        for group in breaking_groups(replace(test, thresholds=(limit,)))
    ]


def test_the_groups_that_lie_furthest_apart_broke_a_difference() -> None:
    odds = result(SEVERAL).measurements
    assert odds["equalized_odds_difference"] == odds["recall_difference"]
    assert broken_by(SEVERAL, "equalized_odds_difference") == [("Female", "recall", None)]
    assert broken_by(SEVERAL, "equalized_odds_ratio") == [("Female", "false_positive_rate", None)]
    assert broken_by(SEVERAL, "precision_ratio") == [("Female", "precision", None)]
    assert broken_by(STRATIFIED, "statistical_parity_difference") == [("Male", "rate", "A")]
    assert broken_by(STRATIFIED, "impact_ratio") == [("Male", "rate", "A")]
    assert broken_by(CONDITION, "highest_group_value") == [("E", None, None)]
    assert broken_by(CONDITION, "lowest_group_value") == [("B", None, None)]
    assert broken_by(STRATIFIED, "mantel_haenszel_odds_ratio") == []


# --- sentences ---------------------------------------------------------------------------------


def sentences(name: str) -> list[str]:
    return [insight.text for insight in insights(result(name), 1)]


def test_sentences_say_what_matters_of_each_type() -> None:
    stratified = sentences(STRATIFIED)
    assert stratified[0].startswith("1 group fails: Male in A. ")
    assert stratified[1] == (
        "Over all rows Female has the lower rate, 0.3035 against 0.4452 of Male (odds ratio"
        " 0.5432); but within department its odds are higher (Mantel-Haenszel 1.105, p ="
        " 0.2169). The strata turn the comparison round."
    )
    assert any(text.startswith("department A: Male has the lowest") for text in stratified)
    assert (
        "1 of 12 groups is too small to judge (fewer than 30 rows): Female in B (25)." in stratified
    )
    assert sentences(SEVERAL)[0].startswith(
        "1 group fails: Female (false positive rate, precision and F1). "
    )
    assert sentences(CLASSES)[0] == "No group fails in any of 3 classes."
    assert sentences(GAPS)[0] == (
        "Female has the largest gap to the reference Male: 0.7278 standard deviations."
    )
    assert sentences(CONDITION)[:2] == [
        "1 group does not meet the condition: E (26.64). The mean of every group must be ≤ 20.",
        "It goes from 14.38 (B) to 26.64 (E).",
    ]
    assert sentences(METRICS)[:2] == [
        "precision is 0.7309, and must be ≥ 0.9.",
        "The other 4 thresholds hold.",
    ]


def test_of_many_parts_those_that_matter_most_are_told() -> None:
    test = result(STRATIFIED)
    own = [insight for insight in insights(test) if insight.kind == "part"]
    assert own[0].facts["part"] == "department A"
    assert len(own) == 4
    assert "In 1 more part some group is worse too: see the tables." in sentences(STRATIFIED)


def test_standard_deviations_are_no_gap_that_rows_could_show() -> None:
    assert detectable_gaps(result(GAPS)) == {}
    assert detectable_gaps(result("Mean score by sex")) != {}


# --- the terminal ------------------------------------------------------------------------------


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("marks", [UNICODE, ASCII])
@pytest.mark.parametrize("width", [20, 40, 60, 80, 110, 200])
def test_nothing_is_wider_than_the_terminal(width: int, marks: Marks, verbose: bool) -> None:
    for line in page(every_type().tests, width, marks, verbose=verbose).splitlines():
        assert cell_len(line) <= width


def test_a_failed_test_of_several_parts_shows_those_that_broke() -> None:
    text = page([result(STRATIFIED)])
    assert "\n  department A\n  sex" in text
    assert "department C" not in text
    assert "all strata together" in text
    assert "department C" in page([result(STRATIFIED)], verbose=True)
    assert "\n  precision  0.7309              >= 0.9  4,526  failed" in page([result(METRICS)])
    assert "limit             <= 20" in page([result(CONDITION)])


def test_groups_without_room_are_counted_over_all_parts() -> None:
    test = result(SEVERAL)
    many = tuple(
        replace(group, key={"sex": f"s{number}"}, failed=True)
        for group in test.groups
        for number in range(4)
    )
    limits = (replace(test.thresholds[0], measurement="failing_group_count"),)
    assert "… and 22 more groups: -v lists all" in page(
        [replace(test, groups=many, thresholds=limits)]
    )


# --- text for programs and pull requests -------------------------------------------------------


def test_markdown_has_a_table_for_each_part() -> None:
    text = every_type().to_markdown()
    assert text.count("\ndepartment ") == 6
    assert "\nall strata together:\n\n| <code>sex</code> | rate | compared with |" in text
    assert "| <code>metric</code> | value | interval | threshold | rows |  |" in text
    assert "| <code>limit</code> |" in text
    tables = re.findall(r"(?m)^\|.*\n\|[ -:|]+\n(?:\|.*\n)*", text)
    assert len(tables) > 20
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_a_test_of_all_rows_has_no_count_of_groups() -> None:
    assert (
        "| <code>Quality of the prediction</code> | precision 0.7309, wants &#62;= 0.9 | – |"
        in (every_type().to_markdown())
    )
    assert every_type()._repr_html_().count(">–<") == 2


def test_markdown_with_little_room_counts_what_it_leaves_out() -> None:
    from fairsql.report.markdown import run_markdown

    for limit in (2_000, 4_000, 8_000):
        text = run_markdown(every_type(), limit)
        assert len(text) <= limit


def test_junit_lists_parts_and_metrics() -> None:
    cases = {
        case.get("name"): case.findtext("system-out") or ""
        for case in ElementTree.fromstring(every_type().to_junit()).iter("testcase")  # noqa: S314
    }
    assert list(cases) == NAMES
    assert "\ndepartment A:\nMale: rows 825" in cases[STRATIFIED]
    assert "\nall strata together:\nFemale: rate 0.3035, compared with Male" in cases[STRATIFIED]
    assert (
        "\nprecision: value 0.7309, interval 0.7109 to 0.7500, threshold >= 0.9" in cases[METRICS]
    )


def test_a_narrow_encoding_spells_strata_and_classes() -> None:
    test = result(STRATIFIED)
    stratum = {"fakultät": "ж"}
    group = replace(test.groups[0], stratum=stratum)
    part = replace(test.parts[0], stratum=stratum)
    spelt = spelt_run(run_of(replace(test, groups=(group,), parts=(part,))), "ascii").tests[0]
    assert spelt.groups[0].stratum == spelt.parts[0].stratum == {"fakult\\xe4t": "\\u0436"}
    assert len(spelt.facets()[0].groups) == 1


# --- pictures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_every_type(name: str) -> None:
    test = result(name)
    html = test._repr_html_()
    for listing in listings(test):
        assert listing.title is None or listing.title in html
    drawn = json.dumps(test.plot().to_dict())
    for part in test.facets():
        assert part.facet is None or part.facet in drawn


def test_a_plot_has_the_lines_of_conditions_gaps_and_thresholds() -> None:
    def lines(name: str) -> str:
        return json.dumps(result(name).plot().to_dict(), ensure_ascii=False)

    assert "dashed: must be ≤ 20" in lines(CONDITION)
    assert "dashed: fails beyond 0.2" in lines(GAPS)
    assert "solid: compared with Male, 0" in lines(GAPS)
    assert "dashed: must be < 0.999" in lines(METRICS)


def test_the_page_has_a_panel_for_each_part() -> None:
    tests = {test.name: test for test in report_page(every_type()).tests}
    panels = tests[STRATIFIED].panels
    assert [panel.title for panel in panels] == [
        *(f"department {name}" for name in "ABCDEF"), "All strata together",
    ]  # fmt: skip
    assert [panel.picture is not None for panel in panels] == [True] * 6 + [False]
    assert [panel.title for panel in tests[METRICS].panels] == [None]
    assert tests[METRICS].panels[0].picture is None
    (gaps,) = tests[GAPS].panels
    assert gaps.picture is not None
    assert "fails above 0.2" in gaps.picture.wide
    (condition,) = tests[CONDITION].panels
    assert condition.picture is not None
    assert "must be ≤ 20" in condition.picture.wide
    assert condition.table is not None
    assert "Ratio" not in [column.title for column in condition.table.columns]
    # The rows of a group are the same for each metric, so their query is there once.
    assert len(tests[SEVERAL].queries) == 2
    assert len(tests[STRATIFIED].queries) == 12
    assert tests[STRATIFIED].queries[0][1] == "A: Male"
    measured = {limit.title: limit.observed for limit in tests[METRICS].limits}
    assert measured["AUC"] == "0.8307"


# --- through the command line ------------------------------------------------------------------


def test_the_command_line_writes_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    applicants("shop.duckdb").close()
    outputs = {"--json": "r.json", "--html": "r.html", "--markdown": "r.md", "--junit": "r.xml",
               "--csv": "r.csv", "--history": "h.duckdb"}  # fmt: skip
    options = [text for pair in outputs.items() for text in pair]
    ran = call("run", str(SUITE), "--connection", "duckdb:///shop.duckdb", *options)
    assert ran.exit_code == 1, ran.output
    assert "3 passed · 8 failed · 1 skipped" in ran.stdout
    for name in outputs.values():
        assert (tmp_path / name).stat().st_size > 1000
    run = parse_run((tmp_path / "r.json").read_text(encoding="utf-8"), "r.json")
    assert [test.status for test in run.tests] == [test.status for test in every_type().tests]
    again = call("report", "r.json", "-o", "again.html", "--history", "h.duckdb")
    assert again.exit_code == 0, again.output
    text = (tmp_path / "again.html").read_text(encoding="utf-8")
    assert "All strata together" in text
    assert "This is the first run in the history." in text


# --- names that do harm ------------------------------------------------------------------------


def test_strata_and_classes_of_any_name_stay_text() -> None:
    connection = duckdb.connect()
    connection.execute("create table people (place varchar, sex varchar, yes int, said varchar)")
    names = [name for name in HOSTILE if "\x00" not in name]
    for number, name in enumerate(names):
        connection.execute(
            "insert into people select ?, case when i % 2 = 0 then 'F' else 'M' end,"
            " (i % 3 < ?)::int, ? from range(80) as r(i)",
            [name, number % 3, name],
        )
    shared: dict[str, Any] = {
        "relation": "people",
        "protected_attribute_columns": ["sex"],
        "min_group_share": 0,
    }
    run = Suite(
        (
            build_test(
                name="strata", type="group_outcome_disparity", outcome_column="yes",
                favorable_values=["1"], stratify_by_columns=["place"], **shared,
            ),
            build_test(
                name="classes", type="group_performance_parity", performance_metrics=["recall"],
                prediction_column="said", ground_truth_column="place", per_class=True, **shared,
            ),
        )
    ).run(connection)  # fmt: skip
    assert [len(test.parts) for test in run.tests] == [len(names)] * 2
    assert parse_run(run.to_json(), "f") == run
    html = render_html(run)
    assert "<script>alert" not in html
    assert html.count("</script>") == 1
    # What is copied and downloaded is whole; what is shown has no direction of its own.
    assert "\u202e" not in re.sub(r'data-(copy|v|name)="[^"]*"', "", html)
    markdown = run.to_markdown()
    assert "<script" not in markdown
    assert "@everyone" not in markdown
    ElementTree.fromstring(run.to_junit())  # noqa: S314 - ours
    text = page(run.tests, 80, verbose=True)
    assert "\x1b[31m" not in text
    assert "\u202e" not in text
    for test in run.tests:
        assert "<script>alert" not in test._repr_html_()
        assert test.plot().to_dict()
