"""The prompts that a description gives, counted and compared by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import fairsql
from fairsql import ConfigurationError, counterfactual_prompts
from fairsql.llm.counterfactual import COLUMNS

POOLS = {
    "templates": [
        "Decide on the asylum claim of {name}.",
        {"id": "loan", "prompt": "May {name}, a {job}, have a loan?"},
    ],
    "dimensions": {"origin": ["european", "arab"], "job": ["nurse", "clerk", "cook"]},
    "name_pools": {"origin": {"european": ["David", "Tom"], "arab": ["Tariq", "Omar"]}},
    "defaults": {"name": "Alex", "job": "teacher"},
}


def test_each_template_varies_in_the_dimensions_that_it_has_a_place_for() -> None:
    rows = counterfactual_prompts(POOLS)
    assert Counter(row["group_id"] for row in rows) == {
        "t1/origin": 2,
        "loan/origin": 2,
        "loan/job": 3,
    }
    assert all(list(row) == list(COLUMNS) for row in rows)
    assert [row["prompt"] for row in rows] == [
        "Decide on the asylum claim of David.",
        "Decide on the asylum claim of Tariq.",
        "May Tom, a teacher, have a loan?",
        "May Omar, a teacher, have a loan?",
        "May Alex, a nurse, have a loan?",
        "May Alex, a clerk, have a loan?",
        "May Alex, a cook, have a loan?",
    ]


def test_names_go_round_so_that_no_group_is_one_name() -> None:
    names = ["Ann", "Bea", "Cat"], ["Dan", "Eli", "Fox"]
    rows = counterfactual_prompts(
        {
            "templates": [f"Question {place} on {{name}}?" for place in range(3)],
            "dimensions": {"gender": ["woman", "man"]},
            "name_pools": {"gender": dict(zip(("woman", "man"), names, strict=True))},
        }
    )
    for label, pool in zip(("woman", "man"), names, strict=True):
        used = [row["prompt"] for row in rows if row["group_label"] == label]
        assert used == [f"Question {place} on {name}?" for place, name in enumerate(pool)]


def test_within_a_group_of_prompts_nothing_else_differs() -> None:
    rows = counterfactual_prompts(POOLS)
    values = {"european": ("David", "Tom"), "arab": ("Tariq", "Omar")}
    for row in rows:
        text = row["prompt"]
        for name in (row["group_label"], *values.get(row["group_label"], ())):
            text = text.replace(name, "…")
        row["frame"] = text
    frames = {(row["group_id"], row["frame"]) for row in rows}
    assert len(frames) == len({row["group_id"] for row in rows})


def test_repeats_are_rows_of_their_own_with_one_text() -> None:
    rows = counterfactual_prompts({**POOLS, "repeats": 3})
    assert len(rows) == 3 * 7
    assert len({row["prompt_id"] for row in rows}) == len(rows)
    texts: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        texts.setdefault((row["group_id"], row["role"]), set()).add(row["prompt"])
    assert all(len(same) == 1 for same in texts.values())
    assert Counter(row["repeat"] for row in rows) == {1: 7, 2: 7, 3: 7}


@pytest.mark.parametrize(
    ("reference", "roles"),
    [
        ({}, ["reference", "clerk", "cook"]),
        ({"job": "cook"}, ["nurse", "clerk", "reference"]),
        ({"job": None}, ["nurse", "clerk", "cook"]),
    ],
)
def test_roles(reference: dict[str, Any], roles: list[str]) -> None:
    rows = counterfactual_prompts({**POOLS, "reference": reference})
    assert [row["role"] for row in rows if row["dimension"] == "job"] == roles


def test_braces_and_hostile_values_stand_as_they_are() -> None:
    hostile = ["{name}", "'; drop table t --", "a\nb", "{{x}}"]
    rows = counterfactual_prompts(
        {"template": 'Return {{"who": "{who}"}}', "dimensions": {"who": [*hostile[:2], "{{x}}"]}}
    )
    expected = [f'Return {{"who": "{value}"}}' for value in (*hostile[:2], "{{x}}")]
    assert [row["prompt"] for row in rows] == expected


BASE: dict[str, Any] = {"templates": ["Praise {who}."], "dimensions": {"who": ["him", "her"]}}
NAMED: dict[str, Any] = {
    **BASE,
    "templates": ["Praise {name}."],
    "name_pools": {"who": {"him": ["Al"], "her": ["Cy"]}},
}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({**BASE, "dimensoins": {}}, "dimensoins: is not a known key. Did you mean 'dimensions'?"),
        ({**BASE, "templates": ["Praise {whom}."]}, "placeholder {whom}, which nothing fills"),
        ({**BASE, "templates": ["Praise {whom}."]}, "Did you mean 'who'?"),
        ({**BASE, "templates": ["{who} {job}"]}, "templates[0]: has the placeholder {job}, which"),
        ({**BASE, "templates": ["Praise."]}, "has a place for none of the dimensions."),
        ({**BASE, "templates": ["{who}", "{"]}, "templates[1]: has a brace without its other half"),
        ({**BASE, "templates": ["{who.name}"]}, "has {who.name}, which is no name in braces"),
        ({**BASE, "templates": ["{who!r}"]}, "has {who!r}, which is no name in braces"),
        ({**BASE, "templates": ["{who:>9}"]}, "has {who:>9}, which is no name in braces"),
        ({**BASE, "templates": ["{}"]}, "has {}, which is no name in braces"),
        ({**BASE, "templates": [{"promt": "{who}"}]}, "Did you mean 'prompt'?"),
        ({**BASE, "templates": [7]}, "templates[0]: must be a text, or a mapping of id and prompt"),
        ({**BASE, "templates": [" "]}, "templates[0].prompt: must be a text with placeholders"),
        ({**BASE, "templates": []}, "templates: must be a list of templates, but is an empty list"),
        ({"dimensions": BASE["dimensions"]}, "templates: is required: a list of templates."),
        (
            {**BASE, "templates": [{"id": "a", "prompt": "{who}"}, {"id": "a", "prompt": "{who}"}]},
            "templates[1].id: 'a' is the id of another template.",
        ),
        ({**BASE, "dimensions": {"who": ["him"]}}, "dimensions.who: must be a list of two or more"),
        ({**BASE, "dimensions": {"who": ["a", "a"]}}, "lists the group 'a' twice."),
        ({**BASE, "dimensions": {"who": ["a", 1]}}, "dimensions.who[1]: must be a text"),
        ({**BASE, "dimensions": {"who": ["a", 1]}}, "but is 1. Put it in quotes."),
        (
            {**BASE, "dimensions": {**BASE["dimensions"], "job": ["a", "b"]}},
            "dimensions.job: no template has the place {job} for it.",
        ),
        (
            {**BASE, "dimensions": {"who": ["x", "reference"]}},
            "has a group 'reference', which is the role of 'x'.",
        ),
        (
            {"template": "{who} {job}", "dimensions": {"who": ["a", "b"], "job": ["c", "d"]}},
            "needs a value in defaults for {who}, which nothing fills while job varies.",
        ),
        ({**BASE, "reference": {"woh": "him"}}, "is no dimension. Did you mean 'who'?"),
        ({**BASE, "reference": {"who": "hom"}}, "'hom' is no group of the dimension."),
        ({**BASE, "defaults": {"hwo": "x"}}, "no template has the placeholder {hwo}."),
        ({**BASE, "repeats": 0}, "repeats: must be a whole number from 1 to 1000, but is 0."),
        ({**BASE, "version": 2}, "version: must be 1, but is 2."),
        ({**NAMED, "name_pools": {"woh": {}}}, "name_pools.woh: is no dimension."),
        (
            {**NAMED, "name_pools": {"who": {"him": ["Al"]}}},
            "name_pools.who: has no names for the group 'her'.",
        ),
        (
            {**NAMED, "name_pools": {"who": {"him": ["Al"], "her": ["Cy"], "hir": ["x"]}}},
            "name_pools.who.hir: 'hir' is no group of the dimension.",
        ),
        (
            {**NAMED, "name_pools": {"who": {"him": ["Al", "Bo"], "her": ["Cy"]}}},
            "name_pools.who.him: must hold one value a template, which are 1, but holds 2.",
        ),
        (
            {**NAMED, "name_pools": {"who": {"him": "Al", "her": ["Cy"]}}},
            "name_pools.who.him: must be a list of one text a template, but is 'Al'.",
        ),
    ],
)
def test_what_is_wrong_is_named(written: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        counterfactual_prompts(written)
    assert message in str(caught.value)


def test_what_is_no_mapping() -> None:
    from fairsql.config.counterfactual import load_counterfactual

    with pytest.raises(ConfigurationError, match="no such file"):
        load_counterfactual("nowhere.yml")


def test_it_is_part_of_the_public_api() -> None:
    assert fairsql.counterfactual_prompts is counterfactual_prompts
