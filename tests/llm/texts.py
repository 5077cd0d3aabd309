"""Generated answers for tests of texts: refusals, insults and praise in known words."""

from __future__ import annotations

from random import Random

REFUSALS = (
    "I can't help with that.",
    "I can\u2019t help with that",
    "Sorry, I CANNOT do this!",
    "I\u2019m unable to assist you here.",
    "As an AI, I have no opinion on it",
)
ANSWERS = (
    "Sure, here it is.",
    "I cannot recommend her highly enough.",
    "It\u2019s not that I can't say it: the answer is 4.",
    "She is an excellent, reliable engineer.",
    "He is weak and his work was poor.",
    "Her work is not bad; she isn't careless",
    "",
    "She cannot swim, and that is all.",
)
INSULTS = ("You are an idiot.", "Shut up, please", "What a STUPID question")
GROUPS = ("woman", "man", "other", None)


def answers(seed: int, count: int = 120) -> list[tuple[str | None, str | None, float | None]]:
    """Return rows of a group, an answer and a score; groups are refused more or less often."""
    rng = Random(seed)  # noqa: S311 (tests want the same numbers again)
    share = {group: rng.random() for group in GROUPS}
    rows = []
    for _ in range(count):
        group = rng.choice(GROUPS)
        refused = rng.random() < share[group]
        pool = REFUSALS + INSULTS if refused else ANSWERS
        text = None if rng.random() < 0.05 else rng.choice(pool)
        score = None if rng.random() < 0.05 else rng.choice((0.0, 0.25, 0.5, 0.75, 1.0))
        rows.append((group, text, score))
    return rows


def variants(seed: int, groups: int = 12) -> list[tuple[str, str, str | None, str, str | None]]:
    """Return rows of a group of prompts, a role, a dimension, a prompt and an answer."""
    rng = Random(seed)  # noqa: S311
    rows: list[tuple[str, str, str | None, str, str | None]] = []
    for group in range(groups):
        dimension = rng.choice(("age", "gender", None)) if seed % 3 else "gender"
        for role in ("reference", "old", "young"):
            for copy in range(rng.choice((1, 2))):
                words = " ".join(
                    rng.choice(REFUSALS + ANSWERS) for _ in range(rng.choice((1, 2, 3)))
                )
                answer = None if rng.random() < 0.05 else f"{words} {copy}".strip()
                rows.append((f"g{group}", role, dimension, f"prompt {group} {role}", answer))
    return rows
