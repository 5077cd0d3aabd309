"""Writes the golden SQL anew: ``python -m tests.regenerate_golden``, then read the difference."""

from __future__ import annotations

from tests.golden_cases import CASES, connection, golden_path, rendered


def main() -> None:
    opened = connection()
    folder = golden_path("any").parent
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.sql"):
        path.unlink()
    for name in CASES:
        golden_path(name).write_text(rendered(name, opened), encoding="utf-8")
    print(f"{len(CASES)} files in {folder}")


if __name__ == "__main__":
    main()
