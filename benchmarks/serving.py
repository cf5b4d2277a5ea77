"""Endpoints in processes of their own."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web


@contextmanager
def scripted_server(answers: Sequence[str], folder: Path, latency: float) -> Generator[str, None, None]:
    """The address of an endpoint that gives the answers in order in every conversation, each after a latency.

    Args:
        folder: for the file of answers.
        latency: in seconds.
    """
    script = folder / "script.json"
    script.write_text(json.dumps(answers))
    command = [sys.executable, "-c", "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"]
    serve = ["serve-sim", "--port", "0", "--model", "scripted", "--script", str(script), "--latency", f"{latency}s"]
    with serving(*command, *serve) as url:
        yield url


@contextmanager
def serving(*command: str) -> Generator[str, None, None]:
    """The address that a process writes at the end of its first line. It is ended with the context."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def serve_answers(answer: Callable[[bytes], bytes]) -> None:
    """Serve chat completions until this process ends: what a request's body is answered. Writes the address."""

    async def respond(request: web.Request) -> web.Response:
        return web.Response(body=answer(await request.read()), content_type="application/json")

    async def serve() -> None:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", respond)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0]
        print(f"http://{host}:{port}/v1", flush=True)
        await asyncio.Event().wait()

    asyncio.run(serve())
