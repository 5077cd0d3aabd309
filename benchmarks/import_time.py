"""How long `import fairsql` takes, in fresh interpreters.

python -m benchmarks.import_time
"""

from __future__ import annotations

import subprocess
import sys
import time

REPEATS = 5
STEPS = {
    "python": "pass",
    "import fairsql": "import fairsql",
    "first use": "import fairsql; fairsql.load_suite",
}


def best(code: str) -> float:
    """Return the shortest wall time of several runs, in seconds."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Print a Markdown table: the best of five runs."""
    print("| what | seconds |\n| --- | ---: |")
    for name, code in STEPS.items():
        print(f"| {name} | {best(code):.3f} |")


if __name__ == "__main__":
    main()
