"""Writes the golden SQL anew: ``python -m tests.regenerate_golden``, then read the difference."""

from __future__ import annotations

from tests.golden_cases import FOLDER, KEPT, connection, golden_path, rendered


def main() -> None:
    opened = connection()
    for path in FOLDER.glob("*/*.sql"):
        path.unlink()
    for dialect, name in KEPT:
        path = golden_path(name, dialect)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rendered(name, dialect, opened), encoding="utf-8")
    print(f"{len(KEPT)} files in {FOLDER}")


if __name__ == "__main__":
    main()
