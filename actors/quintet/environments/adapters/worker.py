"""The process of a world that blocks: it reads calls and answers them, one at a time.

Run as `python -m quintet.environments.adapters.worker`. What the world prints goes to standard error.
"""

import os
import pickle
import signal
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from quintet.environments.adapters.members import CHANGING, Returned, Seen, WorkerCall, call_state, see
from quintet.plugins.code_places import copy_place, keep_place
from quintet.plugins.sources import use_sources


class _Worker:
    def __init__(self, world: object) -> None:
        self._world = world
        self._states: dict[int, object] = {}

    def answer(self, call: WorkerCall) -> Returned:
        try:
            return Returned(self._do(call))
        except Exception as error:  # noqa: BLE001  it is raised where the call came from
            keep_place(error)
            return Returned(error=error)

    def _do(self, call: WorkerCall) -> Any:
        match call.member:
            case "open" | "restore":
                return self._begin(call.state, getattr(self._world, call.member)(*call.arguments))
            case "fork":
                (number,) = call.arguments
                return self._begin(number, call_state(self._states[call.state], "fork"))
            case "close":
                if call.state in self._states:
                    call_state(self._states.pop(call.state), "close")
                return None
            case _:
                state = self._states[call.state]
                result = call_state(state, call.member, *call.arguments)
                return (result, see(state)) if call.member in CHANGING else result

    def _begin(self, number: int, state: object) -> Seen:
        self._states[number] = state
        return see(state)


def encode_returned(returned: Returned) -> bytes:
    """An answer as bytes; what cannot be pickled is described."""
    try:
        data = pickle.dumps(returned)
        pickle.loads(data)  # some exceptions are pickled, and then cannot be read
    except Exception as error:  # noqa: BLE001  a plug-in's objects may raise anything
        what = f"{type(returned.error).__name__}: {returned.error}" if returned.error else str(error)
        described = RuntimeError(what)
        copy_place(returned.error, described)
        return pickle.dumps(Returned(error=described))
    return data


def _read_calls(calls: BinaryIO, queue: "SimpleQueue[WorkerCall]") -> None:
    """Read until the host ends, then end this process, whatever the world is doing."""
    try:
        while True:
            queue.put(pickle.load(calls))
    except EOFError:
        os._exit(0)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the host decides what an interrupt ends
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    use_sources(pickle.load(calls))  # the world's module may lie in a user's folder
    worker = _Worker(pickle.load(calls))
    queue = SimpleQueue[WorkerCall]()
    Thread(target=_read_calls, args=(calls, queue), daemon=True).start()
    while True:
        answers.write(encode_returned(worker.answer(queue.get())))
        answers.flush()
        sys.stdout.flush()


if __name__ == "__main__":
    _main()
