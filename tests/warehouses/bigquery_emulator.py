r"""An emulator of BigQuery's API over DuckDB: the real client works with it.

It proves nothing of the syntax, as it takes SQL that BigQuery refuses. A dry run reads 0 bytes, no
job keeps its labels, and a statement runs before the server answers with its job. It does not read
escapes such as \u00a0 in a literal, so that trimming white space takes `0` to `9`, `a`, `b`, `f`
and `u` off the ends of a text: keys of the tests have others there.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.warehouses.emulators import environment, free_port, server

PROJECT = "project-with-dash"
_DUCKDB = "1.5.5"
_REQUIREMENTS = (
    "bqemulator==1.4.0",
    f"duckdb=={_DUCKDB}",
    f"duckdb-extension-spatial=={_DUCKDB}",
    "numpy",
)


@contextmanager
def bigquery() -> Iterator[str]:
    """Start the emulator on a free port, give the address of its API, and stop it."""
    programs = environment("bigquery", *_REQUIREMENTS)
    with TemporaryDirectory(prefix="fairsql-bigquery-") as folder:
        home, port = Path(folder), free_port()
        _give_spatial(programs, home)
        ports = "--rest-port", str(port), "--grpc-port", "0"
        command = programs / "bqemulator", "start", *ports, "--project", PROJECT, "--no-admin"
        with server(["env", f"HOME={home}", *command], port, home / "log.txt"):
            yield f"http://localhost:{port}"


def _give_spatial(programs: Path, home: Path) -> None:
    """Put DuckDB's extension where the emulator looks before it would download one."""
    asked = "import duckdb; print(duckdb.execute('pragma platform').fetchone()[0])"
    told = subprocess.run(
        [programs / "python", "-c", asked], capture_output=True, text=True, check=True
    )
    folder = home / ".duckdb" / "extensions" / f"v{_DUCKDB}" / told.stdout.strip()
    folder.mkdir(parents=True)
    (extension,) = programs.parent.glob("lib/*/site-packages/**/spatial.duckdb_extension")
    shutil.copy(extension, folder)
