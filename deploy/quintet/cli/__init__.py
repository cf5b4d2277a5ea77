"""The command line. Heavy modules are imported when a command needs them, and none before SIGTERM is handled."""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Sequence

from quintet.cli.signals import handle_signal, interrupt_once

DONE = 0
FAULTED = 1
USAGE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: default: those of this process.

    Returns:
        The exit code: 0 done, 1 some episodes faulted, 2 usage, 3 budget spent, 130 interrupted and resumable.
    """
    afterwards = signal.SIG_IGN if arguments is None else None  # a process that leaves has its exit code
    try:
        with handle_signal(signal.SIGTERM, interrupt_once(), afterwards):
            from quintet.cli.terminal import escaped_streams
            from quintet.runtime.garbage import collect_rarely

            collect_rarely()
            with escaped_streams():
                code = _run(arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if arguments is None:
        _leave_threads(code)
    return code


def _leave_threads(code: int) -> None:
    """End the process although a thread of a plug-in goes on, which Python would wait for."""
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    if any(not thread.daemon for thread in others):
        atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]  `os._exit` calls none
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    import sqlite3

    from cyclopts import CycloptsError

    from quintet.cli.commands import COMMAND_LINE, app
    from quintet.cli.console import console, flush_at_end, notify
    from quintet.errors import Fault, UsageError, one_line
    from quintet.plugins.code_places import raised_at

    COMMAND_LINE.set(sys.argv[1:] if arguments is None else arguments)
    try:
        with flush_at_end(sys.stdout):
            shown = console()
            code = app(
                arguments,
                console=shown if shown.is_terminal else None,  # without a terminal, help is 80 columns wide
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
    except (UsageError, CycloptsError) as error:
        notify(f"quintet: {error}")
        return USAGE
    except Fault as fault:
        notify(f"quintet: {type(fault).__name__}: {fault}")
        return FAULTED
    except BrokenPipeError:
        return DONE  # the reader closed the pipe
    except (OSError, sqlite3.Error) as error:
        notify(f"quintet: {error}")
        return USAGE
    except Exception as bug:  # one of ours keeps its traceback
        place = raised_at(bug, own=True)
        if not place:
            raise
        notify(f"quintet: {place}: {type(bug).__name__}: {one_line(bug)}")
        return FAULTED
    return code if isinstance(code, int) else DONE
