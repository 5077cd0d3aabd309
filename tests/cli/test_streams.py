"""Files that are whole or absent, progress, and ends that nobody expects."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import fairsql
from fairsql.cli import main, streams
from fairsql.suite import Suite
from tests.cli.samples import DATA, ROOT, call, suite_of

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("path", ["no-such-folder/out.json", ".", "passed.yml/out.json"])
def test_a_file_that_cannot_be_written_stops_all_before_it_starts(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr(fairsql, "connect", never)
    result = call("run", "passed.yml", "--json", path, *DATA)
    assert result.exit_code == 2
    assert f"cannot write {path!r}" in result.stderr


def test_an_earlier_file_survives_a_run_that_ends_badly(folder: Path) -> None:
    (folder / "out.json").write_text("earlier")
    before = set(folder.iterdir())
    arguments = ("--connection", "duckdb:///no.duckdb", "--json", "out.json")
    assert call("run", "passed.yml", *arguments).exit_code == 4
    assert (folder / "out.json").read_text() == "earlier"
    assert set(folder.iterdir()) == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_stays_a_link_and_a_mode_a_mode(folder: Path) -> None:
    target = folder / "target.json"
    target.write_text("earlier")
    target.chmod(0o640)
    (folder / "out.json").symlink_to(target)
    assert call("run", "passed.yml", "--json", "out.json", *DATA).exit_code == 0
    assert (folder / "out.json").is_symlink()
    assert json.loads(target.read_text())["summary"]["passed"] == 1
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no such device")
def test_a_device_is_written_to_and_not_replaced() -> None:
    assert call("run", "passed.yml", "--json", os.devnull, *DATA).exit_code == 0
    assert not Path(os.devnull).is_file()


# --- what nobody expects ---------------------------------------------------------------------


def failing_with(error: BaseException) -> Callable[..., Any]:
    def run(*_: object, **__: object) -> None:
        raise error

    return run


def test_an_unexpected_error_is_one_line_and_says_how_to_see_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Suite, "run", failing_with(RuntimeError("boom\nand more")))
    result = call("run", "passed.yml", *DATA)
    assert result.exit_code == 4
    assert result.stderr.splitlines()[0] == "Error: RuntimeError: boom"
    assert "FAIRSQL_TRACEBACK=1" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "environment"), [(["--traceback"], {}), ([], {"FAIRSQL_TRACEBACK": "1"})]
)
def test_the_traceback_is_there_for_who_asks(
    arguments: list[str], environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Suite, "run", failing_with(RuntimeError("boom")))
    result = CliRunner().invoke(main, [*arguments, "run", "passed.yml", *DATA], env=environment)
    assert result.exit_code == 4
    assert "Traceback (most recent call last)" in result.stderr
    assert "raise error" in result.stderr


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Suite, "run", failing_with(KeyboardInterrupt()))
    result = call("run", "passed.yml", *DATA)
    assert (result.exit_code, result.stderr, result.stdout) == (130, "Interrupted.\n", "")


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_an_interrupt_stops_a_statement_that_runs(folder: Path) -> None:
    endless = "(select i % 2 as sex, i % 3 as approved from range(1000000000000) as numbers(i))"
    (folder / "endless.yml").write_text(suite_of(f'"{endless}"'))
    script = (
        "import os, signal, threading\n"
        "from fairsql.cli import main\n"
        "from fairsql.warehouses.duckdb import DuckDBWarehouse\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "run = DuckDBWarehouse.run\n"
        "def interrupted(*arguments):\n"
        "    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    return run(*arguments)\n"
        "DuckDBWarehouse.run = interrupted\n"
        "main(['run', 'endless.yml', '--connection', 'duckdb://'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr, done.stdout) == (130, "Interrupted.\n", "")


def test_a_warehouse_text_cannot_move_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Suite, "run", failing_with(fairsql.WarehouseError("no\x1b[2J\nsecond")))
    assert call("run", "passed.yml", *DATA).stderr == "Error: no\\x1b[2J\nsecond\n"


# --- progress --------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "shows"), [(0.0, True), (60.0, False)])
def test_progress_shows_on_a_terminal_when_work_takes_long(
    patience: float, shows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(streams, "_PATIENCE", patience)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with streams.progress() as advance:
        assert advance
        advance(1, 3)
        time.sleep(0.3)
        shown = terminal.getvalue()
        advance(3, 3)
    assert ("scan 2 of 3" in shown) == shows
    assert bool(shown) == shows


def test_no_progress_where_stderr_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_PATIENCE", 0.0)
    with streams.progress() as advance:
        assert advance is None
