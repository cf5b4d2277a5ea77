"""The model in a file as it is run: it answers in JSON where it is asked to, and a run leaves nothing of it behind."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from quintet.api import evaluate
from quintet.errors import EndpointUnavailable
from quintet.messages.prompts import Prompt, user
from quintet.models.local.model import Launch, Local, serve_file
from quintet.ports.model import Sampling
from quintet.questions.shape import SHAPES
from tests.model.smollm import model_file

pytestmark = pytest.mark.model


def _listening() -> set[str]:
    """Local addresses at which this process listens, as the kernel lists them."""
    ours = {str(file.readlink()) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()}
    lines = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
    return {line[1] for line in lines if line[3] == "0A" and f"socket:[{line[9]}]" in ours}


def _threads() -> int:
    return sum(1 for _ in Path("/proc/self/task").iterdir())


def test_a_run_leaves_neither_a_port_nor_a_thread() -> None:
    def run() -> None:
        settings = {"method": {"max_steps": 1}, "model": {"max_tokens": 4, "context": 4096}}
        with pytest.raises(EndpointUnavailable, match="expected answers, got none in its first 2 completions"):
            evaluate("autoplan", "textcraft", model=f"local:{model_file()}", tasks=["stick"], settings=settings)

    run()  # what libraries begin once stays
    listening, threads = _listening(), _threads()
    run()
    assert _listening() <= listening
    assert _threads() <= threads


def test_a_run_that_is_left_with_a_call_in_flight_leaves_none_either() -> None:
    model = Local(model_file(), context=1024)

    async def scene() -> int:
        server = serve_file(model.launch)
        port = urlsplit(server.url).port
        assert port is not None
        call = asyncio.create_task(model.complete(Prompt(user("Tell a long story.")), Sampling(max_tokens=900)))
        while not _connected(port):  # noqa: ASYNC110  the kernel tells nobody when a connection stands
            await asyncio.sleep(0.001)
        call.cancel()
        await asyncio.wait([call])
        await model.aclose()
        return port

    before = _listening()
    port = asyncio.run(scene())
    assert f"{port:04X}" not in {address.rpartition(":")[2] for address in _listening() - before}


def _connected(port: int) -> bool:
    lines = Path("/proc/self/net/tcp").read_text().splitlines()[1:]
    return any(peer.endswith(f":{port:04X}") and state == "01" for _, _, peer, state, *_ in map(str.split, lines))


def test_an_answer_in_json_is_of_the_form_that_was_asked_for() -> None:
    async def scene() -> str:
        model = Local(model_file(), context=1024)
        prompt = Prompt(user("You are in a kitchen. Name one action, in two words."))
        completion = await model.complete(prompt, Sampling(max_tokens=200, form="action"))
        await model.aclose()
        return completion.text

    text = asyncio.run(scene())
    assert SHAPES["action"].as_text(text).startswith("Action: "), text


def test_a_file_with_nothing_behind_its_header_suspends_the_run(tmp_path: Path) -> None:
    file = tmp_path / "cut.gguf"
    file.write_bytes(model_file().read_bytes()[: 4 * 2**20])
    with pytest.raises(EndpointUnavailable, match=r"expected llama\.cpp to load it with a context of 512 tokens"):
        serve_file(Launch(file, context=512, parallel=1))
