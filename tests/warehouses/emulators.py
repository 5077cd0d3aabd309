"""Emulators of warehouses, each in a virtual environment of its own: their pins fight with ours."""

from __future__ import annotations

import fcntl
import shutil
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CACHE = Path(__file__).resolve().parents[2] / ".engines"
"""Where environments are kept between runs; git ignores it."""


def environment(name: str, *requirements: str) -> Path:
    """Return the bin folder of a virtual environment that holds some pinned packages.

    It is made when it is missing or holds others, which takes a minute; processes that ask at the
    same time wait for the first. A stamp that is written last tells a whole one from a broken one.
    """
    home = CACHE / name
    stamp = home / ".requirements"
    wanted = "\n".join((f"python {sys.version_info[0]}.{sys.version_info[1]}", *requirements, ""))
    CACHE.mkdir(exist_ok=True)
    with _locked(CACHE / f"{name}.lock"):
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
            shutil.rmtree(home, ignore_errors=True)
            venv.create(home, with_pip=True)
            install = "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "install"
            subprocess.run([home / "bin" / "python", *install, *requirements], check=True)
            stamp.write_text(wanted, encoding="utf-8")
    return home / "bin"


def free_port() -> int:
    """Return a port of this machine that nothing listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def server(command: list[str | Path], port: int, log: Path) -> Iterator[None]:
    """Run a server until the block ends; it is entered once the port answers.

    Raises
    ------
    RuntimeError
        When the server ends early or does not answer within a minute; with what it wrote.
    """
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{command[0]} did not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _answers(port: int) -> bool:
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex(("127.0.0.1", port)) == 0
