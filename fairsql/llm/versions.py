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
_FRAME = Path(__file__).with_name("frame.md")
_DIGITS = 16


def prompt_version(spec: JudgeSpec) -> str:
    """Return the first 16 hexadecimal digits of a hash of all that the prompt says besides data."""
    said = [template_text(spec.judge), spec.rubric, spec.scale, spec.higher_is_better]
    said += [spec.attribute, spec.embedding_model, frame()]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:_DIGITS]


@cache
def template_text(judge: str) -> str:
    """Return a judge's template as it stands in its file."""
    return (TEMPLATES / f"{judge}.md").read_text(encoding="utf-8")


@cache
def frame() -> str:
    """Return what every judge is told first: that texts are data, and how to reply."""
    return _FRAME.read_text(encoding="utf-8").strip()
