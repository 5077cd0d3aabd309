"""``python -m fairsql`` is the command line."""

from __future__ import annotations

from fairsql.cli import main

main()
