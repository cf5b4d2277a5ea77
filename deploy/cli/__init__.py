"""The command line. Nothing heavy is imported before a command needs it."""

import os
import sys
from collections.abc import Sequence

from cyclopts import CycloptsError

from deploy.cli.commands import app
from protocols.errors import Fault, UsageError

DONE = 0
FAULTED = 1
USAGE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: None for those of this process.

    Returns:
        The exit code: 0 done, 1 some episodes faulted, 2 usage, 130 interrupted and resumable.
    """
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except (UsageError, CycloptsError) as error:
        print(f"quintet: {error}", file=sys.stderr)
        return USAGE
    except Fault as fault:
        print(f"quintet: {type(fault).__name__}: {fault}", file=sys.stderr)
        return FAULTED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter must not try to flush the rest at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    return code if isinstance(code, int) else DONE
