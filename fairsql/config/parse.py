"""Suites and single tests from what users write; every fault is found before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any, overload

from pydantic import ValidationError

from fairsql.config.base import DEFAULT_THRESHOLDS, Test, Threshold
from fairsql.config.documents import Document, read_document
from fairsql.config.judging import DEFAULT_TABLE, JudgeSpec
from fairsql.config.messages import (
    Fault,
    Report,
    dotted,
    faults_of,
    faults_of_judge,
    meant_key,
    shown,
    unknown_key,
)
from fairsql.config.models import PARAMETERS, TESTS, Suite
from fairsql.config.parity import GroupMetricParity
from fairsql.config.windows import unused_window_fields
from fairsql.errors import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from fairsql.config.combinations import Fold

_SUITE_KEYS = ("version", "defaults", "judgements", "judges", "tests")

Fields = Mapping[str, Any]


def load_suite_file(path: str | Path) -> Suite:
    """Read and check a suite file.

    Parameters
    ----------
    path
        A file of YAML 1.2, or of JSON when its name ends in ``.json``.

    Raises
    ------
    ConfigurationError
        With one line for each fault: file, line, test, key, the value received, what is allowed.
    """
    return parse_document(read_document(path))


def parse_document(document: Document) -> Suite:
    """Check a suite file that has been read."""
    return _SuiteReader(document).suite()


def parse_suite(mapping: Mapping[str, Any], source: str | None = None) -> Suite:
    """Check a suite that is already plain values.

    Parameters
    ----------
    mapping
        The keys of a suite file: ``version``, ``tests`` and perhaps ``defaults``.
    source
        What messages call the place where the values came from.

    Raises
    ------
    ConfigurationError
        With one line for each fault.

    Examples
    --------
    >>> suite = parse_suite({"version": 1, "tests": [{
    ...     "name": "Latency by region", "type": "group_metric_parity", "relation": "calls",
    ...     "protected_attribute_columns": ["region"], "parity_metric": "p95",
    ...     "value_column": "latency", "higher_is_better": False}]})
    >>> suite.tests[0].min_ratio
    0.8
    """
    return _SuiteReader(Document(mapping, source)).suite()


@overload
def build_test(**fields: Any) -> GroupMetricParity: ...
@overload
def build_test(type: str, **fields: Any) -> Test: ...
def build_test(type: str = "group_metric_parity", **fields: Any) -> Test:  # noqa: A002 - the field's name
    """Check one test that was written as Python arguments.

    Without a name it is called by its metric and attributes. numpy and pandas values are taken as
    the Python values they hold. ``type`` is the kind of test.

    Raises
    ------
    ConfigurationError
        With one line for each fault.

    Examples
    --------
    >>> test = build_test(relation="loans", protected_attribute_columns=["gender"],
    ...                   parity_metric="rate", value_column="approved", positive_values=[1],
    ...                   higher_is_better=True)
    >>> test.name
    'rate parity by gender'
    """
    plain = {"type": type, **{name: _plain(value) for name, value in fields.items()}}
    label = f"test {shown(plain['name'])}" if plain.get("name") is not None else ""
    test, faults = _read_test({**plain, "name": plain["name"] if label else _default_name(plain)})
    report = Report(Document(plain))
    for fault in faults:
        report.add(fault.place, fault.text, test=label)
    report.fail_if_any()
    assert test is not None  # noqa: S101 - a test without a fault was read
    return test


def check_names(suite: Suite, fold: Fold = str.casefold) -> None:
    """Check column names against each other by a warehouse's rule for names.

    Parameters
    ----------
    suite
        A suite whose names differ as they are spelled.
    fold
        Brings all spellings of one name to the same text.

    Raises
    ------
    ConfigurationError
        When, after folding, an attribute is repeated or is also an input of the metric, or two
        inputs are one column.
    """
    report = Report(Document(None, suite.source))
    for position, test in enumerate(suite.tests):
        for field, text in test.column_faults(fold):
            base = ("tests", position)
            report.add((field,), text, base=base, test=f"test {shown(test.name)}")
    report.fail_if_any()


# --- a suite ---------------------------------------------------------------------------------


class _SuiteReader:
    """Reads a document as a suite.

    ``positions`` holds the names so far; ``broken_defaults`` the default fields that are at fault,
    which no test is then said to lack.
    """

    def __init__(self, document: Document) -> None:
        self.report = Report(document)
        self.content = document.content
        self.source = document.source
        self.defaults: Fields = {}
        self.broken_defaults: set[str] = set()
        self.positions: dict[str, int] = {}
        self.judges: dict[str, JudgeSpec] = {}

    def suite(self) -> Suite:
        tests: list[Test] = []
        if isinstance(self.content, Mapping):
            meant = self.unknown_keys()
            if "version" not in meant:
                self.check_version()
            self.read_judges()
            self.read_defaults()
            if "tests" not in meant:
                tests = self.tests()
        else:
            received = shown(self.content)
            text = f"a suite is a mapping with the keys version and tests, but this is {received}."
            if isinstance(self.content, list | tuple):
                text += " A tests.json is read by fairsql.load_suite, with relation=…."
            self.report.add((), text)
        self.report.fail_if_any()
        return Suite(
            version=1,
            tests=tuple(tests),
            judges=tuple(self.judges.values()),
            source=self.source,
        )

    def unknown_keys(self) -> set[str | None]:
        """Report unknown keys; return the absent ones of which they are misspellings."""
        unknown = [key for key in self.content if key not in _SUITE_KEYS]
        for key in unknown:
            self.report.add((key,), unknown_key(key, _SUITE_KEYS))
        return {meant_key(key, _SUITE_KEYS) for key in unknown} - set(self.content)

    def check_version(self) -> None:
        version = self.content.get("version")
        if "version" not in self.content:
            self.report.add(("version",), "is required; write version: 1.")
        elif isinstance(version, bool) or not isinstance(version, int) or version != 1:
            self.report.add(("version",), f"must be 1, but is {shown(version)}.")

    def read_judges(self) -> None:
        """Keep the judges that are right, and report what is wrong with the others."""
        table = self.content.get("judgements", DEFAULT_TABLE)
        if not isinstance(table, str) or not table.strip():
            self.report.add(("judgements",), f"must be the name of a table, but is {shown(table)}.")
            table = DEFAULT_TABLE
        written = self.content.get("judges") or ()
        if not isinstance(written, list | tuple):
            text = f"must be a list of judges, but is {shown(written)}."
            self.report.add(("judges",), f"{text} A judge starts with '- name:'.")
            return
        for position, own in enumerate(written):
            spec, faults = read_judge({"table": table, **own} if isinstance(own, Mapping) else own)
            if spec is not None and spec.name in self.judges:
                faults = [Fault(("name",), "another judge has the same name.")]
            for fault in faults:
                self.report.add(("judges", position, *fault.place), fault.text)
            if spec is not None:
                self.judges.setdefault(spec.name, spec)

    def with_judges(self, own: Fields) -> tuple[Fields, list[Fault]]:
        """Return a test's fields with the judges that it names, and the names that there are not.

        A judge that is written out in the test stays as it is.
        """
        named = own.get("judges")
        if not isinstance(named, list | tuple):
            return own, []
        known = [one for one in named if not isinstance(one, str) or one in self.judges]
        faults = [
            Fault(
                ("judges", position),
                f"names no judge of the suite: {shown(one)}.{did_you_mean(one, self.judges)}",
            )
            for position, one in enumerate(named)
            if isinstance(one, str) and one not in self.judges
        ]
        judges = [self.judges[one] if isinstance(one, str) else one for one in known]
        return {**own, "judges": judges}, faults

    def read_defaults(self) -> None:
        """Keep the defaults that are right by themselves, and report the others once."""
        written = self.content.get("defaults")
        if written is not None and not isinstance(written, Mapping):
            text = f"must be a mapping of test fields, but is {shown(written)}."
            self.report.add(("defaults",), text)
            self.broken_defaults = set(PARAMETERS)
        elif written:
            fields = {str(name): value for name, value in written.items()}
            faults = _default_faults(fields, self.types())
            # Which fields are missing, and which do not go together, is for each test to say.
            own = [f for f in faults if f.place[0] in fields and f.kind != "combination"]
            for fault in own:
                self.report.add(("defaults", *fault.place), fault.text)
            broken = self.broken_defaults = _fields_at_fault(own)
            self.defaults = {name: fields[name] for name in fields if name not in broken}

    def types(self) -> set[str]:
        """Return the types of the tests, as far as they can be told."""
        written = self.content.get("tests")
        tests = written if isinstance(written, list | tuple) else ()
        return {str(test.get("type")) for test in tests if isinstance(test, Mapping)}

    def tests(self) -> list[Test]:
        written = self.content.get("tests")
        if written is None or written in ([], ()):
            if not self.content.get("judges"):
                self.report.add(("tests",), "there are no tests; a suite lists at least one.")
        elif not isinstance(written, list | tuple):
            text = f"must be a list of tests, but is {shown(written)}."
            self.report.add(("tests",), f"{text} A test starts with '- name:'.")
        else:
            tests = [self.test(own, position) for position, own in enumerate(written)]
            return [test for test in tests if test is not None]
        return []

    def test(self, written: Any, position: int) -> Test | None:
        base = ("tests", position)
        if not isinstance(written, Mapping):
            self.report.add(base, f"must be a mapping of test fields, but is {shown(written)}.")
            return None
        own, unnamed = self.with_judges({str(name): value for name, value in written.items()})
        fields = {**_applicable(self.defaults, own), **own}
        test, faults = _read_test(fields, self.broken_defaults - set(own))
        faults += unnamed
        name = fields.get("name")
        if "type" not in {*fields, *self.broken_defaults, *_fields_at_fault(faults)}:
            faults.append(Fault(("type",), f"is required: one of {', '.join(TESTS)}."))
        if isinstance(name, str) and self.positions.setdefault(name, position) != position:
            faults.append(Fault(("name",), f"tests[{self.positions[name]}] has the same name."))
        for fault in faults:
            field = fault.place[0]
            self.report.add(
                fault.place,
                fault.text,
                base=base,
                test=f"test {shown(name)}" if isinstance(name, str) else dotted(base),
                inherited=field in fields and field not in own,
            )
        return test


def _applicable(defaults: Fields, own: Fields) -> Fields:
    """Return the defaults that this test has a use for."""
    together = {**defaults, **own}
    model = _model(together)
    unused = {*model.unused(together), *unused_window_fields(together)} - set(own)
    return {
        field: value
        for field, value in defaults.items()
        if field in model.model_fields and field not in unused
    }


def _default_faults(fields: Fields, types: Set[str]) -> list[Fault]:
    """Return what is wrong with defaults: what none of the tests that have the field could take.

    ``types`` are those of the suite's tests. A field that none of them has is read as any type
    with such a field reads it.
    """
    if "type" in fields:
        return _read_test(fields)[1]
    readings: dict[str, list[list[Fault]]] = {name: [] for name in fields}
    for model in sorted(TESTS.values(), key=lambda model: _type_of(model) not in types):
        own = {
            name: value
            for name, value in fields.items()
            if name in model.model_fields and (_type_of(model) in types or not readings[name])
        }
        # Which fields are missing is for each test to say.
        read = _read_test({"type": _type_of(model), **own})[1] if own else []
        for name in own:
            readings[name].append([fault for fault in read if fault.place[0] == name])
    faults = [fault for found in readings.values() if found and all(found) for fault in found[0]]
    for name in (name for name, found in readings.items() if not found):
        meant = meant_key(name, PARAMETERS)
        place = () if meant is None else (meant,)
        faults.append(Fault((name,), unknown_key(name, PARAMETERS), "extra_forbidden", place))
    return faults


def read_judge(written: Any) -> tuple[JudgeSpec | None, list[Fault]]:
    """Return a judge, or every fault in its fields."""
    if not isinstance(written, Mapping):
        return None, [Fault((), f"must be a mapping of a judge's fields, but is {shown(written)}.")]
    try:
        return JudgeSpec.model_validate(dict(written)), []
    except ValidationError as error:
        return None, faults_of_judge(error)


# --- one test --------------------------------------------------------------------------------


def _model(fields: Fields) -> type[Test]:
    """Return the model of the kind of test that the fields name."""
    name = fields.get("type")
    return TESTS.get(name, GroupMetricParity) if isinstance(name, str) else GroupMetricParity


def _type_of(model: type[Test]) -> str:
    return next(name for name, known in TESTS.items() if known is model)


def _read_test(fields: Fields, broken: Set[str] = frozenset()) -> tuple[Test | None, list[Fault]]:
    """Return the test, or every fault in its fields and in how they go together.

    Fields in ``broken`` are absent because their faults have been reported before.
    """
    model = _model(fields)
    if "type" in fields and fields["type"] not in list(TESTS):
        hint = did_you_mean(str(fields["type"]), TESTS)
        text = f"must be one of {', '.join(TESTS)}, but is {shown(fields['type'])}.{hint}"
        _, faults = _read_test({**fields, "type": "group_metric_parity"}, broken)
        # What else is wrong depends on what was meant.
        known = [fault for fault in faults if fault.kind not in ("extra_forbidden", "missing")]
        return None, [Fault(("type",), text, "literal_error"), *(known if not hint else [])]
    try:
        return model.model_validate(fields, context=model.measurement_spellings()), []
    except ValidationError as error:
        faults = faults_of(error, model)
    if any(fault.kind != "combination" for fault in faults):
        # pydantic joins fields only when each is right by itself
        others = _partial_faults(model, fields, broken | _fields_at_fault(faults))
        faults += [Fault((field,), text) for field, text in others]
    return None, [fault for fault in faults if fault.place[0] not in broken]


def _fields_at_fault(faults: Iterable[Fault]) -> set[str]:
    """Return the fields that are wrong by themselves, missing, or misspelt."""
    return {str(place[0]) for fault in faults for place in (fault.place, fault.meant) if place}


def _partial_faults(
    model: type[Test], fields: Fields, broken: Set[str]
) -> Iterator[tuple[str, str]]:
    """Yield what does not go together among the fields that are right by themselves."""
    known = model.model_fields
    values = {name: info.default for name, info in known.items() if not info.is_required()}
    values.update({name: value for name, value in fields.items() if name in known})
    for name in broken:
        values.pop(name, None)
    if "thresholds" in values:
        context = model.measurement_spellings()
        values["thresholds"] = tuple(
            limit
            if isinstance(limit, Threshold)
            else Threshold.model_validate(limit, context=context)
            for limit in values["thresholds"] or DEFAULT_THRESHOLDS
        )
    if "judges" in values:
        values["judges"] = tuple(
            one if isinstance(one, JudgeSpec) else JudgeSpec.model_validate(one)
            for one in values["judges"] or ()
        )
    given = {name for name in values if fields.get(name) is not None}
    return model.all_faults(values, given)


def _plain(value: Any) -> Any:
    """Return numpy's and pandas' scalars and arrays as the Python values they hold."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _default_name(fields: Fields) -> str:
    name = _model(fields).default_name(fields)
    return "".join(character if character.isprintable() else " " for character in name)
