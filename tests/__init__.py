"""Tests of fairsql, laid out as the package is."""
