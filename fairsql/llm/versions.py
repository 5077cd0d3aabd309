"""Which version of a prompt a judgement rests on: a change of a word is another judge."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsql.config.judging import JudgeSpec

TEMPLATES = Path(__file__).with_name("templates")
_DIGITS = 16


def prompt_version(spec: JudgeSpec) -> str:
    """Return the first 16 hexadecimal digits of a hash of all that the prompt says besides data."""
    said = [template_text(spec.judge), spec.rubric, spec.scale, spec.higher_is_better]
    said.append(spec.attribute)
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:_DIGITS]


@cache
def template_text(judge: str) -> str:
    """Return a judge's template as it stands in its file."""
    return (TEMPLATES / f"{judge}.md").read_text(encoding="utf-8")
