"""The files of a run: each format by its option, whole or not at all, one of them on stdout."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fairsql
from fairsql.cli import outputs
from tests.cli.samples import DATA, ROOT, call, outside

FILES = ("--json", "out.json", "--markdown", "out.md", "--junit", "out.xml", "--csv", "out.csv")


def test_every_format_stands_beside_the_table() -> None:
    result = call("run", "failed.yml", *FILES, *DATA)
    assert result.exit_code == 1
    assert "1 passed · 1 failed" in result.stdout
    assert json.loads(Path("out.json").read_text())["summary"]["failed"] == 1
    assert Path("out.md").read_text().startswith("### fairsql: 1 failed, 1 passed\n")
    suite = ElementTree.parse("out.xml").getroot()  # noqa: S314 - we wrote it
    assert suite.attrib["failures"] == "1"
    rows = list(csv.DictReader(io.StringIO(Path("out.csv").read_text())))
    assert [row["key_1"] for row in rows] == ["F", "M"] * 2


@pytest.mark.parametrize(
    ("option", "start"),
    [("--markdown", "### fairsql"), ("--junit", "<?xml"), ("--csv", "started_at,")],
)
def test_a_format_on_stdout_is_alone_there(option: str, start: str) -> None:
    result = call("run", "failed.yml", option, "-", *DATA)
    assert result.exit_code == 1
    assert result.stdout.startswith(start)
    assert "1 passed · 1 failed" not in result.stdout


@pytest.mark.parametrize("file", ["-", "out.txt"])
def test_two_formats_cannot_have_one_place(file: str) -> None:
    result = call("run", "failed.yml", "--json", file, "--csv", file, *DATA)
    assert result.exit_code == 2
    assert "--json and --csv cannot both write to" in result.stderr
    assert not Path("out.txt").exists()


@pytest.mark.parametrize("option", ["--markdown", "--junit", "--csv"])
def test_a_file_that_cannot_be_written_stops_all_before_it_starts(
    option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr(fairsql, "connect", never)
    result = call("run", "passed.yml", option, "no-such-folder/out", *DATA)
    assert result.exit_code == 2
    assert "cannot write 'no-such-folder/out'" in result.stderr


@pytest.mark.parametrize("option", ["--markdown", "--junit", "--csv"])
def test_what_programs_read_is_utf_8(option: str, folder: Path) -> None:
    text = (folder / "fair.csv").read_text().replace("F,", "жінка,")
    (folder / "fair.csv").write_text(text, encoding="utf-8")
    arguments = ("run", "passed.yml", option, "-", *DATA)
    done = outside(*arguments, env={"PYTHONIOENCODING": "cp1252"})
    assert "жінка" in done.stdout


def test_the_demo_writes_what_it_is_asked_for() -> None:
    result = call("demo", "demo", "--markdown", "demo.md")
    assert result.exit_code == 0, result.output
    assert Path("demo.md").read_text(encoding="utf-8").startswith("### fairsql: 4 failed")


@pytest.mark.parametrize("broken", ["html", "markdown", "junit", "csv", "json"])
def test_a_format_that_fails_takes_no_other_with_it(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise KeyError("x")

    monkeypatch.setitem(outputs._FORMATS, broken, (fail, ""))
    names = {name: f"out.{name}" for name in ("json", "html", "markdown", "junit", "csv")}
    Path(names[broken]).write_text("earlier")
    options = [word for name, file in names.items() for word in (f"--{name}", file)]
    result = call("run", "failed.yml", *options, *DATA)
    assert result.exit_code == 4
    assert "1 passed · 1 failed" in result.stdout
    first, second = result.stderr.splitlines()
    assert first == f"Error: --{broken} out.{broken} was not written: KeyError: 'x'"
    assert "FAIRSQL_TRACEBACK=1" in second
    for name, file in names.items():
        text = Path(file).read_text(encoding="utf-8")
        assert (text == "earlier") == (name == broken)
    assert [path.name for path in Path().glob(".*")] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_a_disk_that_is_full_takes_no_other_file_with_it() -> None:
    result = call("run", "failed.yml", "--json", "/dev/full", "--csv", "out.csv", *DATA)
    assert result.exit_code == 4
    assert "1 passed · 1 failed" in result.stdout
    assert result.stderr == (
        "Error: --json /dev/full was not written: [Errno 28] No space left on device\n"
    )
    assert Path("out.csv").exists()


def test_stdout_that_fails_takes_no_file_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise KeyError("x")

    monkeypatch.setitem(outputs._FORMATS, "json", (fail, ""))
    result = call("run", "failed.yml", "--json", "-", "--csv", "out.csv", *DATA)
    assert (result.exit_code, result.stdout) == (4, "")
    assert "Error: --json - was not written: KeyError: 'x'" in result.stderr
    assert Path("out.csv").exists()


def test_a_failure_of_the_demo_s_own_files_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise KeyError("x")

    monkeypatch.setitem(outputs._FORMATS, "csv", (fail, ""))
    result = call("demo", "demo", "--csv", "out.csv")
    assert result.exit_code == 4
    assert "Begin with data of your own" in result.stdout
    assert "Error: --csv out.csv was not written: KeyError: 'x'" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_a_killed_run_leaves_no_part_of_a_file(folder: Path) -> None:
    # The files are large, so that kills fall into the writing.
    script = (
        "import sys\n"
        "from fairsql import results\n"
        "from fairsql.cli import main\n"
        "to_dict = results.Run.to_dict\n"
        "padding = {'padding': ['x' * 1000] * 20_000}\n"
        "results.Run.to_dict = lambda run: to_dict(run) | padding\n"
        "print('ready', file=sys.stderr, flush=True)\n"
        "main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", script, "run", "failed.yml", *FILES, *DATA]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    results = [folder / name for name in FILES[1::2]]

    def run(seconds: float | None = None) -> int:
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as process:
            assert process.stderr
            assert process.stderr.readline() == b"ready\n"
            if seconds is not None:
                time.sleep(seconds)
                process.send_signal(signal.SIGKILL)
            return process.wait()

    began = time.monotonic()
    assert run() == 1
    whole = time.monotonic() - began
    assert (folder / "out.json").stat().st_size > 20_000_000
    chance, killed = random.Random(5), 0  # noqa: S311 - when to kill
    for _ in range(8):
        for path in results:
            path.unlink(missing_ok=True)
        killed += run(chance.uniform(0, whole)) == -signal.SIGKILL
        for path in results:
            if path.exists():
                check_whole(path)
    assert killed  # some; how many is a matter of the machine's pace


def check_whole(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        assert json.loads(text)["summary"]["failed"] == 1
    elif path.suffix == ".xml":
        assert len(list(ElementTree.fromstring(text).iter("testcase"))) == 2  # noqa: S314
    elif path.suffix == ".csv":
        assert len(list(csv.reader(io.StringIO(text)))) == 5
    else:
        assert text.count("</details>\n") == 2
