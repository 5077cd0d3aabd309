"""From what pydantic found wrong to what a person needs to know, and where it stands."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairsql.config.base import Test, Threshold
from fairsql.config.fields import Allowed
from fairsql.config.filters import Filter
from fairsql.config.judging import JudgeSpec
from fairsql.config.values import SCALARS
from fairsql.errors import ConfigurationError, did_you_mean

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

    from fairsql.config.documents import Document, Place


@dataclass(frozen=True)
class Fault:
    """What is wrong with a test, and where in it.

    ``kind`` is pydantic's name for it; ``meant`` is the place whose key an unknown key misspells.
    """

    place: Place
    text: str
    kind: str = "combination"
    meant: Place = ()


# The fields that hold mappings, and what each of those is.
_INNER: Mapping[str | int, type[BaseModel]] = {
    "thresholds": Threshold,
    "filters": Filter,
    "judges": JudgeSpec,
}

_UNKNOWN = ("extra_forbidden", "invalid_key")
_OPERATORS_ELSEWHERE = {"=": "is", "==": "is", "<>": "!=", "=>": ">=", "=<": "<=", "": ">"}
_BOOLEANS_ELSEWHERE = {"true", "false", "yes", "no", "on", "off", "y", "n"}

_PLAIN_KEY = re.compile(r"[\w-]{1,60}")

_brief = reprlib.Repr()
_brief.maxstring = _brief.maxother = 80


def shown(value: object) -> str:
    """Return a received value as messages show it: short, and spelled as in a suite file.

    >>> [shown(value) for value in (True, None, "0.8", 2, [], {"value": 1})]
    ['true', 'null', "'0.8'", '2', 'an empty list', 'a mapping']
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, int) and abs(value) >= 10**40:
        return "a number of more than 40 digits"
    return _brief.repr(value)


def dotted(place: Place) -> str:
    """Return a place as messages name it.

    >>> dotted(("thresholds", 0, "value")), dotted(("min ratio",))
    ('thresholds[0].value', "['min ratio']")
    """
    return "".join(map(_step, place)).removeprefix(".")


def _step(step: str | int) -> str:
    is_plain = isinstance(step, str) and _PLAIN_KEY.fullmatch(step)
    return f".{step}" if is_plain else f"[{shown(step)}]"


def unknown_key(key: object, allowed: tuple[str, ...]) -> str:
    """Say that a key is unknown, with the one that was meant or else with all there are."""
    hint = did_you_mean(str(key), allowed)
    return "is not a known key." + (hint or f" Known are {', '.join(allowed)}.")


def meant_key(key: object, allowed: tuple[str, ...]) -> str | None:
    """Return the key of which an unknown one is a misspelling.

    >>> meant_key("versoin", ("version", "tests"))
    'version'
    """
    hint = did_you_mean(str(key), allowed)
    return next((name for name in allowed if repr(name) in hint), None)


def faults_of(error: ValidationError, model: type[Test]) -> list[Fault]:
    """Return the faults of one test of a kind in our own words.

    A key that is missing because it is misspelt, and a list that is too short because an item is
    wrong, are not faults of their own.
    """
    faults = [
        Fault(detail["loc"], _words(detail, model), detail["type"], _meant(detail, model))
        for detail in error.errors(include_url=False)
    ]
    echoes = {("missing", fault.meant) for fault in faults}
    echoes |= {  # only right items count
        ("too_short", fault.place[:length])
        for fault in faults
        for length in range(1, len(fault.place))
    }
    return [fault for fault in faults if (fault.kind, fault.place) not in echoes]


def faults_of_judge(error: ValidationError) -> list[Fault]:
    """Return the faults of one judge of a suite in our own words."""
    return [
        Fault(detail["loc"], _words({**detail, "loc": ("judges", 0, *detail["loc"])}, Test))
        for detail in error.errors(include_url=False)
    ]


def _meant(detail: ErrorDetails, model: type[Test]) -> Place:
    *outer, key = detail["loc"]
    is_unknown = detail["type"] in _UNKNOWN
    meant = meant_key(key, _keys_at(detail["loc"], model)) if is_unknown else None
    return () if meant is None else (*outer, meant)


def _keys_at(place: Place, model: type[Test]) -> tuple[str, ...]:
    return tuple((model if len(place) == 1 else _INNER[place[0]]).model_fields)


def _words(detail: ErrorDetails, model: type[Test]) -> str:
    kind, place, received = detail["type"], detail["loc"], detail["input"]
    if kind == "combination":
        return detail["msg"]
    if kind in _UNKNOWN:
        return unknown_key(place[-1], _keys_at(place, model))
    allowed = _allowed(place, model)
    words = allowed.item if isinstance(place[-1], int) else allowed.words
    if kind == "missing":
        return f"is required: {words}."
    if kind == "value_error":
        return f"{detail['ctx']['error']}"
    return f"must be {words}, but is {shown(received)}.{_hint(kind, received, allowed)}"


def _allowed(place: Place, model: type[Test]) -> Allowed:
    fields = model.model_fields
    if len(place) > 2:
        fields, inner = _INNER[place[0]].model_fields, place[2:]
        if place[0] == "thresholds" and inner[0] == "measurement":
            return Allowed.one_of(model.measurement_names)
        place = inner
    metadata = fields[str(place[0])].metadata
    return next(part for part in metadata if isinstance(part, Allowed))


def _hint(kind: str, received: Any, allowed: Allowed) -> str:
    """Return what most likely was meant, as a sentence after a blank, or nothing."""
    if kind == "tuple_type" and received is not None:
        example = f": [{shown(received)}]" if isinstance(received, SCALARS) else ""
        return f" Write it as a list{example}."
    if kind == "string_type" and isinstance(received, int | float):
        return " Put it in quotes."
    if not isinstance(received, str):
        return ""
    if allowed.choices:
        if ">=" in allowed.choices and received in _OPERATORS_ELSEWHERE:
            return f' Did you mean "{_OPERATORS_ELSEWHERE[received]}", in quotes?'
        return did_you_mean(received, allowed.choices)
    if kind in ("float_type", "int_type") and _is_number(received):
        return " Write the number without quotes."
    if kind == "bool_type" and received.lower() in _BOOLEANS_ELSEWHERE:
        return " Write true or false, without quotes."
    return ""


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


@dataclass
class Report:
    """The faults found in a document so far, each as one line that names its place."""

    document: Document
    faults: list[tuple[int, str]] = field(default_factory=list)

    def add(
        self,
        place: Place,
        text: str,
        *,
        base: Place = (),
        test: str = "",
        inherited: bool = False,
    ) -> None:
        """Add a fault.

        Parameters
        ----------
        place
            From ``base`` to the value at fault, as the message names it.
        text
            What is wrong, as a predicate of the place.
        base
            From the top of the document to the test.
        test
            What messages call the test.
        inherited
            True when the test has the value from ``defaults``.
        """
        line = self.document.line(("defaults", *place) if inherited else (*base, *place))
        parts = (
            self.document.source,
            f"line {line}" if line else "",
            test,
            dotted(place) + (" (from defaults)" if inherited else ""),
        )
        where = ", ".join(part for part in parts if part)
        self.faults.append((line or 0, f"{where}: {text}" if where else text))

    def fail_if_any(self) -> None:
        """Raise one error that holds every fault, in the order of the document."""
        if self.faults:
            lines = [text for _, text in sorted(self.faults, key=lambda fault: fault[0])]
            raise ConfigurationError("\n".join(lines))
