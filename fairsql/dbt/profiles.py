"""A dbt profile: found as dbt finds it, rendered, and opened. Its secrets are never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairsql.config.documents import read_document
from fairsql.dbt.jinja import render
from fairsql.dbt.outputs import OUTPUTS
from fairsql.dbt.project import Project, find_project, load_project
from fairsql.errors import ConfigurationError, did_you_mean
from fairsql.warehouses import NO_LIMITS, Limits, Warehouse

FILE = "profiles.yml"


@dataclass(frozen=True)
class Target:
    """One target of a profile. ``settings`` are rendered, and may hold a password.

    ``place`` is what messages call it, and ``root`` the folder that paths start from.
    """

    profile: str
    name: str
    type: str
    place: str
    root: Path
    profiles_dir: Path
    settings: Mapping[str, Any] = field(repr=False)

    @property
    def database(self) -> str:
        """The database that dbt names relations by."""
        return OUTPUTS[self.type].database_and_schema(self.settings)[0]

    @property
    def schema(self) -> str:
        """The schema that dbt builds in, or begins the names of its schemas with."""
        return OUTPUTS[self.type].database_and_schema(self.settings)[1]

    @property
    def options(self) -> tuple[str, ...]:
        """The options by which dbt itself comes to this target."""
        folder = str(self.profiles_dir)
        return ("--profiles-dir", folder, "--profile", self.profile, "--target", self.name)

    def open(self, limits: Limits = NO_LIMITS) -> Warehouse:
        """Connect, for reading alone.

        Raises
        ------
        ConfigurationError
            When the settings are not enough, or name what fairsql cannot honour.
        WarehouseError
            When there is no connection.
        """
        return OUTPUTS[self.type].connect(self.settings, self.place, self.root, limits)


def find_target(
    project: Project | None,
    *,
    profiles_dir: str | None = None,
    profile: str | None = None,
    target: str | None = None,
) -> Target:
    """Return the target that dbt would choose.

    Parameters
    ----------
    project
        The project that is run; ``None`` where there is none.
    profiles_dir, profile, target
        What the user named; else the environment, the project and the profile decide.

    Raises
    ------
    ConfigurationError
        When the file, the profile, the target or a variable is not there, or fairsql has no
        connection of the target's type.
    """
    file = _profiles_file(project, profiles_dir)
    profiles = _content(file)
    variables = project.variables if project else {}
    name = profile or os.environ.get("DBT_PROFILE") or (project.profile if project else None)
    if name is None:
        raise ConfigurationError(f"{file}: which profile? --profile names one.")
    chosen = _named(profiles, name, f"{file}: there is no profile")
    place = f"{file}, profile {name!r}"
    wanted = target or os.environ.get("DBT_TARGET") or chosen.get("target") or "default"
    wanted = str(render(wanted, variables, f"{place}, target"))
    outputs = chosen.get("outputs")
    if not isinstance(outputs, Mapping):
        raise ConfigurationError(f"{place}: has no outputs.")
    output = _named(outputs, wanted, f"{place}: there is no target")
    place = f"{place}, target {wanted!r}"
    settings = render(output, variables, place)
    kind = settings.get("type")
    if str(kind) not in OUTPUTS:
        raise ConfigurationError(
            f"{place}: type must be one of {', '.join(OUTPUTS)}, but is {kind!r};"
            " `dbt test` runs on the others that have a dialect."
        )
    root = project.root if project else Path.cwd()
    return Target(name, wanted, str(kind), place, root, file.parent, settings)


def _profiles_file(project: Project | None, folder: str | None) -> Path:
    named = folder or os.environ.get("DBT_PROFILES_DIR")
    if named:
        places = [Path(named).expanduser().resolve()]
    else:
        own = [project.root] if project else []
        places = [Path.cwd(), *own, Path.home() / ".dbt"]
    for place in places:
        if (place / FILE).is_file():
            return place / FILE
    tried = ", ".join(dict.fromkeys(map(str, places)))
    raise ConfigurationError(f"there is no {FILE} in {tried}; --profiles-dir names another place.")


def _content(file: Path) -> Mapping[str, Any]:
    try:
        content = read_document(file).content
    except ConfigurationError as error:
        # The message may quote what stands there, which may be a password.
        line = re.search(r", line \d+", str(error))
        where = f"{file}{line[0] if line else ''}"
        raise ConfigurationError(
            f"{where}: is not YAML that fairsql reads; text that starts with a special character"
            " stands in quotes."
        ) from None
    if not isinstance(content, Mapping):
        raise ConfigurationError(f"{file}: must be a mapping of profiles.")
    return content


def _named(choices: Mapping[str, Any], name: str, complaint: str) -> Mapping[str, Any]:
    found = choices.get(name)
    if isinstance(found, Mapping):
        return found
    names = [str(choice) for choice in choices if choice != "config"]
    hint = did_you_mean(name, names) or f" It has {', '.join(names)}."
    raise ConfigurationError(f"{complaint} {name!r}.{hint}")


def open_target(
    *,
    profiles_dir: str | None = None,
    profile: str | None = None,
    target: str | None = None,
    limits: Limits = NO_LIMITS,
) -> Warehouse:
    """Connect as a profile says, that of the project one stands in unless another is named."""
    project = load_project(None) if find_project(None) else None
    found = find_target(project, profiles_dir=profiles_dir, profile=profile, target=target)
    return found.open(limits)
