"""The model in a GGUF file."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from quintet.errors import UsageError
from quintet.messages.prompts import Prompt
from quintet.models.local.gguf import ModelFile, identify_file, read_header
from quintet.models.local.server import Launch, Server, require_llama_cpp, serve_file
from quintet.ports.model import Completion, Sampling

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
        UsageError: llama.cpp is not installed, or the file is not to be read, or no GGUF.
    """

    name_option: ClassVar[str] = "file"
    """What follows the colon in `local:FILE`."""

    def __init__(
        self,
        file: Path,
        *,
        context: int | None = None,
        parallel: int = 1,
        threads: int | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        require_llama_cpp()
        if parallel < 1:
            raise UsageError(f"model.parallel: expected >= 1, got {parallel}")
        if threads is not None and threads < 1:
            raise UsageError(f"model.threads: expected >= 1, got {threads}")
        context = context or read_header(file).context
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
        """Draw one completion; see `Endpoint.complete`.

        Raises:
            EndpointUnavailable: llama.cpp does not load the file.
        """
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
