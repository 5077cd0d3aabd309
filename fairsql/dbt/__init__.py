"""The fairsql tests of a dbt project, run in the Python path with their scans merged.

dbt's own artifacts say which tests there are and which tables they are about; where those must be
made anew, dbt makes them. Nothing of dbt is imported.
"""

from __future__ import annotations

from fairsql.dbt.command import Dbt
from fairsql.dbt.profiles import Target, find_target, open_target
from fairsql.dbt.project import Project, load_project
from fairsql.dbt.suite import ProjectSuite, read_suite
from fairsql.warehouses import Limits

__all__ = [
    "Dbt",
    "Limits",
    "Project",
    "ProjectSuite",
    "Target",
    "find_target",
    "load_project",
    "open_target",
    "read_suite",
]
