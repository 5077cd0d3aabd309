"""A value of a JSON file and where it stands, so that a complaint can name the place."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn, TypeVar

from fairsql.errors import ConfigurationError

_Value = TypeVar("_Value")
_MOST_SHOWN = 60  # characters of a wrong value
_TOO_MANY = 2**63  # rows, which no warehouse counts
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)


@dataclass(frozen=True)
class Node:
    """A value of the file and where it stands."""

    value: Any
    place: str

    def __getitem__(self, name: str) -> Node:
        """Return a field that must be there."""
        fields = self._of(dict, "an object")
        if name not in fields:
            raise ConfigurationError(f"{self.place}: lacks {name!r}.")
        return Node(fields[name], f"{self.place}, {name}")

    def get(self, name: str) -> Node:
        """Return a field, null where an older file lacks it."""
        return Node(self._of(dict, "an object").get(name), f"{self.place}, {name}")

    def items(self) -> Iterator[Node]:
        """Yield the items of a list."""
        for number, item in enumerate(self._of(list, "a list"), 1):
            yield Node(item, f"{self.place} {number}")

    def fields(self, read: Callable[[Node], _Value]) -> dict[str, _Value]:
        """Return an object's fields, each as ``read`` returns it."""
        return {name: read(self[name]) for name in self._of(dict, "an object")}

    def maybe(self, read: Callable[[Node], _Value]) -> _Value | None:
        """Return what ``read`` returns, or ``None`` for null."""
        return None if self.value is None else read(self)

    def text(self) -> str:
        """Return a text."""
        return str(self._of(str, "text"))

    def count(self, least: int = 0) -> int:
        """Return a number of rows, groups or scans."""
        count: int = self._of(int, "a whole number")
        if not least <= count < _TOO_MANY:
            self.complain(f"a whole number from {least}")
        return count

    def number(
        self,
        allowed: str = "a finite number",
        fits: Callable[[float], bool] = lambda _: True,
    ) -> float:
        """Return a number that fits, as ``allowed`` says in words."""
        number: float = self._of((int, float), "a number")
        # JSON's 1e999 is read as infinity, and a whole number has as many digits as it likes.
        if not abs(number) <= sys.float_info.max or not fits(number):
            self.complain(allowed)
        return number

    def share(self) -> float:
        """Return a number from 0 to 1."""
        return self.number("a number from 0 to 1", lambda share: 0 <= share <= 1)

    def moment(self) -> str:
        """Return a time in UTC, as it is written."""
        text = self.text()
        try:
            parsed = datetime.fromisoformat(text) if _MOMENT.fullmatch(text) else None
        except ValueError:
            parsed = None
        if parsed is None:
            self.complain("a time in UTC, such as 2026-11-30T10:00:00Z")
        return text

    def scalar(self) -> str | bool | float:
        """Return a text, a number, true or false."""
        if isinstance(self.value, str | bool):
            return self.value
        return self.number() if isinstance(self.value, int | float) else self.complain("a scalar")

    def anything(self) -> Any:
        """Return a value of any kind; its numbers are finite."""
        if isinstance(self.value, list):
            return [item.anything() for item in self.items()]
        if isinstance(self.value, dict):
            return self.fields(Node.anything)
        return self.maybe(Node.scalar)

    def sized(self, most: int) -> bool:
        """Return true; complain of a list or an object without items, or with more."""
        if not isinstance(self.value, list | dict) or not 1 <= len(self.value) <= most:
            self.complain(f"1 to {most} of them")
        return True

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.complain("true or false")
        return self.value

    def among(self, allowed: tuple[str, ...]) -> Any:
        """Return one of the texts that are allowed."""
        if self.value not in allowed:
            self.complain(f"one of {', '.join(allowed)}")
        return self.value

    def _of(self, kind: type | tuple[type, ...], name: str) -> Any:
        if not isinstance(self.value, kind) or isinstance(self.value, bool):
            self.complain(name)
        return self.value

    def complain(self, allowed: str) -> NoReturn:
        """Raise what is wrong here."""
        raise ConfigurationError(f"{self.place}: must be {allowed}, but is {short(self.value)}.")


def short(value: Any) -> str:
    """Return a value as JSON, or its beginning."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"
