"""Tests of fairsql.config: what is accepted, what it means, and what is refused in which words."""
