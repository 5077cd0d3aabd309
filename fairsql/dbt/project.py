"""A dbt project: where it is, and whether its manifest still tells the truth about it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairsql.config.documents import read_document
from fairsql.dbt.jinja import render
from fairsql.errors import ConfigurationError

FILE = "dbt_project.yml"
_SOURCES = (".sql", ".yml", ".yaml")
_NOT_SOURCES = {"logs", "node_modules", "__pycache__"}


@dataclass(frozen=True)
class Project:
    """What ``dbt_project.yml`` says; ``variables`` are those that ``var`` finds."""

    root: Path
    name: str
    profile: str | None
    target_path: Path
    variables: Mapping[str, Any] = field(repr=False)

    @property
    def file(self) -> Path:
        """The file that makes a folder a project."""
        return self.root / FILE

    @property
    def manifest(self) -> Path:
        """Where dbt writes what it knows of the project."""
        return self.target_path / "manifest.json"

    def has_changed_since(self, moment: float) -> bool:
        """Return whether a file of the project was changed, added or removed after a moment."""
        # A link may lead nowhere.
        return any(p.exists() and p.stat().st_mtime > moment for p in self._sources())

    def _sources(self) -> Iterator[Path]:
        """Yield the files that dbt reads, and the folders: theirs changes when a file goes."""
        for folder, folders, files in os.walk(self.root):
            here = Path(folder)
            if here.resolve() == self.target_path.resolve() or "pyvenv.cfg" in files:
                folders.clear()
                continue
            folders[:] = [f for f in folders if f not in _NOT_SOURCES and not f.startswith(".")]
            if here != self.root:  # dbt itself writes beside the project file
                yield here
            yield from (here / name for name in files if name.endswith(_SOURCES))


def find_project(folder: str | None) -> Path | None:
    """Return a project's folder as dbt finds it: the one named, or the nearest above.

    Raises
    ------
    ConfigurationError
        When a folder is named, by the argument or ``DBT_PROJECT_DIR``, that is no project.
    """
    named = folder or os.environ.get("DBT_PROJECT_DIR")
    if named:
        root = Path(named).expanduser().resolve()
        if not (root / FILE).is_file():
            raise ConfigurationError(f"project-dir: there is no {FILE} in {str(root)!r}.")
        return root
    here = Path.cwd()
    return next((place for place in (here, *here.parents) if (place / FILE).is_file()), None)


def load_project(folder: str | None) -> Project:
    """Read the project file.

    Raises
    ------
    ConfigurationError
        When there is no project, or its file is wrong.
    """
    root = find_project(folder)
    if root is None:
        raise ConfigurationError(
            f"there is no {FILE} here or in a folder above; --project-dir names another place."
        )
    source = str(root / FILE)
    content = read_document(root / FILE).content
    if not isinstance(content, Mapping) or not isinstance(content.get("name"), str):
        raise ConfigurationError(f"{source}: a dbt project has a name.")
    variables = _variables(content)
    settings = {
        key: render(content.get(key), variables, f"{source}, {key}")
        for key in ("profile", "target-path")
    }
    target_path = os.environ.get("DBT_TARGET_PATH") or settings["target-path"] or "target"
    return Project(root, content["name"], settings["profile"], root / target_path, variables)


def _variables(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the project's own variables; those under its name count for more."""
    variables = content.get("vars")
    if not isinstance(variables, Mapping):
        return {}
    own = variables.get(content["name"])
    return {**variables, **(own if isinstance(own, Mapping) else {})}
