"""The model in a GGUF file, and llama.cpp's server inside this process: one for each file and context."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, ClassVar
from weakref import WeakValueDictionary

from quintet.errors import EndpointUnavailable, UsageError
from quintet.messages.prompts import Prompt
from quintet.models.local.gguf import ModelFile, identify_file, read_header
from quintet.ports.effects import Effect
from quintet.ports.model import Completion, Sampling

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
    """Raise a `UsageError` unless llama.cpp is installed."""
    if find_spec(_PACKAGE) is None:
        raise UsageError(
            f"model local: expected {_PACKAGE}, got none; install it with pip install 'quintet-agents[local]'"
        )


def serve_file(launch: Launch) -> Server:
    """The server of a file, started and loaded unless it runs; an `EndpointUnavailable` if that fails."""
    with _lock:
        found = _running.get(launch)
        if found is None:
            found = _running[launch] = Server(launch)
        return found


if TYPE_CHECKING:
    from quintet.models.endpoint.model import Endpoint


class Local:
    """A model in a GGUF file, run by llama.cpp in this process.

    The first call loads the file. All models in this process with the same file and context share it. Equal calls may
    be answered differently, even at temperature 0: llama.cpp's prompt cache changes the order of its arithmetic.
    `extra={"cache_prompt": False}` turns the cache off.

    Args:
        file: a GGUF file with a chat template.
        context: tokens that a prompt and its completion may take together; None for as many as the file says.
        parallel: completions drawn at a time; each has the whole context.
        threads: of llama.cpp; None for one per core. They wait for each other, so fewer are faster on shared cores.
        extra: further fields of every request's body, as llama.cpp's server takes them.

    Raises:
        UsageError: llama.cpp is not installed, or the file is not to be read, or no GGUF, or has no chat template.
    """

    name_option: ClassVar[str] = "file"
    """What follows the colon in `local:FILE`."""

    def __init__(
        self,
        file: Annotated[Path, Effect.LOADS],
        *,
        context: int | None = None,
        parallel: int = 1,
        threads: int | None = None,
        extra: Annotated[Mapping[str, Any] | None, Effect.NONE] = None,
    ) -> None:
        require_llama_cpp()
        if parallel < 1:
            raise UsageError(f"model.parallel: expected >= 1, got {parallel}")
        if threads is not None and threads < 1:
            raise UsageError(f"model.threads: expected >= 1, got {threads}")
        header = read_header(file)
        if not header.has_chat_template:
            raise UsageError(
                f"model.file: expected a chat template, got none: a base model, which answers no prompt ({file})"
            )
        context = context or header.context
        if context is None:
            raise UsageError(f"model.context: expected one, since the file does not say its own, got none ({file})")
        self.parallel = parallel
        self.launch = Launch(file, context, parallel, threads)
        self._extra = extra
        self._opened: tuple[Server, Endpoint] | None = None

    @property
    def file(self) -> ModelFile:
        """The file, which is read in full on first use."""
        return identify_file(self.launch.file)

    @property
    def name(self) -> str:
        return f"local:{self.file.name}@{self.file.sha256[:8]}"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Draw one completion, as `Endpoint.complete`; an `EndpointUnavailable` if llama.cpp does not load the file."""
        return await self._endpoint().complete(prompt, sampling)

    async def aclose(self) -> None:
        """Release the server; no call may be in flight. A later call starts it again."""
        if self._opened is None:
            return
        _, endpoint = self._opened
        await endpoint.aclose()
        await asyncio.sleep(0)  # a connection that was closed is gone a turn of the loop later; see `Server`
        self._opened = None

    def _endpoint(self) -> "Endpoint":
        if self._opened is None:
            from quintet.models.endpoint.model import Endpoint

            server = serve_file(self.launch)
            self._opened = server, Endpoint(self.name, url=server.url, key=None, extra=self._extra)
        return self._opened[1]
