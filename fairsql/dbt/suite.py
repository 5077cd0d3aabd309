"""From dbt's manifest to a suite: which tests are run, and which only dbt can run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairsql.config import TESTS, parse_suite
from fairsql.dbt.jinja import render_argument
from fairsql.dbt.manifest import DbtTest, Manifest, read_manifest, with_column
from fairsql.errors import ConfigurationError
from fairsql.results import Rows, Run, TestResult
from fairsql.suite import Suite

if TYPE_CHECKING:
    from fairsql.config import Test
    from fairsql.dbt.command import Dbt
    from fairsql.dbt.profiles import Target
    from fairsql.dbt.project import Project

_FIELDS_OF_OURS = ("name", "type", "relation", "where")


@dataclass(frozen=True)
class ProjectSuite:
    """The tests of a project: a suite, and the results of those that only dbt can run.

    ``names`` holds all of them in dbt's order. ``as_of`` is what the project's variable
    ``fairsql_as_of`` says, if there is one.
    """

    suite: Suite
    left: Mapping[str, TestResult]
    names: tuple[str, ...]
    as_of: Any = None

    def run(
        self,
        warehouse: Any,
        *,
        as_of: Any = None,
        backfill: Any = None,
        on_statement: Callable[[int, int], None] | None = None,
        on_result: Callable[[TestResult], None] | None = None,
    ) -> Run:
        """Run the tests; see :meth:`fairsql.Suite.run`."""
        if on_result:
            for result in self.left.values():
                on_result(result)
        run = self.suite.run(
            warehouse,
            as_of=self.as_of if as_of is None and backfill is None else as_of,
            backfill=backfill,
            on_statement=on_statement,
            on_result=on_result,
        )
        results = {name: [result] for name, result in self.left.items()}
        for test in run.tests:
            results.setdefault(test.name, []).append(test)
        tests = [result for name in self.names for result in results[name]]
        return replace(run, tests=tuple(tests))


def read_suite(
    project: Project,
    target: Target,
    dbt: Dbt,
    *,
    select: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> ProjectSuite:
    """Return the fairsql tests of a project, all or those that dbt selects.

    dbt is asked where its manifest is missing, older than the project's files or made for another
    target, for every selection, and for the SQL of ephemeral models.

    Raises
    ------
    ConfigurationError
        When a test is wrong, there is none, or dbt is needed and fails.
    """
    manifest, selected = _current(project, target, dbt, select, exclude)
    tests = manifest.tests(selected)
    uncompiled = {test.node.path for test in tests if test.node.from_clause is None}
    if uncompiled:
        dbt.compile(sorted(uncompiled))
        tests = _written(project).tests(selected)
    if not tests:
        chosen = "selected" if selected is not None else "defined"
        raise ConfigurationError(f"{project.file}: no fairsql test is {chosen} in {project.name}.")
    return _suite(tests, project)


def _current(
    project: Project, target: Target, dbt: Dbt, select: Sequence[str], exclude: Sequence[str]
) -> tuple[Manifest, set[str] | None]:
    """Return a manifest that is true, and the ids that dbt selects."""
    if select or exclude:
        selected = dbt.selected_tests(select, exclude)
        return _written(project), selected
    if project.manifest.is_file():
        manifest = _written(project)
        written = project.manifest.stat().st_mtime
        if not project.has_changed_since(written) and manifest.is_made_for(
            target.database, target.schema
        ):
            return manifest, None
    dbt.parse()
    return _written(project), None


def _written(project: Project) -> Manifest:
    manifest = read_manifest(project.manifest)
    if manifest is None:
        raise ConfigurationError(
            f"{project.manifest}: dbt has not written it; is write_json or target-path set?"
        )
    return manifest


def _suite(tests: Sequence[DbtTest], project: Project) -> ProjectSuite:
    fields: dict[str, list[dict[str, Any]]] = {}
    left: dict[str, TestResult] = {}
    faults: list[str] = []
    for test in tests:
        own = fields.setdefault(test.file, [])
        try:
            own.append(_fields(test, project.variables))
        except _OnlyDbtError as reason:
            left[test.name] = _error(test, str(reason))
        except ConfigurationError as error:
            faults.append(str(error))
    checked: list[Test] = []
    for file, written in fields.items():
        if written:
            try:
                checked += parse_suite({"version": 1, "tests": written}, source=file).tests
            except ConfigurationError as error:
                faults.append(str(error))
    if faults:
        raise ConfigurationError("\n".join(faults))
    suite = Suite(tuple(checked), source=str(project.file))
    as_of = project.variables.get("fairsql_as_of")
    return ProjectSuite(suite, left, tuple(test.name for test in tests), as_of)


class _OnlyDbtError(Exception):
    """Why a test cannot be run outside dbt."""


def _fields(test: DbtTest, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dbt test as a suite file would hold it."""
    if "statistics_of" in test.arguments:
        raise _OnlyDbtError(
            f"it reads the statistics that {test.node.relation} holds, and only `dbt test` does"
            " that; a test of the table itself runs here and in dbt."
        )
    if test.arguments.get("as_of") is not None:
        raise _OnlyDbtError(
            "it says itself as of when it looks back, while a run here has one moment for all"
            " tests: --as-of, or the variable fairsql_as_of."
        )
    for name in _FIELDS_OF_OURS:
        if name in test.arguments:
            raise ConfigurationError(f"{test.place}, {name}: is no argument of a dbt test.")
    try:
        rendered = {
            name: render_argument(value, variables, name) for name, value in test.arguments.items()
        }
    except ConfigurationError as error:
        raise _OnlyDbtError(f"{error} `dbt test` runs it.") from None
    arguments = with_column(test.type, rendered, test.column)
    if arguments is None:
        raise ConfigurationError(
            f"{test.place}: stands under the column {test.column!r}, and its arguments name every"
            f" input of the {'metric' if test.type == 'group_metric_parity' else 'test'};"
            " put it under the model."
        )
    arguments = {name: value for name, value in arguments.items() if name != "as_of"}
    relation = {"type": test.type, "relation": test.node.from_clause}
    where = {"where": test.where} if test.where else {}
    return {"name": test.name, **relation, **where, **arguments}


def _error(test: DbtTest, message: str) -> TestResult:
    return TestResult(
        name=test.name,
        type=test.type,
        relation=test.node.relation or test.node.path,
        status="error",
        reason="error",
        message=message,
        notes=(),
        parameters=dict(test.arguments),
        rows=Rows(),
        overall_value=None,
        comparison=None,
        measurements=dict.fromkeys(_measurements(test)),
        thresholds=(),
        groups_total=None,
        groups=(),
    )


def _measurements(test: DbtTest) -> Sequence[str]:
    """Return what a test of this type measures; of metrics over all rows, those that are named."""
    if test.type != "metric_threshold":
        return TESTS[test.type].measurement_names
    thresholds = test.arguments.get("thresholds")
    return [
        str(limit["measurement"])
        for limit in (thresholds if isinstance(thresholds, list) else ())
        if isinstance(limit, Mapping) and "measurement" in limit
    ]
