"""The group of commands: whatever goes wrong in one ends in a sentence and an exit code."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from typing import Any

import click

from fairsql.cli import streams
from fairsql.errors import ConfigurationError, FairsqlError, did_you_mean

USAGE = 2
"""Exit code: the suite or the usage is wrong, and nothing ran."""

ERROR = 4
"""Exit code: a test ended in an error, or the warehouse said no."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

# What asks a process to end, where the system knows it: `timeout`, a container, a closed terminal.
_ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ended(KeyboardInterrupt):
    """The process was asked to end: all stops as on Ctrl-C, and what is half done is undone."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def _ending_well() -> Iterator[None]:
    """Let a signal that asks for the end raise :class:`Ended` in the block; a second one kills."""

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise Ended(number)

    ours = []
    if threading.current_thread() is threading.main_thread():
        # What the caller ignores, as nohup does, stays ignored.
        ours = [number for number in _ENDINGS if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


class IncompleteError(FairsqlError):
    """The tests ran and were shown, and some of what should have been written was not.

    Attributes
    ----------
    faults
        What was not done, in words -> why.
    """

    def __init__(self, faults: Mapping[str, Exception]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class Program(click.Group):
    """The commands, with an end for everything that can go wrong in one."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and exit with what it returns, or with the code of what went wrong."""
        streams.be_lenient()
        try:
            with _ending_well():
                code = super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Ended as ended:
            click.echo("Terminated.", err=True)
            code = 128 + ended.number  # as shells have it
        except KeyboardInterrupt:
            # After the ^C that a terminal shows, a line of its own.
            click.echo("\n" * sys.stderr.isatty() + "Interrupted.", err=True)
            code = INTERRUPTED
        except ConfigurationError as error:
            code = _complain(str(error), USAGE)
        except IncompleteError as incomplete:
            code = ERROR
            for what, fault in incomplete.faults.items():
                self._tell(ctx, fault, f"{what}: ")
        except Exception as error:  # noqa: BLE001 - nobody above could say it better
            code = ERROR
            self._tell(ctx, error)
        ctx.exit(code or 0)

    def _tell(self, ctx: click.Context, error: Exception, prefix: str = "") -> None:
        if isinstance(error, FairsqlError | OSError):
            _complain(f"{prefix}{error}", ERROR)
        else:
            _give_up(error, prefix, wants_traceback=ctx.params.get("traceback", False))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and name the one that was meant when there is none."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


def _complain(message: str, code: int) -> int:
    from fairsql.report import shown

    text = "\n".join(shown(line) for line in message.splitlines())
    click.echo(f"Error: {text}", err=True)
    return code


def _give_up(error: Exception, prefix: str, *, wants_traceback: bool) -> None:
    first = (str(error).strip() or "no message").splitlines()[0]
    _complain(f"{prefix}{type(error).__name__}: {first}", ERROR)
    if wants_traceback:
        traceback.print_exception(error)
        return
    click.echo(
        "This is a fault of fairsql: FAIRSQL_TRACEBACK=1, or fairsql --traceback, shows where.",
        err=True,
    )
