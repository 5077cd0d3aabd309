"""A small stand-in for dbt's Jinja: loads the macro files and calls a macro for one dialect.

dbt loads the same files. This loader offers the part of dbt's context that they use: macros that
see one another by name, ``adapter.dispatch``, ``return`` and the ``do`` statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import jinja2

from fairsql.errors import CompilationError, ConfigurationError

PACKAGE = "fairsql"
# Dialects whose macros serve for those that another lacks: the parents of dbt's adapters.
_PARENTS = {"databricks": ("spark",), "redshift": ("postgres",)}


class _Returned(Exception):  # noqa: N818 - a signal, not a fault
    def __init__(self, value: Any) -> None:
        self.value = value


# A macro from its first to its last tag. Macros are never nested, and comments hold no tags.
_DEFINITION = re.compile(
    r"\{%-? *macro +(?P<name>\w+)\(.*?\{%-? *endmacro *-?%\}"
    r"|\{%-? *test +(?P<test>\w+)\(.*?\{%-? *endtest *-?%\}",
    re.DOTALL,
)


class Macros:
    """Every macro of the package, bound to one dialect.

    Parameters
    ----------
    dialect
        The prefix that ``adapter.dispatch`` tries before ``default``.
    """

    def __init__(self, dialect: str) -> None:
        self._macros: dict[str, Callable[..., Any]] = {}
        self._dialect = dialect
        definitions = dict(_definitions())
        # One template a macro, so that each sees the others only through the globals, where a
        # call ends at its `return`. Compiled on first use, and kept compiled between runs.
        self._environment = jinja2.Environment(
            loader=jinja2.DictLoader(definitions),
            bytecode_cache=_bytecode_cache(),
            extensions=["jinja2.ext.do"],
            undefined=jinja2.StrictUndefined,
            autoescape=False,  # noqa: S701 - SQL, not HTML; values pass through literal macros
            keep_trailing_newline=False,
        )
        self._environment.globals.update(
            {
                "adapter": self,
                "return": _return,
                "exceptions": _Exceptions,
                "execute": True,
                "var": lambda _name, default=None: default,
                "run_started_at": _RunStarted,
            }
        )
        for name in definitions:
            self._macros[name] = self._bind(name)
        # In dbt a package's macros see one another by the package's name alone.
        self._environment.globals[PACKAGE] = SimpleNamespace(**self._macros)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a macro by name: the object it returns, or the text it renders."""
        return self._macros[name](*arguments)

    def dispatch(self, name: str, package: str = PACKAGE) -> Callable[..., Any]:
        """Return ``<dialect>__name``, else ``default__name``: dbt's ``adapter.dispatch``."""
        for prefix in (self._dialect, *_PARENTS.get(self._dialect, ()), "default"):
            if macro := self._macros.get(f"{prefix}__{name}"):
                return macro
        raise CompilationError(f"{package} has no macro {name!r} for the dialect {self._dialect!r}")

    def _bind(self, name: str) -> Callable[..., Any]:
        @cache
        def compiled() -> Callable[..., Any]:
            macro: Callable[..., Any] = getattr(self._environment.get_template(name).module, name)
            return macro

        def call(*arguments: Any, **named: Any) -> Any:
            try:
                return compiled()(*arguments, **named)
            except _Returned as returned:
                return returned.value

        return call


class _Exceptions:
    """dbt's ``exceptions``, as far as the macros use it."""

    @staticmethod
    def raise_compiler_error(message: str) -> NoReturn:
        raise ConfigurationError(message)


class _RunStarted:
    """dbt's ``run_started_at``, as far as the macros use it; here a run starts when it is asked."""

    @staticmethod
    def strftime(form: str) -> str:
        return datetime.now(UTC).strftime(form)


def _bytecode_cache() -> jinja2.BytecodeCache | None:
    """Return Jinja's own cache in the user's temporary folder, if there is a safe one."""
    try:
        return jinja2.FileSystemBytecodeCache(pattern="__fairsql_%s.cache")
    except (OSError, RuntimeError):
        return None


def _return(value: Any = None) -> NoReturn:
    raise _Returned(value)


def _definitions() -> Iterator[tuple[str, str]]:
    """Yield each macro's name and text; a test is the macro ``test_…`` to dbt, and here."""
    for path in macro_files():
        for found in _DEFINITION.finditer(path.read_text(encoding="utf-8")):
            text = found[0]
            if found["test"]:
                text = text.replace("test " + found["test"], "macro test_" + found["test"], 1)
                text = re.sub(r"endtest(?=\W+$)", "endmacro", text)
            yield found["name"] or f"test_{found['test']}", text


def macro_files() -> list[Path]:
    """Return every SQL file of ``macros/`` and ``dialects/``, from the wheel or the checkout."""
    package = Path(__file__).resolve().parents[1]
    for root in (package / "sql", package.parent):
        if (root / "macros").is_dir():
            folders = (root / "dialects", root / "macros")
            return [path for folder in folders for path in sorted(folder.rglob("*.sql"))]
    raise CompilationError("the macro files of fairsql are not installed")


def dialects() -> list[str]:
    """Return the names of the dialects that have a file of primitives."""
    names = {path.stem for path in macro_files() if path.parent.name == "dialects"}
    return sorted(names - {"default"})


@cache
def macros_for(dialect: str) -> Macros:
    """Return the macros bound to a dialect, loaded once."""
    return Macros(dialect)
