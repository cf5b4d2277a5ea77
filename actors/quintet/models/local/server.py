"""llama.cpp's server inside this process: one for each file and context, as long as a model holds it."""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from quintet.errors import EndpointUnavailable, UsageError

_PACKAGE = "xllamacpp"
_LOOPBACK = "127.0.0.1"
_QUIET = -1
_KEPT_MIB = 2048
"""Memory for what was computed of prompts that may go on; llama.cpp's own limit is four times as much."""


@dataclass(frozen=True)
class Launch:
    """How to start a server."""

    file: Path
    context: int
    """Tokens that a prompt and its completion may take together."""
    parallel: int
    """Completions drawn at a time."""
    threads: int | None = None
    """None: as many as llama.cpp sees fit."""


class Server:
    """A server that listens on loopback, on a port of its own. It ends when no model holds it any more.

    Before the last model releases it, every connection with a request in flight must be closed: llama.cpp waits for
    those while it holds Python's lock.

    Raises:
        EndpointUnavailable: llama.cpp does not load the file.
    """

    def __init__(self, launch: Launch) -> None:
        llama: Any = import_module(_PACKAGE)  # it has no annotations
        settings = llama.CommonParams()
        settings.model.path = str(launch.file)
        settings.n_ctx = launch.context * launch.parallel  # which llama.cpp shares out
        settings.n_parallel = launch.parallel
        settings.hostnames, settings.port = [_LOOPBACK], 0
        settings.cache_ram_mib = _KEPT_MIB
        # Threads that spin while they wait for each other make it ten times slower where cores are shared.
        settings.cpuparams.poll = settings.cpuparams_batch.poll = 0
        if launch.threads is not None:
            settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = launch.threads
        settings.verbosity = _QUIET
        settings.ui = False
        try:
            self._server = llama.Server(settings)
        except RuntimeError as error:
            raise EndpointUnavailable(
                f"{launch.file}: expected llama.cpp to load it with a context of {launch.context:,} tokens, "
                f"got {error} Is the file whole? If it is, a smaller model.context takes less memory."
            ) from error
        self.url = f"{self._server.listening_address}/v1"
        """The base address, as an endpoint takes it."""


_running: WeakValueDictionary[Launch, Server] = WeakValueDictionary()
_lock = Lock()


def require_llama_cpp() -> None:
    """Check that llama.cpp is installed.

    Raises:
        UsageError: it is not.
    """
    if find_spec(_PACKAGE) is None:
        raise UsageError(
            f"model local: expected {_PACKAGE}, got none; install it with pip install 'quintet-agents[local]'"
        )


def serve_file(launch: Launch) -> Server:
    """The server of a file, started unless it runs already.

    It loads before this returns: llama.cpp holds Python's lock while it does, so no thread would help.

    Raises:
        EndpointUnavailable: llama.cpp does not load the file.
    """
    with _lock:
        found = _running.get(launch)
        if found is None:
            found = _running[launch] = Server(launch)
        return found
