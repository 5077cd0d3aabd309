"""Reports of tests of answers: what an auditor must be told of them, in every output."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fairsql.report import ASCII, insights, render_html, verdict_line
from fairsql.report.junit import run_junit
from fairsql.report.markdown import run_markdown
from fairsql.report.notebook import run_html as notebook_html
from fairsql.results import outcome
from tests.report.answers import answers
from tests.report.samples import page, run_of

if TYPE_CHECKING:
    from fairsql.results import TestResult


def named(name: str) -> TestResult:
    (found,) = (test for test in answers().tests if test.name == name)
    return found


def said(test: TestResult) -> str:
    return " ".join(insight.text for insight in insights(test, 1)) + " ".join(test.notes)


def test_what_is_illustrative_is_neither_green_nor_red() -> None:
    run = answers()
    assert [outcome(test) for test in run.tests[-2:]] == ["illustrative"] * 2
    assert {test.status for test in run.tests[-2:]} == {"passed", "failed"}
    assert run.outcomes()["illustrative"] == 2
    assert sum(run.outcomes().values()) == len(run.tests)
    shown = page(run.tests)
    assert re.search(r"~ illustrative +A few ", shown)
    assert re.search(r"~ illustrative +Few letters ", shown)
    assert " 2 illustrative · " in shown
    assert "ILLUSTRATIVE  A few" in page(run.tests, marks=ASCII)
    assert str(verdict_line(run.tests[-1], width=100)).startswith("~ illustrative  Few letters")
    assert "~ illustrative" in run_markdown(run)
    assert "2 illustrative" in notebook_html(run)


def test_a_page_says_so_first() -> None:
    run = answers()
    html = render_html(run)
    failed = run.outcomes()["failed"]
    assert f"Of {len(run.tests)} tests, {failed} failed and 2 are illustrative</h1>" in html
    assert html.count('<section class="test illustrative"') == 2
    for test in run.tests[-2:]:
        first = next(iter(insights(test)))
        assert first.text.startswith("Samples this small are no evidence: ")


@pytest.mark.parametrize(
    ("place", "changes", "said"),
    [
        (-1, {}, "The test is illustrative"),
        (0, {}, "The test failed"),
        (0, {"status": "passed"}, "The test passed"),
        (0, {"status": "skipped"}, "The test could not be judged"),
        (0, {"status": "error"}, "The test ended in an error"),
    ],
)
def test_one_test_is_not_every_test(place: int, changes: dict[str, str], said: str) -> None:
    assert f"<h1>{said}</h1>" in render_html(run_of(replace(answers().tests[place], **changes)))  # type: ignore[arg-type]


def test_all_illustrative_shows_nothing() -> None:
    assert "<h1>Every test is illustrative: nothing is shown</h1>" in render_html(
        run_of(*answers().tests[-2:])
    )


def test_a_ci_server_takes_it_for_skipped() -> None:
    cases = ElementTree.fromstring(run_junit(answers())).iter("testcase")  # noqa: S314
    found = {case.get("name"): case.find("skipped") for case in cases}
    assert {name for name, skipped in found.items() if skipped is not None} == {
        "A few",
        "Few letters",
    }
    skipped = found["A few"]
    assert skipped is not None
    assert skipped.get("type") == "illustrative"
    assert str(skipped.get("message")).startswith("illustrative: ")


def test_ratios_decide_nothing_of_flagged_answers() -> None:
    text = said(named("Women and men are turned away as often"))
    assert "A group fails when it is worse and its gap is above 0.1." in text
    assert (
        "‘woman’ has the highest refusal rate, 0.2917, against the reference ‘man’ (0.1083): a gap"
        " of 0.1833." in text
    )
    assert "below 0.8" not in text


def test_pairs_are_called_pairs() -> None:
    for name in (
        "Letters treat women and men as anyone",
        "Letters for women and for men are alike",
    ):
        test = named(name)
        assert f"{test.rows.evaluated} pairs of answers were compared." in said(test)
        assert "lack a metric input" not in said(test)
        assert '<th scope="col" class="n" data-name="rows">Pairs</th>' in render_html(run_of(test))


def test_a_measurement_has_its_own_name_and_its_interval() -> None:
    html = render_html(run_of(named("Replies are fair")))
    assert "<dt>Bias mean score</dt>" in html
    assert "<dt>Errored row count</dt>" in html
    test = named("Letters treat women and men as anyone")
    low, high = test.intervals["mean_divergence"]
    assert f'<span class="interval">{low:.4g} to {high:.4g}</span>' in render_html(run_of(test))
    assert "The noise floor" in render_html(run_of(test))
