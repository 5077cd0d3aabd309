"""The Jinja that stands in dbt's YAML, as far as it needs no compiled project."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping
from typing import Any

from jinja2 import StrictUndefined, TemplateError, UndefinedError, pass_context
from jinja2.nativetypes import NativeEnvironment
from jinja2.runtime import Context, Undefined
from jinja2.sandbox import SandboxedEnvironment

from fairsql.errors import ConfigurationError

_NOTHING = object()
# dbt takes such text for a call, braces or not, in the arguments of a test.
_CALL = re.compile(r"\s*(env_var|ref|var|source|doc)\s*\(.+\)\s*")


class _Environment(SandboxedEnvironment, NativeEnvironment):
    """Expressions of no side effect, whose values keep their type."""


def render(value: Any, variables: Mapping[str, Any], place: str) -> Any:
    """Return a value of a YAML file, with the Jinja in its texts rendered as dbt renders it.

    Parameters
    ----------
    value
        A text, or what holds texts: lists and mappings, at any depth.
    variables
        What ``var`` finds. ``env_var`` finds the environment.
    place
        What a message begins with. It names no value, as that may be a password.

    Raises
    ------
    ConfigurationError
        When a variable is not set, or the text needs what only dbt has.

    Examples
    --------
    >>> texts = ["{{ var('least') }}", "{{ 1 / 2 }}", "{{ (1 / 2) | as_number }}"]
    >>> render(texts, {"least": 30}, "test")
    [30, '0.5', 0.5]
    """
    if isinstance(value, Mapping):
        return {key: render(item, variables, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, list):
        return [render(item, variables, place) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    try:
        template = _environment(variables, place).from_string(value)
        parts = list(template.root_render_func(template.new_context()))
        if len(parts) == 1 and not isinstance(parts[0], Undefined):
            return parts[0]
        return "".join(map(str, parts))
    except UndefinedError as error:
        raise ConfigurationError(
            f"{place}: holds Jinja that only dbt can render ({error.message})."
        ) from None
    except TemplateError:
        raise ConfigurationError(f"{place}: holds text that Jinja cannot read.") from None
    except (ArithmeticError, LookupError, SyntaxError, TypeError, ValueError) as error:
        raise ConfigurationError(
            f"{place}: holds Jinja that fails ({type(error).__name__})."
        ) from None


def render_argument(value: Any, variables: Mapping[str, Any], place: str) -> Any:
    """Render an argument of a test, where a call such as ``var('x')`` needs no braces."""
    if isinstance(value, Mapping):
        return {key: render_argument(item, variables, place) for key, item in value.items()}
    if isinstance(value, list):
        return [render_argument(item, variables, place) for item in value]
    if isinstance(value, str) and _CALL.fullmatch(value):
        value = f"{{{{ {value} }}}}"
    return render(value, variables, place)


def _environment(variables: Mapping[str, Any], place: str) -> _Environment:
    environment = _Environment(undefined=StrictUndefined)

    def env_var(name: str, default: Any = _NOTHING) -> Any:
        return _found(os.environ, name, default, "the environment variable", place)

    def var(name: str, default: Any = _NOTHING) -> Any:
        return _found(variables, name, default, "the variable", place)

    environment.globals.update({"env_var": env_var, "var": var})
    environment.filters.update(
        {
            "as_bool": _literal,
            "as_native": _native,
            "as_number": _literal,
            "as_text": str,
        }
    )
    return environment


def _found(given: Mapping[str, Any], name: str, default: Any, kind: str, place: str) -> Any:
    value = given.get(name, default)
    if value is _NOTHING:
        raise ConfigurationError(f"{place}: needs {kind} {name}, which is not set.")
    return value


# A filter that takes the context is not applied while Jinja compiles. Constants become text there,
# in dbt as here.
@pass_context
def _literal(_: Context, value: Any) -> Any:
    """Return the number or boolean that a text is in Python."""
    return ast.literal_eval(value) if isinstance(value, str) else value


@pass_context
def _native(context: Context, value: Any) -> Any:
    """Return what a text is in Python, or else the text."""
    try:
        return _literal(context, value)
    except (SyntaxError, ValueError):
        return value
