"""Tests of fairsql.inference; every expected number comes from outside the package."""
