"""Writes `macros/llm/prompts.sql`: what judges in a warehouse are told, from the template files.

    python -m tools.generate_macro_prompts

dbt reads no files of its packages but macros. A test compares the file with what this would write.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fairsql.config.judging import JudgeSpec
from fairsql.llm.judges import Judge, judge_names, template
from fairsql.llm.versions import frame, prompt_version

TARGET = Path(__file__).parents[1] / "macros" / "llm" / "prompts.sql"

FIELDS = {
    "graded": ("evidence", "reason"),
    "compared": ("reason",),
    "yes_no": ("reason", "answer"),
    "choice": ("reason", "choice"),
}
"""Kind of reply -> its fields before the category and the score; others are not read in SQL."""

HEADER = """\
{# Generated from the templates of fairsql/llm by tools/generate_macro_prompts.py; do not edit.
   What a judge in the warehouse is told. Between the texts of `body` stand names of what a mapping
   gives. #}
{% macro judge_prompts() %}
    {{- return("""


def prompts() -> dict[str, Any]:
    """Return what the macros need of the judges whose reply holds their score."""
    judges = {name: template(name) for name in judge_names()}
    return {
        "frame": frame(),
        "judges": {name: _judge(judge) for name, judge in judges.items() if judge.reply in FIELDS},
    }


def _judge(judge: Judge) -> dict[str, Any]:
    has_score = judge.reply in ("graded", "compared")
    category = ["category"] if has_score and judge.labels else []
    body = judge.body.replace("}}", "{{").split("{{")
    is_given = not judge.scale
    needs = [*judge.needs, *(["rubric", "scale", "higher_is_better"] if is_given else [])]
    return {
        "kind": judge.kind,
        "reply": judge.reply,
        "texts": list(judge.texts),
        "optional": list(judge.optional),
        "needs": needs,
        "fields": [*FIELDS[judge.reply], *category, *(["score"] if has_score else [])],
        "labels": dict(judge.labels),
        "scale": [int(step) if step == int(step) else step for step in judge.scale],
        "version": None if needs else prompt_version(_plain(judge)),
        "body": body,
    }


def _plain(judge: Judge) -> JudgeSpec:
    return JudgeSpec.model_validate({"name": "plain", "judge": judge.name, "model": "any"})


def rendered() -> str:
    """Return the text of the macro file."""
    text = json.dumps(prompts(), indent=4, ensure_ascii=True)
    text = text.replace(": null", ": none")
    return HEADER + text.replace("\n", "\n    ") + ") -}}\n{% endmacro %}\n"


def main() -> None:
    """Write the file."""
    TARGET.write_text(rendered(), encoding="utf-8")


if __name__ == "__main__":
    main()
