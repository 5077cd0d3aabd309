"""A converted tests.json reads back as the same tests, whatever its texts hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsql
from fairsql.config import parse_suite
from fairsql.config.writing import suite_text
from fairsql.config.yaml_reader import read_yaml
from fairsql.errors import ConfigurationError
from tests.tests_json.published import DEVELOPMENT, JUDGED
from tests.tests_json.samples import RATE, item, parameters, read, threshold

FILTER = {"measurement": "region", "operator": "contains_none", "value": ["a: b", "# c"]}


def convert(folder: Path, items: Any, **options: Any) -> Any:
    path = folder / "tests.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return fairsql.convert_tests_json(path, **options)


def again(text: str) -> Any:
    return parse_suite(read_yaml(text, "converted")[0]).tests


def test_a_converted_file_gives_the_same_tests(tmp_path: Path) -> None:
    split = item(
        threshold(),
        threshold(insightParameters=parameters(**{**RATE, "max_difference": 1e-7})),
        name="yes",
        subpopulationFilters=[FILTER],
    )
    items = [*DEVELOPMENT, split, *JUDGED]
    options: dict[str, Any] = {
        "relation": "analytics.calls",
        "mapping": {"defaults": {"min_group_size": 50}, "yes": {"where": "a = 'x'"}},
    }
    converted = convert(tmp_path, items, **options)
    (tmp_path / "fairsql.yml").write_text(converted.text, encoding="utf-8")
    suite = fairsql.load_suite(tmp_path / "tests.json", **options)
    assert fairsql.load_suite(tmp_path / "fairsql.yml").tests == suite.tests
    assert converted.tests == len(suite.tests) == 4
    assert list(converted.left) == [one["name"] for one in JUDGED]
    assert (converted.relation, converted.is_unnamed) == ("analytics.calls", False)
    for one in JUDGED:
        assert f"{one['name']} (" in " ".join(converted.text.replace("\n  #", "").split())


def test_without_a_relation_one_is_to_be_put_in(tmp_path: Path) -> None:
    converted = convert(tmp_path, DEVELOPMENT)
    assert converted.is_unnamed
    assert "  relation: my_table  # put the name of your table or view here\n" in converted.text
    assert {test.relation for test in again(converted.text)} == {"my_table"}
    own = convert(tmp_path, DEVELOPMENT, mapping={DEVELOPMENT[0]["name"]: {"relation": "calls"}})
    assert (own.tests, own.is_unnamed) == (1, False)
    assert "no table is named" in own.left[DEVELOPMENT[1]["name"]]


def test_a_suite_file_is_nothing_to_convert(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="which is a JSON array"):
        convert(tmp_path, {"version": 1, "tests": []})


TEXTS = st.one_of(
    st.text(min_size=1, max_size=12),
    st.sampled_from(["yes", "1", "1e3", "0x1F", "~", "null", "2024-03-01", "<<", "- a", "a: b",
                     "a #b", "'", '"', "\\", "{x}", "[x]", "&a", "*a", "!a", "%a", "@a", "`a", "|",
                     ">", "x\n\ny", " x ", "\u2028", "\x85", "=", "", "a" * 300]),
)  # fmt: skip
VALUES = TEXTS | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)


@given(
    name=TEXTS,
    about=TEXTS,
    columns=st.lists(TEXTS, min_size=1, max_size=3),
    value=TEXTS,
    positives=st.lists(VALUES, min_size=1, max_size=3),
    filters=st.lists(st.tuples(TEXTS, st.sampled_from(["is", "one_of", ">"]), VALUES), max_size=2),
    limit=st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_text_and_number_comes_back(
    name: str, about: str, columns: Any, value: str, positives: Any, filters: Any, limit: float
) -> None:
    changed = {
        **RATE,
        "protected_attribute_columns": columns,
        "value_column": value,
        "positive_values": positives,
    }
    written = [
        {"measurement": column, "operator": operator, "value": wanted}
        for column, operator, wanted in filters
    ]
    found = read(
        item(
            threshold(insightParameters=parameters(**changed), value=limit),
            name=name,
            description=about,
            subpopulationFilters=written,
        ),
        item(name="another"),
    )
    assert again(suite_text(found, about)) == tuple(found.tests.values())
