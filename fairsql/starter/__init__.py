"""A first suite file for a warehouse's tables: what can be guessed runs, the rest is a comment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.starter.drafts import Draft, drafts
from fairsql.starter.profiles import MAX_GROUPS, ROWS_READ, Profile, profiles
from fairsql.starter.vocabulary import ATTRIBUTES

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

__all__ = ["starter_suite"]

_WIDTH = 96
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_NOT_TEXT = {
    "null",
    "true",
    "false",
    "yes",
    "no",
    "on",
    "off",
    "y",
    "n",
}  # to one reader or another


def starter_suite(warehouse: Warehouse, relations: Sequence[str], command: str) -> str:
    """Return the text of a suite file with tests over some relations.

    Parameters
    ----------
    warehouse
        Where the relations are.
    relations
        Tables and views, as a suite names them.
    command
        What runs the suite; it stands at the top of the file.

    Raises
    ------
    ConfigurationError
        When no relation has both a column that could name groups and one to compare.
    """
    sections = [_section(warehouse, name) for name in relations]
    drafted = [draft for section in sections for draft in section.drafts]
    if not drafted:
        listed = ", ".join(relations[:10]) or "no table at all"
        raise ConfigurationError(
            f"no test can be guessed for {listed}: a table needs a column that names groups, such"
            " as gender, and one to compare, such as a score or a yes-or-no outcome."
        )
    if not any(draft.active for draft in drafted):
        # A suite without a test is refused, and the first guess is as good as any.
        chosen = replace(drafted[0], active=True)
        sections = [section.with_first(drafted[0], chosen) for section in sections]
    return "\n".join(_file(sections, command)) + "\n"


@dataclass(frozen=True)
class _Section:
    """One relation: what was seen of it, as comments, and its tests."""

    relation: str
    seen: tuple[str, ...]
    drafts: tuple[Draft, ...] = ()

    def with_first(self, old: Draft, new: Draft) -> _Section:
        return replace(self, drafts=tuple(new if one is old else one for one in self.drafts))


def _section(warehouse: Warehouse, relation: str) -> _Section:
    try:
        found = profiles(warehouse, relation)
    except WarehouseError as error:
        return _Section(relation, (f"It cannot be read: {' '.join(str(error).split())}",))
    return _Section(relation, tuple(_seen(found)), tuple(drafts(relation, found)))


def _seen(found: Sequence[Profile]) -> Iterator[str]:
    named = [one for one in found if one.words & ATTRIBUTES]
    others = [one for one in found if one not in named]
    yes_or_no = [one for one in others if one.positive]
    kinds = {
        "Groups": [one for one in named if one.is_group],
        "Too many values to be groups": [one for one in named if one.distinct > MAX_GROUPS],
        "Perhaps groups": [one for one in others if one.is_group and one not in yes_or_no],
        "Yes or no": yes_or_no,
        "Numbers": [one for one in others if one.is_number],
    }
    for kind, members in kinds.items():
        if members:
            counted = "groups" in kind.lower()
            names = [_scalar(m.name) + (f" ({m.distinct})" if counted else "") for m in members]
            yield f"{kind}: {', '.join(names[:20])}{', …' if len(names) > 20 else ''}."


# --- the text --------------------------------------------------------------------------------


def _file(sections: Sequence[_Section], command: str) -> Iterator[str]:
    yield "# Fairness tests. Run them with"
    yield "#"
    yield f"#   {_one_line(command)}"
    yield "#"
    yield f"# They are guesses, from names of columns and the first {ROWS_READ:,} rows of a table."
    yield "# Read every test before you trust it; take the # away from those that you want besides."
    yield ""
    yield "version: 1"
    yield ""
    yield "defaults:"
    yield "  min_group_size: 30  # groups of fewer rows are shown, but not judged"
    yield "  min_ratio: 0.8  # a group fails below four fifths of the best group's value"
    yield ""
    yield "tests:"
    for section in sections:
        title = f"  # --- {_one_line(section.relation)} "
        yield title + "-" * max(_WIDTH - len(title), 3)
        yield from (f"  # {_one_line(line)}" for line in section.seen)
        if not section.drafts:
            yield "  # No test can be guessed."
        yield ""
        for draft in section.drafts:
            yield from _test(draft)
            yield ""


def _test(draft: Draft) -> Iterator[str]:
    lead = "  " if draft.active else "  # "
    for place, (name, value) in enumerate(draft.fields.items()):
        comment = draft.comments.get(name)
        after = f"  # {_one_line(comment)}" if comment else ""
        yield f"{lead}{'  ' if place else '- '}{name}: {_value(name, value)}{after}"


def _value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        quoted = name == "positive_values"  # an unquoted 1 would do; yes would not everywhere
        return f"[{', '.join(json.dumps(one) if quoted else _scalar(one) for one in value)}]"
    return _scalar(value)


def _scalar(text: str) -> str:
    """Return text as YAML, plain if every reader of YAML takes it for text.

    >>> print(_scalar("race"), _scalar("No"), _scalar("loans: AUC"))
    race "No" "loans: AUC"
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
