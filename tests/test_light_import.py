"""What a program pays for: an import loads nothing heavy, and a run neither pandas nor scipy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = (
    "altair",
    "anthropic",
    "click",
    "duckdb",
    "jinja2",
    "junitparser",
    "litellm",
    "mlflow",
    "numpy",
    "openai",
    "pandas",
    "polars",
    "pyarrow",
    "pydantic",
    "rich",
    "ruamel",
    "scipy",
    "sqlglot",
    "vl_convert",
)
RUN = """
connection = __import__("duckdb").connect()
connection.execute(
    "create table calls as select ['F', 'M'][i % 2 + 1] as gender, i % 7 as latency,"
    " i % 3 as approved, i / 100.0 as score from range(100) as numbers(i)"
)
shared = {"protected_attribute_columns": ["gender"], "p_value_adjustment": "holm"}
positive = {"positive_values": ["1"]}
for metric, columns in {
    "rate": {"value_column": "approved", "higher_is_better": True, **positive},
    "mean": {"value_column": "latency", "higher_is_better": False},
    "p95": {"value_column": "latency", "higher_is_better": False},
    "auc": {"score_column": "score", "ground_truth_column": "approved", **positive},
}.items():
    result = fairsql.group_metric_parity(
        connection, "calls", parity_metric=metric, **columns, **shared
    )
    assert result.status in ("passed", "failed"), result
    assert all(group.is_reference or group.p_value is not None for group in result.groups)
"""


def loaded_after(code: str) -> set[str]:
    """Run code in a fresh interpreter, and return the top-level modules it has then."""
    program = f"import sys\n{code}\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import fairsql",
        "import fairsql\nfairsql.__version__, dir(fairsql), fairsql.FairsqlError, fairsql.Run",
    ],
)
def test_an_import_loads_nothing_heavy(code: str) -> None:
    assert not loaded_after(code) & set(HEAVY)


def test_a_run_loads_neither_pandas_nor_scipy() -> None:
    loaded = loaded_after(f"import fairsql\n{RUN}")
    assert {"duckdb", "numpy", "sqlglot"} <= loaded  # it did run
    assert not loaded & {
        *("altair", "anthropic", "click", "litellm", "openai", "pandas", "polars", "pyarrow"),
        *("rich", "scipy", "vl_convert"),
    }


def test_every_dialect_compiles_without_a_driver() -> None:
    code = (
        "import sys\n"
        "for name in ('duckdb', 'psycopg', 'snowflake', 'google.cloud', 'pyspark', 'databricks'):\n"
        "    sys.modules[name] = None\n"
        "import fairsql\n"
        "from fairsql.compile import dialects\n"
        f"suite = fairsql.load_suite({str(ROOT / 'fairsql' / 'demo' / 'suite.yml')!r})\n"
        "print({name: len(fairsql.compile(suite, dialect=name)) > 1000 for name in dialects()})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("True") == 7
    assert "False" not in done.stdout
