"""What a tests.json does not say: relations, columns of times, columns of a metric.

A mapping file names tests of the tests.json and gives each its fields; ``defaults`` go to all.
``judges`` are a suite's, and ``judgements`` the table of what they said: the tests whose metrics
need a judge read the one that there is of its kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairsql.config.documents import Document, read_document
from fairsql.config.messages import dotted, shown
from fairsql.errors import ConfigurationError, did_you_mean

_DEFAULTS = "defaults"
_JUDGES, _JUDGEMENTS = "judges", "judgements"


@dataclass(frozen=True)
class FieldMapping:
    """Fields for all tests, and fields by the test's name, which win over the file's own.

    ``source`` is what messages call the place where they were written, and ``judging`` holds the
    judges and their table as a suite file does.
    """

    defaults: Mapping[str, Any] = field(default_factory=dict)
    tests: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    source: str = "mapping"
    judging: Mapping[str, Any] = field(default_factory=dict)

    def of(self, name: str) -> dict[str, Any]:
        """Return the fields of a test; those of ``name`` are for ``name [2]`` too.

        >>> FieldMapping(tests={"a": {"relation": "t"}, "a [2]": {"alpha": 0.1}}).of("a [2]")
        {'relation': 't', 'alpha': 0.1}
        """
        whole = name.rpartition(" [")[0] if name.endswith("]") else ""
        return {**self.tests.get(whole, {}), **self.tests.get(name, {})}

    def check_names(self, names: Iterable[str]) -> None:
        """Refuse fields for a test that there is not."""
        known = list(names)
        parts = {name.rpartition(" [")[0] for name in known if name.endswith("]")}
        for name in self.tests:
            if name not in known and name not in parts:
                raise ConfigurationError(
                    f"{self.source}, {dotted((name,))}: the tests.json has no test of this name."
                    f"{did_you_mean(name, known)}"
                )


def read_mapping(written: str | Path | Mapping[str, Any] | None) -> FieldMapping:
    """Return the fields that a file or a Python mapping gives.

    Raises
    ------
    ConfigurationError
        When it is no mapping from names of tests to fields.
    """
    if written is None:
        return FieldMapping()
    document = Document(written) if isinstance(written, Mapping) else read_document(written)
    source = document.source or "mapping"
    content = document.content
    if not isinstance(content, Mapping):
        raise ConfigurationError(
            f"{source}: must map names of tests to their fields, but is {shown(content)}."
        )
    # A list and a text are no fields of a test that is called so.
    judging = {
        name: content[name]
        for name, kind in ((_JUDGES, list), (_JUDGEMENTS, str))
        if isinstance(content.get(name), kind)
    }
    content = {name: fields for name, fields in content.items() if name not in judging}
    for name, fields in content.items():
        if fields is not None and not isinstance(fields, Mapping):
            raise ConfigurationError(
                f"{source}, {dotted((str(name),))}: must be a mapping of test fields, but is"
                f" {shown(fields)}."
            )
        if fields and "name" in fields:
            raise ConfigurationError(
                f"{source}, {dotted((str(name), 'name'))}: a test keeps the name that it has."
            )
    tests = {str(name): dict(fields or {}) for name, fields in content.items()}
    return FieldMapping(tests.pop(_DEFAULTS, {}), tests, source, judging)
