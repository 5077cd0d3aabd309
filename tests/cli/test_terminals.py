"""Terminals of every kind: while a run goes on, and what stands there when it has ended."""

from __future__ import annotations

import os
import pty
import re
import select
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.samples import DATA, ROOT, call, outside, rows, suite_of

fcntl = pytest.importorskip("fcntl", reason="Windows has no pseudo-terminals")
termios = pytest.importorskip("termios")

HOSTILE_NAME = "F\u202e\x1b[31m 東京 ✓ <b>" + "x" * 200


def on_a_terminal(
    *arguments: str,
    columns: int = 80,
    stdout: int | None = None,
    environment: dict[str, str] | None = None,
) -> tuple[int, str]:
    """Run fairsql on a pseudo-terminal; return its exit code and all that the terminal got."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        [sys.executable, "-m", "fairsql", *arguments],
        env=plain | {"PYTHONPATH": str(ROOT), "TERM": "xterm"} | (environment or {}),
        stdin=theirs, stdout=theirs if stdout is None else stdout, stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        got = b""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if not select.select([ours], [], [], 0.1)[0]:
                continue
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux' way to say that nobody writes any more
                break
            if not part:
                break
            got += part
        os.close(ours)
        return process.wait(timeout=60), got.decode("utf-8", "replace").replace("\r\n", "\n")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_each_verdict_has_its_line_and_then_comes_the_table() -> None:
    code, text = on_a_terminal("run", "error.yml", *DATA)
    assert code == 4
    above, _, below = plain(text).partition("\n\n")
    # As they come in: what needs no scan first, then scan by scan.
    assert [line.split("  ")[0].strip() for line in above.splitlines()] == [
        "! error", "✗ failed", "– skipped"
    ]  # fmt: skip
    assert all(re.search(r"approvals by sex.*", line) for line in above.splitlines())
    assert "1 failed · 1 skipped · 1 error · 2 scans" in below


def test_the_lines_do_not_go_where_the_results_go(folder: Path) -> None:
    with (folder / "results.txt").open("w") as file:
        _, text = on_a_terminal("run", "failed.yml", *DATA, stdout=file.fileno())
    assert [line.split()[:2] for line in plain(text).splitlines() if line] == [
        ["✓", "passed"],
        ["✗", "failed"],
    ]
    results = (folder / "results.txt").read_text(encoding="utf-8")
    assert "1 passed · 1 failed" in results
    assert "\x1b" not in results


def test_a_ci_server_has_the_lines_in_its_log() -> None:
    done = outside("run", "failed.yml", *DATA, env={"CI": "true"})
    assert [line.split()[:2] for line in done.stderr.splitlines() if line] == [
        ["✓", "passed"],
        ["✗", "failed"],
    ]
    assert "\x1b" not in done.stderr + done.stdout


@pytest.mark.parametrize("ci", ["", "false", "0"])
def test_a_pipe_gets_no_lines(ci: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", ci)
    assert call("run", "failed.yml", *DATA).stderr == ""


@pytest.mark.parametrize("verbose", [(), ("-v",)])
@pytest.mark.parametrize("columns", [20, 40, 80])
def test_nothing_is_wider_than_the_terminal(
    columns: int, verbose: tuple[str, ...], folder: Path
) -> None:
    (folder / "unfair.csv").write_text(
        rows(23, 30).replace("F,", f"{HOSTILE_NAME},"), encoding="utf-8"
    )
    suite = suite_of("fair", "unfair").replace("approvals by sex", "approvals 東京 " + "y" * 90)
    (folder / "failed.yml").write_text(suite, encoding="utf-8")
    code, text = on_a_terminal("run", "failed.yml", *verbose, *DATA, columns=columns)
    assert code == 1
    assert "1 failed" in text
    assert max(map(cell_len, plain(text).splitlines())) <= columns
    # Nothing of the data moves the cursor.
    assert "\u202e" not in text
    assert "\x1b[31m " not in text


@pytest.mark.parametrize(
    ("environment", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_a_terminal_has_color_unless_it_wants_none(
    environment: dict[str, str], colored: bool
) -> None:
    _, text = on_a_terminal("run", "failed.yml", *DATA, environment=environment)
    assert ("\x1b[32m✓ passed" in text) == colored
    assert ("\x1b[3" in text) == colored
    assert "✗ failed" in plain(text)


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
@pytest.mark.parametrize("terminal", [True, False])
def test_a_code_page_without_the_signs_gets_words(
    encoding: str, terminal: bool, folder: Path
) -> None:
    (folder / "unfair.csv").write_text(rows(23, 30).replace("F,", "жінка é ✓,"), encoding="utf-8")
    arguments = ("run", "failed.yml", "-v", *DATA)
    if terminal:
        code, text = on_a_terminal(*arguments, environment={"PYTHONIOENCODING": encoding})
    else:
        done = subprocess.run(
            [sys.executable, "-m", "fairsql", *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "CI": "1"},
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        code, text = done.returncode, (done.stderr + done.stdout).decode(encoding)
        assert (r"\xe9" if encoding == "ascii" else "é") in text
    assert code == 1
    shown = plain(text).splitlines()
    words = [line.split()[0] for line in shown if line.split()[:1] in (["PASS"], ["FAIL"])]
    assert words == ["PASS", "FAIL"] * 2  # as they came in, and in the table
    assert r"\u0436" in text


@pytest.mark.parametrize("encoding", ["cp437", "ascii"])
def test_what_a_code_page_lacks_makes_no_line_too_long(encoding: str, folder: Path) -> None:
    (folder / "unfair.csv").write_text(rows(23, 30).replace("F,", "жінка 東京,"), encoding="utf-8")
    suite = suite_of("fair", "unfair").replace("approvals by sex", "схвалення за статтю")
    (folder / "failed.yml").write_text(suite, encoding="utf-8")
    for columns in (40, 80):
        code, text = on_a_terminal(
            "run", "failed.yml", "-v", *DATA, columns=columns,
            environment={"PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert code == 1
        assert r"\u04" in text
        assert max(map(len, plain(text).splitlines())) <= columns


def test_every_command_that_runs_tests_shows_them() -> None:
    _, text = on_a_terminal("demo", "demo", columns=120)
    assert plain(text).count("✓ passed") == 2 * 5
    assert plain(text).count("✗ failed") == 2 * 4
