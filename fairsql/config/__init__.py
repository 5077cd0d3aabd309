"""What users write, as frozen models; every error names the place.

>>> suite = parse_suite({"version": 2, "tests": []}, source="fairsql.yml")
Traceback (most recent call last):
    ...
fairsql.errors.ConfigurationError: fairsql.yml, version: must be 1, but is 2.
fairsql.yml, tests: there are no tests; a suite lists at least one.
"""

from __future__ import annotations

from fairsql.config.models import GroupMetricParity, Suite, Threshold
from fairsql.config.parse import build_test, check_names, load_suite_file, parse_suite
from fairsql.config.schema import suite_json_schema
from fairsql.config.values import canonical_key, canonical_text

__all__ = [
    "GroupMetricParity",
    "Suite",
    "Threshold",
    "build_test",
    "canonical_key",
    "canonical_text",
    "check_names",
    "load_suite_file",
    "parse_suite",
    "suite_json_schema",
]
