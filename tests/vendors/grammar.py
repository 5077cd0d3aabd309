"""Golden statements in sqlfluff's grammars, taken apart so that no part is parsed twice.

sqlfluff needs half a minute for a verdict of forty CTEs, and less than a second for each of them;
most are the same in many statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from sqlfluff.core import FluffConfig, Linter

from tests.golden_cases import NAMES, golden

# A CTE as our macros lay it out; what is in no CTE is the header, and the last SELECT.
_CTE = re.compile(r"^(?:with )?(\w+) as \(\n    (.*?)\n\)(?:,\n\n|\n\n)", re.DOTALL | re.MULTILINE)


def parts_by_case(dialect: str, names: Sequence[str] = NAMES) -> dict[str, list[str]]:
    """Return by case the SELECTs that no case before it has; together, all that the files hold.

    The frame around the CTEs of a case is among them, with a short SELECT in the place of each.
    """
    seen: set[str] = set()
    found: dict[str, list[str]] = {}
    for name in names:
        sql = golden(name, dialect)
        frame = _CTE.sub(lambda cte: cte[0].replace(cte[2], "select 1 as one"), sql)
        parts = [frame, *(cte[2] for cte in _CTE.finditer(sql))]
        assert len(parts) > len(re.findall(r"(?m)^(?:with )?\w+ as \($", sql)) >= 9
        found[name] = [part for part in dict.fromkeys(parts) if part not in seen]
        seen.update(parts)
    return found


def unparsable(parts: Iterable[str], dialect: str) -> Iterator[str]:
    """Yield what sqlfluff's grammar of a dialect does not read."""
    linter = _linter(dialect)
    for part in parts:
        parsed = linter.parse_string(part)
        yield from (violation.desc() for violation in parsed.violations)
        variant = parsed.root_variant()
        assert variant is not None
        assert variant.tree is not None
        assert variant.tree.raw == part
        yield from (segment.raw for segment in variant.tree.recursive_crawl("unparsable"))


@cache
def _linter(dialect: str) -> Linter:
    # Our SQL is no template, whatever braces a name holds.
    return Linter(
        config=FluffConfig(
            overrides={"dialect": dialect, "templater": "raw", "large_file_skip_byte_limit": 0}
        )
    )
