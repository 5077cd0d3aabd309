"""Suite files: YAML and JSON, the lines in messages, and what is not a suite file at all."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.config import load_suite_file, parse_suite
from fairsql.config.yaml_reader import core_scalar, read_yaml
from fairsql.errors import ConfigurationError
from tests.config.samples import sample, suite_of

if TYPE_CHECKING:
    from pathlib import Path

SUITE = """\
version: 1
defaults: {min_group_size: 30}          # any test field
tests:
  - name: AUC parity by gender
    type: group_metric_parity
    relation: analytics.loans
    where: "split = 'validation'"
    protected_attribute_columns: [gender]
    parity_metric: auc
    score_column: approval_score
    ground_truth_column: approved
    positive_values: ["1", yes]
    thresholds:
      - {measurement: min_metric_ratio, operator: ">=", value: 0.8}
"""


def write(folder: Path, text: str | bytes, name: str = "fairsql.yml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refusal(path: Path) -> str:
    """Return the message with which a file is refused, its folder left out."""
    with pytest.raises(ConfigurationError) as caught:
        load_suite_file(path)
    return str(caught.value).replace(f"{path.parent}/", "")


# --- right files -----------------------------------------------------------------------------


def test_the_specification_s_suite(tmp_path: Path) -> None:
    path = write(tmp_path, SUITE)
    suite = load_suite_file(str(path))
    (test,) = suite.tests
    assert suite.source == str(path)
    assert test.where == "split = 'validation'"
    assert test.questions()[0].positive_values == ("1", "yes")
    assert test.thresholds[0].value == 0.8


def test_yaml_and_json_read_alike(tmp_path: Path) -> None:
    fields = suite_of(sample("rate", min_ratio=0.9), sample("mean", name="Second"))
    text = json.dumps(fields)
    expected = parse_suite(fields).tests
    for name in ("suite.json", "SUITE.JSON", "suite.yml", "suite"):
        assert load_suite_file(write(tmp_path, text, name)).tests == expected


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert load_suite_file(write(tmp_path, b"\xef\xbb\xbf" + SUITE.encode())).tests


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # The core schema of YAML 1.2 (section 10.3.2); YAML 1.1 reads the first row otherwise.
        *((text, text) for text in ("yes", "no", "on", "y", "1_000", "12:30", "2024-03-01", "<<")),
        *((text, None) for text in ("", "~", "null", "Null", "NULL")),
        *((text, True) for text in ("true", "True", "TRUE")),
        *((text, False) for text in ("false", "False", "FALSE")),
        *(("tRUE", "tRUE"), ("nULL", "nULL"), ("0b1", "0b1"), ("1e", "1e"), (".", "."), ("+", "+")),
        *(("0", 0), ("-12", -12), ("+12", 12), ("010", 10), ("0o14", 12), ("0xFF", 255)),
        *(("1.", 1.0), (".5", 0.5), ("-0.0", 0.0), ("1e3", 1000.0), ("+1.5E-3", 0.0015)),
        *((".inf", float("inf")), ("-.INF", float("-inf")), ("+.Inf", float("inf"))),
    ],
)
def test_plain_scalars(text: str, value: Any) -> None:
    assert core_scalar(text) == value
    assert type(core_scalar(text)) is type(value)


def test_not_a_number_is_read_as_such() -> None:
    assert all(core_scalar(text) != core_scalar(text) for text in (".nan", ".NaN", ".NAN"))


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "a: '1'\nb: \"2\"\nc: |\n  3\nd: !!str 4\ne: ! 5",
            {"a": "1", "b": "2", "c": "3\n", "d": "4", "e": "5"},
        ),
        ("a: &x [1, 2]\nb: *x", {"a": [1, 2], "b": [1, 2]}),
        ("a: &x {k: 1, l: 2}\nb: {<<: *x, l: 3}", {"a": {"k": 1, "l": 2}, "b": {"k": 1, "l": 3}}),
        (
            "- &x {k: 1}\n- &y {k: 2, l: 2}\n- <<: [*x, *y]",
            [{"k": 1}, {"k": 2, "l": 2}, {"k": 1, "l": 2}],
        ),
        ("'<<': 1", {"<<": 1}),
        ("1: a\ntrue: b\n~: c", {"1": "a", "true": "b", "~": "c"}),
        ("%YAML 1.1\n---\na: yes\n...", {"a": "yes"}),
        ("[]", []),
    ],
)
def test_yaml_values(text: str, content: Any) -> None:
    assert read_yaml(text, "x.yml")[0] == content


def test_two_hundred_tests_are_read_quickly(tmp_path: Path) -> None:
    """It takes 0.4 s; the bound leaves room for a slow machine, not for a slower loader."""
    head, _, test = SUITE.partition("  - name")
    tests = [f"  - name{test}".replace("gender\n", f"gender {i}\n", 1) for i in range(200)]
    path = write(tmp_path, head + "".join(tests))
    started = time.process_time()
    assert len(load_suite_file(path).tests) == 200
    assert time.process_time() - started < 2


# --- where a fault stands --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "value: 0.8",
            "value: '0.8'",
            "fairsql.yml, line 14, test 'AUC parity by gender', thresholds[0].value: must be a "
            "finite number, but is '0.8'. Write the number without quotes.",
        ),
        (
            "[gender]",
            "\n      - gender\n      - 5",
            "fairsql.yml, line 10, test 'AUC parity by gender', protected_attribute_columns[1]: "
            "must be a column name, but is 5. Put it in quotes.",
        ),
        (
            "    score_column: approval_score\n",
            "",
            "fairsql.yml, line 4, test 'AUC parity by gender', score_column: is required by "
            "parity_metric auc.",
        ),
        (
            "score_column",
            "score_colum",
            "fairsql.yml, line 10, test 'AUC parity by gender', score_colum: is not a known key. "
            "Did you mean 'score_column'?",
        ),
        (
            "{min_group_size: 30}",
            "\n  min_group_size: 0",
            "fairsql.yml, line 3, defaults.min_group_size: must be a whole number of at least 1 "
            "and below 2^63, but is 0.",
        ),
        (
            "{min_group_size: 30}",
            "{comparison: overall}",
            "fairsql.yml, line 2, test 'AUC parity by gender', comparison (from defaults): overall "
            "is not available for auc, whose value over all rows is not an average of the groups' "
            "values; use comparison: reference.",
        ),
        ("version: 1", "version: 2", "fairsql.yml, line 1, version: must be 1, but is 2."),
        (
            "name: AUC parity by gender",
            "name: 12",
            "fairsql.yml, line 4, tests[0], name: must be a text on one line that is not blank, "
            "but is 12. Put it in quotes.",
        ),
    ],
)
def test_the_line_of_a_fault(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in SUITE
    assert refusal(write(tmp_path, SUITE.replace(old, new, 1))) == message


def test_faults_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = SUITE.replace("0.8", "x").replace("auc", "acu").replace("version: 1", "version: 0")
    lines = refusal(write(tmp_path, text)).splitlines()
    assert [line.split(", ")[1] for line in lines] == ["line 1", "line 9", "line 14"]


def test_json_has_places_without_lines(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps(suite_of(sample(min_ratio=2))), "suite.json")
    assert refusal(path) == (
        "suite.json, test 'Parity by gender', min_ratio: must be a number greater than 0 and at "
        "most 1, but is 2."
    )


# --- what is not a suite file ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "fairsql.yml: the file is empty."),
        (" \n\n", "fairsql.yml: the file is empty."),
        ("# nothing yet\n", "fairsql.yml: the file holds nothing but comments."),
        (
            "- name: x",
            "fairsql.yml, line 1: a suite is a mapping with the keys version and tests, b",
        ),
        (
            "hello",
            "fairsql.yml, line 1: a suite is a mapping with the keys version and tests, but t",
        ),
        (
            b"a: 1\nb: caf\xe9\n",
            "fairsql.yml, line 2: the file is not UTF-8 text (byte 0xE9); save",
        ),
        (
            "version: 1".encode("utf-16"),
            "fairsql.yml, line 1: the file is not UTF-8 text (byte 0xFF",
        ),
        ("a: 1\na: 2", "fairsql.yml, line 2: the key 'a' is written twice, first on line 1."),
        (
            "a:\n  b: 1\n  c: 1\n  b: 2",
            "fairsql.yml, line 4: the key 'b' is written twice, first on",
        ),
        (
            "a: [1",
            "fairsql.yml, line 1, column 6: not YAML: while parsing a flow sequence, expected ",
        ),
        ("a: 1\n\tb: 2", "Lines are indented with spaces, not with tabs."),
        (
            "a: 'x",
            "fairsql.yml, line 1, column 6: not YAML: while scanning a quoted scalar, found ",
        ),
        (
            "where: a: b",
            "not YAML: mapping values are not allowed here. Text that holds a colon sta",
        ),
        ("operator: >=", 'An operator stands in quotes: ">=".'),
        ("{operator: >=}", "Text that starts with a special character stands in quotes."),
        (
            "operator: !=\n",
            "fairsql.yml, line 1: '!=' is read as a YAML tag; text that starts with !",
        ),
        ("a: !!python/name:os.system x", "is read as a YAML tag; text that starts with ! needs"),
        ("a: *base", "fairsql.yml, line 1: *base repeats a value that no &base names."),
        ("a: &a [*a]", "fairsql.yml, line 1: *a repeats a value that no &a names."),
        ("a:\n  <<: 3", "fairsql.yml, line 2: << takes a mapping, as in '<<: *name'."),
        ("? [a]\n: 1", "fairsql.yml, line 1: a key must be text."),
        (
            "a: 1\n---\nb: 2",
            "fairsql.yml, line 2: a second YAML document starts; a suite is one do",
        ),
        ("[" * 3000, "fairsql.yml, line 1: values are nested too deeply."),
        (
            "a: " + "9" * 5000,
            "fairsql.yml, line 1: the number 99999999999999999999… has too many dig",
        ),
        (
            "a: \x07",
            "fairsql.yml: not YAML: unacceptable character #x0007: special characters are n",
        ),
    ],
)
def test_not_yaml(tmp_path: Path, text: str | bytes, message: str) -> None:
    refused = refusal(write(tmp_path, text))
    assert message in refused
    assert "\n" not in refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "suite.json: the file is empty."),
        ("{", "suite.json, line 1, column 2: not JSON: expecting property name enclosed in double"),
        (
            '{"version": 1,\n "tests": [,]}',
            "suite.json, line 2, column 12: not JSON: expecting value",
        ),
        (
            '{"version": 1, "version": 1}',
            "suite.json: the key 'version' is written twice in one obj",
        ),
        ('{"version": NaN}', "suite.json: NaN is not JSON."),
        ("[" * 100_000, "suite.json: values are nested too deeply."),
        (
            '{"version": ' + "9" * 5000 + "}",
            "suite.json: the number 99999999999999999999… has too ",
        ),
        (
            '[{"name": "x", "thresholds": []}]',
            "A tests.json is read by fairsql.load_suite, with relation=….",
        ),
    ],
)
def test_not_json(tmp_path: Path, text: str, message: str) -> None:
    refused = refusal(write(tmp_path, text, "suite.json"))
    assert message in refused
    assert "\n" not in refused


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, SUITE)
    assert refusal(tmp_path / "fairsq.yml") == (
        "fairsq.yml: no such file. Did you mean 'fairsql.yml'?"
    )
    assert refusal(tmp_path / "elsewhere" / "x.yml") == "x.yml: no such file."


def test_a_directory(tmp_path: Path) -> None:
    (tmp_path / "suites").mkdir()
    assert refusal(tmp_path / "suites") == "suites: is a directory; name the suite file in it."


def test_a_path_that_is_none(tmp_path: Path) -> None:
    assert "cannot be read: " in refusal(tmp_path / "a\0b")
    assert "cannot be read: " in refusal(write(tmp_path, SUITE) / "below")
