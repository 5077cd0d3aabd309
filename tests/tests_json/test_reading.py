"""What a tests.json says, item by item: the fields it becomes, or why it cannot run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsql
from fairsql.config.tests_json import Item, read_items
from fairsql.config.tests_json_names import JUDGED_METRICS, METRICS, snake_case
from fairsql.errors import ConfigurationError
from tests.tests_json.samples import RATE, item, metric, parameters, read, threshold

LIMIT = {"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8}


def only(*items: Any) -> Item:
    (found,) = read_items(items)
    return found


def fields(*items: Any) -> dict[str, Any]:
    found = only(*items)
    assert found.message is None
    return dict(found.fields or {})


# --- what is read ----------------------------------------------------------------------------


def test_an_item_is_the_fields_of_a_test() -> None:
    assert fields(item()) == {
        "name": "Approval by gender",
        "type": "group_metric_parity",
        **RATE,
        "thresholds": [LIMIT],
    }
    assert only(item()).notes == ()


def test_parameters_may_be_in_camel_case_and_null_is_absent() -> None:
    written = {
        "protectedAttributeColumns": ["gender"],
        "parityMetric": "rate",
        "valueColumn": "approved",
        "positive_values": ["1"],
        "higherIsBetter": True,
        "minGroupSize": 5,
        "maxDifference": None,
    }
    found = fields(item(threshold(insightParameters=parameters(**written))))
    assert found == {**fields(item()), "min_group_size": 5}
    as_object = fields(item(threshold(insightParameters=written)))
    assert as_object == found


def test_thresholds_with_equal_parameters_are_one_test() -> None:
    other = parameters(**{**RATE, "min_ratio": 0.9})
    turned = list(reversed(parameters(**RATE)))
    thresholds = (
        threshold(),
        threshold(insightParameters=other),
        threshold(measurement="failingGroupCount", operator="<=", value=0),
        threshold(insightParameters=[*turned, {"name": "max_difference", "value": None}]),
        threshold(insightParameters=parameters(**{**RATE, "higher_is_better": 1})),
    )
    found = read_items([item(*thresholds)])
    assert [one.name for one in found] == [
        "Approval by gender",
        "Approval by gender [2]",
        "Approval by gender [3]",
    ]
    limits = [len((one.fields or {})["thresholds"]) for one in found]
    assert limits == [3, 1, 1]  # 1 is not true


def test_windows_are_seconds() -> None:
    weekly = fields(item(evaluationWindow=604800, delayWindow=0))
    assert (weekly["evaluation_window"], weekly["delay_window"]) == (604800, 0)
    assert "delay_window" not in fields(item(evaluationWindow=None, delayWindow=0))
    assert fields(item(delayWindow=60))["delay_window"] == 60


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        (("contains_none", ["a"]), ("contains_none", ["a"])),
        (("containsAny", ["a", "b"]), ("contains_any", ["a", "b"])),
        (("contains all", "a"), ("contains_all", ["a"])),
        (("oneOf", ["a"]), ("one_of", ["a"])),
        (("none-of", [1]), ("none_of", [1])),
        (("is", ["a"]), ("is", "a")),
        (("IS", 1), ("is", 1)),
        (("==", 1), ("is", 1)),
        (("is not", "a"), ("!=", "a")),
        (("!=", "a"), ("!=", "a")),
        ((">", "18"), (">", 18)),
        ((">=", " 1.5e3"), (">=", 1500.0)),
        (("<", "2024-03-01"), ("<", "2024-03-01")),
        (("<=", [7]), ("<=", 7)),
    ],
)
def test_a_subpopulation_is_filters(written: tuple[str, Any], ours: tuple[str, Any]) -> None:
    one = {"measurement": "age", "operator": written[0], "value": written[1]}
    expected = {"column": "age", "operator": ours[0], "value": ours[1]}
    found = fields(item(subpopulationFilters=[one, {**one, "measurement": "b"}]))["filters"]
    assert found == [expected, {**expected, "column": "b"}]
    assert [type(found[0]["value"])] == [type(ours[1])]
    (test,) = read(item(subpopulationFilters=[one])).tests.values()
    assert test.filters[0].column == "age"


def test_no_filters_are_none() -> None:
    nothings: tuple[Any, ...] = (None, [], ...)
    for nothing in nothings:
        assert "filters" not in fields(item(subpopulationFilters=nothing))


def test_what_is_not_read_is_noted() -> None:
    one = {"measurement": "age", "operator": "is", "value": 1, "label": "Age"}
    found = only(
        item(threshold(thresholdMode="manual", upper=1), archived=False, subpopulationFilters=[one])
    )
    assert found.notes == (
        "The tests.json has what was not read: 'archived', 'subpopulationFilters[0].label',"
        " 'thresholds[0].upper'.",
    )


def test_the_subtype_may_be_left_to_the_insight() -> None:
    assert fields(item(subtype=...)) == fields(item())
    assert fields(item(threshold(insightName=...))) == fields(item())


# --- metrics ---------------------------------------------------------------------------------

# The table of the published page on aggregate metrics, whose names are facts.
LISTED = re.findall(
    r"\w+",
    """
    answerRelevancy answerCorrectness contextRelevancy contextRecall correctness harmfulness
    coherence conciseness maliciousness faithfulness meanBleu1 meanBleu2 meanBleu3 meanBleu4
    meanEditDistance meanExactMatch meanJsonScore meanQuasiExactMatch meanSemanticSimilarity
    meanTokens maxTokens totalTokens meanLatency maxLatency p90Latency p95Latency p99Latency
    accuracy precisionPerClass recallPerClass f1PerClass precision recall f1 rocAuc
    falsePositiveRate geometricMean logLoss mse rmse mae r2 mape
    """,
)


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_metric_is_known(name: str) -> None:
    found = only(item(metric(name), subtype="metricThreshold"))
    assert found.type == "metric_threshold"
    ours = {**METRICS, **JUDGED_METRICS}[name]
    assert found.fields == {
        "name": "Approval by gender",
        "type": "metric_threshold",
        "thresholds": [{"measurement": ours, "operator": ">=", "value": 0.5}],
    }


def test_no_metric_is_known_that_is_not_listed() -> None:
    assert {*METRICS, *JUDGED_METRICS} - {*LISTED} == {"contextPrecision"}
    assert len(set(METRICS.values())) == len(METRICS)
    assert all(snake_case(name) == name for name in METRICS.values())


def test_a_judged_metric_leaves_the_others_their_test() -> None:
    thresholds = (metric("answerRelevancy"), metric("accuracy"), metric("f1"), metric("coherence"))
    first, second, third = read_items([item(*thresholds, subtype="metricThreshold")])
    assert [limit["measurement"] for limit in (first.fields or {})["thresholds"]] == [
        "accuracy",
        "f1",
    ]
    assert (second.name, third.name) == ("Approval by gender [2]", "Approval by gender [3]")
    for found, name in ((second, "answer_relevancy"), (third, "coherence")):
        (limit,) = (found.fields or {})["thresholds"]
        assert limit["measurement"] == name


@pytest.mark.parametrize("subtype", ["llmRubricThreshold", "llmRubricThresholdV2"])
def test_a_rubric_that_the_file_does_not_hold_is_asked_for(subtype: str) -> None:
    limit = {"measurement": "brandVoice", "operator": ">=", "value": 0.5}
    found = only(item(limit, subtype=subtype))
    assert str(found.message).startswith("brandVoice needs a judge with a rubric")


def test_a_metric_that_there_is_not_has_a_hint() -> None:
    found = only(item(metric("accurracy"), subtype="metricThreshold"))
    assert found.message == (
        "thresholds[0].measurement: there is no metric 'accurracy'. Did you mean 'accuracy'?"
    )


# --- what is wrong ---------------------------------------------------------------------------

deep: Any = 1
for _ in range(15):
    deep = [deep]
deeper: Any = {}
for _ in range(500):
    deeper = {"value": [deeper]}

WRONG: list[tuple[Any, str]] = [
    (5, 'must be an object such as {"name": …}, but is 5.'),
    (None, 'must be an object such as {"name": …}, but is null.'),
    (item(subpopulationFilters=deeper), "its values are nested too deeply."),
    (item(threshold(value=deeper)), "its values are nested too deeply."),
    (item(name=...), "name: is required: a text on one line that is not blank."),
    (item(name=" "), "name: is required: a text on one line that is not blank."),
    (item(name=7), "name: is required: a text on one line that is not blank."),
    (item(name="two\nlines"), "name: is required: a text on one line that is not blank."),
    (item(name="\ud800"), "name: is required: a text on one line that is not blank."),
    (item(thresholds=...), "thresholds: are required: a list of at least one threshold."),
    (item(thresholds=[]), "thresholds: are required: a list of at least one threshold."),
    (item(thresholds={}), "thresholds: must be a list, but is a mapping."),
    (item(3), "thresholds[0]: must be an object with insightName, insightParameters, measuremen"),
    (item(subtype="columnDrift"), "subtype: fairsql has no test like 'columnDrift'. It has group"),
    (item(subtype="groupMetricPartiy"), "'groupMetricPartiy'. Did you mean 'groupMetricParity'?"),
    (item(subtype=1), "subtype: must be one of groupMetricParity, groupOutcomeDisparity, "),
    (item(threshold(insightName=...), subtype=...), "subtype: is required: one of groupMetricPa"),
    (
        item(threshold(insightName="metrics")),
        "thresholds[0].insightName: must be groupMetricParity in a test of the subtype groupMetri",
    ),
    (item(threshold(insightName=[1])), "thresholds[0].insightName: must be groupMetricParity in"),
    (item(threshold(insightParameters=3)), "thresholds[0].insightParameters: must be a list of n"),
    (
        item(threshold(insightParameters=[{"nam": "x"}])),
        "insightParameters[0]: must be an object with name and value, but is one with 'nam'.",
    ),
    (item(threshold(insightParameters=[deep])), "insightParameters[0]: must be an object with na"),
    (
        item(threshold(insightParameters=[*parameters(**RATE), *parameters(parityMetric="auc")])),
        "thresholds[0].insightParameters: 'parityMetric' is given twice.",
    ),
    (
        item(threshold(insightParameters=[*parameters(**RATE), *parameters(where="1 = 1")])),
        "thresholds[0].insightParameters: 'where' is no parameter of an insight.",
    ),
    (item(threshold(measurement=...)), "thresholds[0].measurement: is required."),
    (item(threshold(measurement=[])), "thresholds[0].measurement: must be a name, but is an empt"),
    (item(threshold(measurement="ratio")), "thresholds[0].measurement: must be one of failing_gro"),
    (item(threshold(operator=None)), "thresholds[0].operator: is required."),
    (item(threshold(operator="~")), "thresholds[0].operator: must be one of >, >=, <, <=, is, !="),
    (item(threshold(operator=deep)), "thresholds[0].operator: must be one of >, >=, <, <=, is, !"),
    (item(threshold(value=...)), "thresholds[0].value: is required."),
    (item(threshold(value="high")), "thresholds[0].value: must be a finite number, but is 'high'."),
    (item(threshold(value=deep)), "thresholds[0].value: must be a finite number, but is a list of"),
    (
        item(threshold(thresholdMode="automatic")),
        "thresholds[0].thresholdMode: must be manual, since a limit that is set automatically is k",
    ),
    (item(subpopulationFilters="x"), "subpopulationFilters: must be null or a list of measurement"),
    (item(subpopulationFilters=[1]), "subpopulationFilters[0]: must be an object with measurement"),
    (
        item(subpopulationFilters=[{"measurement": "a", "operator": "is"}]),
        "subpopulationFilters[0].value: is required.",
    ),
    (
        item(subpopulationFilters=[{"measurement": "a", "operator": "like", "value": 1}]),
        "filters[0].operator: must be one of is, !=, >, >=, <, <=, one_of, none_of, contains_any,",
    ),
    (
        item(subpopulationFilters=[{"measurement": deep, "operator": "is", "value": deep}]),
        "filters[0].column: must be a column name, but is a list of 1.",
    ),
    (
        item(threshold(insightParameters=parameters(**{**RATE, "min_ratio": 2}))),
        "min_ratio: must be a number greater than 0 and at most 1, but is 2.",
    ),
    (
        item(threshold(insightParameters=parameters(**{**RATE, "min_rato": 0.8}))),
        "min_rato: is not a known key. Did you mean 'min_ratio'?",
    ),
]


@pytest.mark.parametrize(("written", "message"), WRONG)
def test_a_wrong_item_says_why_and_the_others_are_read(written: Any, message: str) -> None:
    found = read(written, item(name="Right"))
    first, second = found.items
    assert message in str(first.message)
    assert list(found.tests) == ["Right"]
    assert second.message is None
    json.dumps([first.name, first.type, first.message], ensure_ascii=False).encode()


def test_a_name_is_given_once() -> None:
    split = item(threshold(), threshold(insightParameters=parameters(**{**RATE, "alpha": 0.1})))
    again = item(name="Approval by gender [2]")
    found = read(split, again, item(), item())
    assert [one.name for one in found.items] == [
        "Approval by gender",
        "Approval by gender [2]",
        "Approval by gender [2] (item 2)",
        "Approval by gender (item 3)",
        "Approval by gender (item 4)",
    ]
    assert [one.message for one in found.items[2:]] == [
        "name: item 1 has the same name, 'Approval by gender [2]'.",
        "name: item 1 has the same name, 'Approval by gender'.",
        "name: item 1 has the same name, 'Approval by gender'.",
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
KEYS = st.sampled_from([*item(), "evaluationWindow", "delayWindow", "other"])
INNER = st.sampled_from([*threshold(), "thresholdMode", "other"])


@given(
    st.dictionaries(KEYS, JSON, max_size=3),
    st.dictionaries(INNER, JSON, max_size=3),
    st.lists(st.dictionaries(st.sampled_from(["measurement", "operator", "value"]), JSON)),
)
def test_whatever_stands_in_an_item_it_is_read_or_told(
    outer: dict[str, Any], inner: dict[str, Any], filters: list[Any]
) -> None:
    changed = item(**{"subpopulationFilters": filters, "thresholds": [threshold(**inner)], **outer})
    found = read(changed, item(name="The other one"), 5)
    assert "The other one" in found.tests
    assert all(one.message or one.name in found.tests for one in found.items)


# --- a file ----------------------------------------------------------------------------------


def load(folder: Path, content: Any, **options: Any) -> fairsql.Suite:
    path = folder / options.pop("name", "tests.json")
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return fairsql.load_suite(path, **options)


def test_a_file_is_known_by_its_content(tmp_path: Path) -> None:
    for name in ("tests.json", "tests", "tests.yml", "TESTS.JSON"):
        suite = load(tmp_path, json.dumps([item()], indent="\t"), name=name, relation="loans")
        assert suite.names == ("Approval by gender",)
    suite_file = {"version": 1, "tests": [{**fields(item()), "relation": "loans"}]}
    assert load(tmp_path, suite_file).tests == suite.tests


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "a tests.json lists objects, each a test, but this is an empty list."),
        ("[1, 2]", "a tests.json lists objects, each a test, but this is a list of 2."),
        ("[" * 100_000, "values are nested too deeply."),
        ("[{]", "not JSON"),
        ('[{"name": 1, "name": 2}]', "the key 'name' is written twice in one object."),
        ('[{"name": NaN}]', "NaN is not JSON."),
        ('"text"', "a suite is a mapping with the keys version and tests, but this is 'text'."),
    ],
)
def test_a_file_that_is_no_list_of_tests_is_refused(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, content, **({} if content == '"text"' else {"relation": "loans"}))
    assert message in str(caught.value)


def test_a_relation_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no table is named; give --relation NAME"):
        load(tmp_path, [item()])
    # What is answered by name needs none, and one test's own is enough to begin with.
    judged = item(metric("coherence"), subtype="metricThreshold", name="Judged")
    assert load(tmp_path, [judged]).unready[0].name == "Judged"
    mapping = {"Approval by gender": {"relation": "loans"}}
    suite = load(tmp_path, [item(), item(name="Other")], mapping=mapping)
    assert suite.unready[0].message.startswith("relation: no table is named")


def test_options_of_a_tests_json_are_not_for_a_suite_file(tmp_path: Path) -> None:
    suite_file = {"version": 1, "tests": [{**fields(item()), "relation": "loans"}]}
    for option in ("relation", "timestamp_column", "mapping"):
        with pytest.raises(ConfigurationError, match=f"{option} is for a tests.json; the tests"):
            load(tmp_path, suite_file, **{option: "x"})


# --- a mapping -------------------------------------------------------------------------------


def test_a_mapping_gives_fields_to_all_to_one_and_to_its_parts() -> None:
    split = item(threshold(), threshold(insightParameters=parameters(**{**RATE, "alpha": 0.1})))
    found = read(
        split,
        item(name="Other"),
        mapping={
            "defaults": {"relation": "loans", "min_group_size": 10},
            "Approval by gender": {"relation": "archive", "positive_values": ["yes"]},
            "Approval by gender [2]": {"alpha": None, "where": "true"},
            "Other": None,
        },
    )
    tests: Any = found.tests.values()
    first, second, other = tests
    assert (first.relation, second.relation, other.relation) == ("archive", "archive", "loans")
    assert first.positive_values == second.positive_values == ("yes",)
    assert (first.where, second.where, second.alpha) == (None, "true", 0.05)
    assert first.min_group_size == other.min_group_size == 10


def test_a_null_takes_a_field_away() -> None:
    weekly = item(evaluationWindow=604800, delayWindow=60)
    whole = {"evaluation_window": None, "delay_window": None}
    found = read(weekly, mapping={"Approval by gender": whole})
    assert list(found.tests) == ["Approval by gender"]
    assert str(read(weekly).items[0].message).startswith(
        "evaluation_window: the column of times is not named; give --timestamp-column NAME"
    )


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"Aproval by gender": {}}, "has no test of this name. Did you mean 'Approval by gender'?"),
        ({"Approval by gender": []}, "must be a mapping of test fields, but is an empty list."),
        ({"Approval by gender": {"name": "x"}}, "name: a test keeps the name that it has."),
        (
            {"defaults": {"relation": "loans", "min_rato": 1}},
            "defaults.min_rato: is not a known key. Did",
        ),
        ({"defaults": 3}, "defaults: must be a mapping of test fields, but is 3."),
    ],
)
def test_a_wrong_mapping_is_refused(mapping: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(item(), mapping=mapping)
    assert message in str(caught.value)


def test_a_mapping_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mapping.yml"
    path.write_text("defaults: {relation: loans}\nApproval by gender:\n  min_ratio: 0.9\n")
    (test,) = load(tmp_path, [item()], mapping=path).tests
    assert isinstance(test, fairsql.GroupMetricParity)
    assert (test.relation, test.min_ratio) == ("loans", 0.9)
    path.write_text("- relation\n")
    with pytest.raises(ConfigurationError, match="must map names of tests to their fields"):
        load(tmp_path, [item()], mapping=path)
