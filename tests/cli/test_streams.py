"""Files that are whole or absent, progress, and ends that nobody expects."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import fairsql
from fairsql import files
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


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such device")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
@pytest.mark.parametrize("mode", ["w", "a"])
def test_an_open_file_is_written_to_and_not_replaced(name: str, mode: str, folder: Path) -> None:
    if name.startswith("/proc") and not Path("/proc/self/fd").exists():
        name = "/dev/stdout"
    (folder / "link").symlink_to("/dev/stdout")
    log = folder / "log.txt"
    log.write_text("line one\n")
    with log.open(mode) as stdout:
        number = log.stat().st_ino
        subprocess.run(
            [sys.executable, "-m", "fairsql", "run", "passed.yml", "--csv", name, *DATA],
            env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=stdout, timeout=60, check=True,
        )  # fmt: skip
        stdout.write("and the caller's\n")
    text = log.read_text()
    assert log.stat().st_ino == number
    assert text.startswith("line one\nstarted_at," if mode == "a" else "started_at,")
    assert "1 passed" in text
    assert text.endswith("and the caller's\n")


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes in folders")
def test_a_device_takes_what_is_no_utf_8(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit((folder / "pipe").read_bytes)
        with files.whole_file("pipe") as pipe:
            pipe.write("\ud800\n")
        assert read.result(timeout=20) == b"\\ud800\n"


@pytest.mark.parametrize("code", [errno.EBUSY, errno.EXDEV, errno.EROFS])
def test_a_file_that_is_mounted_by_itself_is_written_in_place(
    code: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, _: object) -> None:
        raise OSError(code, os.strerror(code), str(self))

    monkeypatch.setattr(Path, "replace", refuse)
    (folder / "out.json").write_text("earlier, and longer" * 10_000)
    number = (folder / "out.json").stat().st_ino
    before = set(folder.iterdir())
    result = call("run", "passed.yml", "--json", "out.json", *DATA)
    assert (result.exit_code, result.stderr) == (0, "")
    assert fairsql.load_run("out.json").passed
    assert (folder / "out.json").stat().st_ino == number
    assert set(folder.iterdir()) == before
    # A new file cannot be there at all: the others and the table can.
    result = call("run", "passed.yml", "--json", "new.json", "--csv", "/dev/null", *DATA)
    assert result.exit_code == 4
    assert "1 passed" in result.stdout
    assert "--json new.json was not written: " in result.stderr


def test_a_file_in_a_folder_that_may_not_be_written_to_is_written_in_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "out.txt").write_text("earlier")
    real = files._text

    def text(place: Path, mode: Any) -> Any:
        if place.parent == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return real(place, mode)

    monkeypatch.setattr(files, "_text", text)
    with files.whole_file("out.txt") as file:
        file.write("later")
    assert (folder / "out.txt").read_text() == "later"
    with pytest.raises(PermissionError), files.whole_file("new.txt"):
        pass


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


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_run_that_is_told_to_end_leaves_nothing_behind(name: str, folder: Path) -> None:
    endless = "(select i % 2 as sex, i % 3 as approved from range(1000000000000) as numbers(i))"
    (folder / "endless.yml").write_text(suite_of(f'"{endless}"'))
    (folder / "out.json").write_text("earlier")
    before = set(folder.iterdir())
    arguments = ["run", "endless.yml", "--connection", "duckdb://", "--history", "h.duckdb"]
    with subprocess.Popen(
        [sys.executable, "-m", "fairsql", *arguments, "--json", "out.json", "--csv", "out.csv"],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        end = time.monotonic() + 60
        while len(set(folder.iterdir())) < len(before) + 2 and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.5)  # into the statement
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (128 + getattr(signal, name), "Terminated.\n")
    assert set(folder.iterdir()) == before
    assert (folder / "out.json").read_text() == "earlier"


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
