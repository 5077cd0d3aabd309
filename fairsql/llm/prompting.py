"""What a model is told: the rubric, and the texts under judgement as data between fences.

A fence carries a name that is derived from a hash of the texts and occurs in none of them. No text
can therefore close its own fence, whoever wrote it; and equal texts give the same prompt each time.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fairsql.llm.judges import TEXTS, Judge
from fairsql.llm.versions import frame

_FENCED = re.compile(
    r"^<<<(?P<name>\w+(?: \d+)?) (?P<digits>[0-9a-f]{16})\n"
    r"(?P<text>.*?)\n(?P=name) (?P=digits)>>>$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Prompt:
    """What goes to a model: what it is told first, and what it is asked."""

    system: str
    user: str


def prompt_for(judge: Judge, texts: Mapping[str, str | None]) -> Prompt:
    """Return the prompt that asks a judge about texts.

    Parameters
    ----------
    judge
        The judge, filled in.
    texts
        Name of a text -> the text; what the judge has no use for is left out.
    """
    shown = list(_shown(judge, texts))
    digits = fence([text for _, text in shown])
    parts = [f"<<<{name} {digits}\n{text}\n{name} {digits}>>>" for name, text in shown]
    names = ", ".join(name for name, _ in shown)
    intro = f"The fences of this request have the digits {digits}. The texts: {names}."
    return Prompt(frame(), "\n\n".join(["# Rubric", judge.body, "# Texts", intro, *parts]))


def fence(texts: list[str]) -> str:
    """Return sixteen hexadecimal digits that occur in none of the texts, and depend on them alone.

    >>> fence(["a text"]) == fence(["a text"]) != fence(["another"])
    True
    """
    said = "\x00".join(texts).encode(errors="surrogatepass")
    digits = hashlib.sha256(said).hexdigest()[:16]
    while any(digits in text for text in texts):
        digits = hashlib.sha256(digits.encode() + said).hexdigest()[:16]
    return digits


def fenced_texts(user: str) -> dict[str, str]:
    """Return the texts that stand between the fences of a prompt, by name.

    >>> from fairsql.llm.judges import template
    >>> fenced_texts(prompt_for(template("coherence"), {"output": "so it is"}).user)
    {'output': 'so it is'}
    """
    announced = re.search(r"^The fences of this request have the digits ([0-9a-f]{16})", user, re.M)
    digits = announced[1] if announced else ""
    return {
        found["name"]: found["text"]
        for found in _FENCED.finditer(user)
        if found["digits"] == digits
    }


def contexts(text: str) -> list[str]:
    """Return the contexts that a text holds, in their order: those of a JSON array, or itself.

    >>> contexts('["first", "second"]'), contexts("[sic] one text")
    (['first', 'second'], ['[sic] one text'])
    """
    try:
        read = json.loads(text)
    except ValueError:
        return [text]
    if isinstance(read, list) and read and all(isinstance(item, str) for item in read):
        return read
    return [text]


def _shown(judge: Judge, texts: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    for name in TEXTS:
        text = texts.get(name)
        if text is None or name in judge.unseen or name not in (*judge.texts, *judge.optional):
            continue
        if name == "context" and judge.reply == "contexts":
            for place, context in enumerate(contexts(text), 1):
                yield f"context {place}", context
        else:
            yield name, text
