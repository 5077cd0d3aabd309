"""Texts that are hard on SQL, and pairs of them drawn by a seed."""

from __future__ import annotations

import random

HOSTILE: tuple[str, ...] = (
    "",
    " ",
    " \t\n\u00a0\u3000 ",
    "!?…—",
    "the",
    "The a an the",
    "the the cat",
    "The  cat sat,\non THE mat.",
    "cat sat on mat",
    "It's a “quoted” text — isn't it?",
    "its quoted text isnt it",
    "😀 👨‍👩‍👧 😀",
    "😀",
    "e\u0301te\u0301",
    "été",
    "ÉTÉ",
    "back\\slash \\n \\' \\\\",
    "say \"it\" 'now' `here`",
    "${name} {{ jinja }} %s %(x)s :x ? $1",
    "'; drop table texts; --",
    "/* no comment */ -- nor this",
    "a\u001fb\u001ec a\u001fb",
    "a\u2028b\u2029c\u0085d",
    "a b a b a b a b",
    "a b",
    "a a a a",
    "b a b a",
    "1 2 3 1 2 3",
    "x y 1",
    "x y",
    "ΟΔΟΣ ΣΑΣ",
    "οδος σας",
    "İstanbul",
    "i\u0307stanbul",
    "straße STRASSE",
    "你好，世界。",
    "你好 世界",
    "ﬁ ﬀ ① ½",
    "NULL",
    "nan",
)

JSON: tuple[str, ...] = (
    "",
    "  ",
    "{}",
    "[]",
    " [1, 2.5e-3, true, false, null] \n",
    '{"a": {"b": ["c", {}]}}',
    '"text"',
    "12",
    "-0.5E+10",
    "null",
    "true",
    '{"a": "\\u00e9\\n\\"\\\\ 😀"}',
    '{"words": "nan, inf,] and ,}"}',
    '"NaN" ',
    "NaN",
    "Infinity",
    "-inf",
    "[1, NaN]",
    "[1,]",
    '{"a": 1,}',
    '{"a": 1 ,\n}',
    "{'a': 1}",
    "{a: 1}",
    '{"a": 1} trailing',
    "{} {}",
    "1 2",
    "1, 2",
    '1, "b": 2',
    "1], [2",
    "1}, {",
    '1}, {"a": 2',
    "[1",
    "{",
    '{"a"}',
    "nul",
    "TRUE",
    "01",
    "1.",
    ".5",
    "+1",
    "-",
    "0x10",
    "'text'",
    '"no end',
    '"a\nb"',
    '"a\tb"',
    '"\\x41"',
    "[1] // comment",
    "/* comment */ 1",
    "\ufeff{}",
    "[1]\u00a0",
    "123456789012345678901234567890",
    "[" * 200 + "]" * 200,
    "[" * 200 + "]" * 199,
    "```json\n{}\n```",
)

WORDS = ("the", "a", "cat", "sat", "on", "mat", "Dog", "runs!", "über", "😀", "x.", "1", "'", "\\")
SPACES = (" ", " ", " ", "  ", "\n", "\t", "\u00a0", "\u3000")


def pairs(seed: int, count: int) -> list[tuple[str | None, str | None]]:
    """Return pairs of output and reference: all neighbours of the hostile texts, and drawn ones."""
    drawn = random.Random(seed)  # noqa: S311
    found: list[tuple[str | None, str | None]] = [(None, None), (None, "a"), ("a", None)]
    found += [(text, text) for text in HOSTILE]
    found += list(zip(HOSTILE, HOSTILE[1:] + HOSTILE[:1], strict=True))
    found += [(drawn.choice(HOSTILE), drawn.choice(HOSTILE)) for _ in range(count // 4)]
    while len(found) < count:
        reference = [drawn.choice(WORDS) for _ in range(drawn.choice((0, 1, 2, 3, 5, 8, 13, 40)))]
        output = [word for word in reference if drawn.random() > 0.2]
        for _ in range(drawn.choice((0, 0, 1, 3))):
            output.insert(drawn.randint(0, len(output)), drawn.choice(WORDS))
        if drawn.random() < 0.2:
            drawn.shuffle(output)
        found.append((_spaced(drawn, output), _spaced(drawn, reference)))
    return found


def long_pairs() -> list[tuple[str, str]]:
    """Return two texts of 10,000 characters, of words, and a short one beside them."""
    drawn = random.Random(10_000)  # noqa: S311
    first = " ".join(drawn.choice(WORDS) for _ in range(4_000))[:10_000]
    second = " ".join(drawn.choice(WORDS) for _ in range(4_000))[:10_000]
    assert len(first) == len(second) == 10_000
    return [(first, second), (first, first), (first, "cat"), ("", second)]


def _spaced(drawn: random.Random, words: list[str]) -> str:
    text = "".join(word + drawn.choice(SPACES) for word in words)
    return text if drawn.random() < 0.3 else text.strip()
