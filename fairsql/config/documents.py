"""Suite files as plain values, and the line on which each value stands."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from fairsql.errors import ConfigurationError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

Place = tuple[str | int, ...]
"""Keys and positions that lead from the top of a document to a value."""


@dataclass(frozen=True)
class Document:
    """Plain values as the user wrote them.

    Attributes
    ----------
    content
        Mappings, lists, texts, numbers, booleans and nulls.
    source
        The file, as messages name it; ``None`` for values that come from Python.
    lines
        Place of a value -> its line, counted from 1. Empty where the lines are not known.
    """

    content: Any
    source: str | None = None
    lines: Mapping[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int | None:
        """Return the line of a value, or of the nearest thing around it.

        >>> Document({}, lines={("tests",): 2}).line(("tests", 0, "name"))
        2
        """
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)


def read_document(path: str | Path) -> Document:
    """Read a suite file: JSON when its name ends in ``.json`` or it holds a JSON array, else YAML.

    Raises
    ------
    ConfigurationError
        When there is no such file, it cannot be read, is empty, or is not UTF-8, YAML or JSON.
    """
    path = Path(path)
    source = str(path)
    text = _read_text(path)
    if not text.strip():
        raise ConfigurationError(f"{source}: the file is empty.")
    if path.suffix.lower() == ".json":
        return Document(_read_json(text, source), source)
    if text.lstrip().startswith("["):  # no suite, but perhaps a tests.json of another name
        with contextlib.suppress(ConfigurationError):
            return Document(_read_json(text, source), source)
    from fairsql.config.yaml_reader import read_yaml  # here: JSON and Python need no ruamel

    content, lines = read_yaml(text, source)
    return Document(content, source, lines)


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: no such file.{_similar_name(path)}") from None
    except IsADirectoryError:
        raise ConfigurationError(f"{path}: is a directory; name the suite file in it.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigurationError(
            f"{path}, line {line}: the file is not UTF-8 text "
            f"(byte 0x{error.object[error.start]:02X}); save it as UTF-8."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(f"{path}: cannot be read: {reason}.") from None


def _similar_name(path: Path) -> str:
    try:
        return did_you_mean(path.name, (other.name for other in path.parent.iterdir()))
    except OSError:
        return ""


def _read_json(text: str, source: str) -> Any:
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_int=_whole_number,
        )
    except json.JSONDecodeError as error:
        problem = error.msg[:1].lower() + error.msg[1:]
        raise ConfigurationError(
            f"{source}, line {error.lineno}, column {error.colno}: not JSON: {problem}."
        ) from None
    except RecursionError:
        raise ConfigurationError(f"{source}: values are nested too deeply.") from None
    except ValueError as error:
        raise ConfigurationError(f"{source}: {error}") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise ValueError(f"the key {key!r} is written twice in one object.")
        mapping[key] = value
    return mapping


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON.")


def _whole_number(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise ValueError(f"the number {digits[:20]}… has too many digits.") from None
