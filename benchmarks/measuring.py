"""What a program or a call costs: seconds of wall time, and the most memory it held.

Whatever is compared runs in turn, so that a slow spell of the machine meets all of it alike, and
the shortest of several runs counts: noise only ever adds to the time that work takes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_SPAWN = Path(__file__).with_name("spawn.py")


@dataclass(frozen=True)
class Program:
    """A program with its arguments, and the exit codes that say it did what it was asked."""

    command: Sequence[str]
    exits: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Cost:
    """Shortest wall time in seconds, and largest resident memory in megabytes, of several runs.

    Both are ``None`` of what did not end within its limit.
    """

    seconds: float | None
    megabytes: float | None


class DidNotRunError(Exception):
    """A measured program that ended in an error; what it said is in the message."""


def processes(
    programs: Mapping[str, Program], *, repeats: int = 3, limit: float = 600
) -> dict[str, Cost]:
    """Return the cost of each program as a process of its own, started in turn.

    Parameters
    ----------
    programs
        What is run by name, in the project's folder.
    repeats
        Runs of each.
    limit
        Seconds after which a run is stopped; its program is then not run again.

    Raises
    ------
    DidNotRunError
        When a program ends with an exit code that is none of its own.
    """
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    late: set[str] = set()
    for _ in range(repeats):
        for name, program in programs.items():
            if name in late:
                continue
            spawn = [sys.executable, str(_SPAWN), str(limit), str(ROOT), *program.command]
            told = json.loads(subprocess.run(spawn, check=True, capture_output=True).stdout)
            if told["seconds"] >= limit:
                late.add(name)
            elif told["exit_code"] not in program.exits:
                raise DidNotRunError(f"{name} ended with {told['exit_code']}: {told['said']}")
            else:
                runs[name].append((told["seconds"], told["megabytes"]))
    return {
        name: Cost(min(seconds for seconds, _ in own), max(size for _, size in own))
        if own and name not in late
        else Cost(None, None)
        for name, own in runs.items()
    }


def calls(works: Mapping[str, Callable[[], object]], *, repeats: int = 5) -> dict[str, float]:
    """Return the shortest seconds of each call, made in turn."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repeats):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - started)
    return best


def fairsql(suite: Path, connection: str, *options: str, data: Mapping[str, Path]) -> Program:
    """Return the program that runs a suite over files; a test that fails has a result too."""
    command = [sys.executable, "-m", "fairsql", "run", str(suite), "--connection", connection]
    for name, path in data.items():
        command += ["--data", f"{name}={path}"]
    return Program([*command, *options], (0, 1, 3))


def script(text: str) -> Program:
    """Return the Python program of a text."""
    return Program([sys.executable, "-c", text])
