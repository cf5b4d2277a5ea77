"""The model in a file, before anything is asked of it; and the server that those who name one file share.

llama.cpp itself is tried in `tests/model`.
"""

import asyncio
import gc
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from quintet.errors import EndpointUnavailable, UsageError
from quintet.models.local.model import Launch, Local, serve_file
from quintet.ports.model import Completion, Sampling
from tests.actors.models.endpoint.serving import PROMPT, serving
from tests.actors.models.local import gguf_files


class Llama(ModuleType):
    """Stands in for llama.cpp's package: counts the servers that run."""

    @staticmethod
    def CommonParams() -> SimpleNamespace:  # noqa: N802
        return SimpleNamespace(**{part: SimpleNamespace() for part in ("model", "cpuparams", "cpuparams_batch")})

    def __init__(self) -> None:
        super().__init__("xllamacpp")
        self.running: list[Any] = []
        self.address = "http://127.0.0.1:9"
        outer = self

        class Server:
            def __init__(self, params: Any) -> None:
                if "broken" in params.model.path:
                    raise RuntimeError("Failed to init server.")
                outer.running.append(params)
                self.params = params
                self.listening_address = outer.address

            def __del__(self) -> None:
                if hasattr(self, "params"):
                    outer.running.remove(self.params)

        self.Server = Server


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> Llama:
    found = Llama()
    monkeypatch.setitem(sys.modules, "xllamacpp", found)

    def find(_name: str) -> Llama:
        return found

    monkeypatch.setattr("quintet.models.local.model.find_spec", find)
    return found


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(_name: str) -> None:
        return None

    monkeypatch.setattr("quintet.models.local.model.find_spec", find)
    with pytest.raises(
        UsageError, match=r"^model local: expected xllamacpp, got none; .*install 'quintet-agents\[local\]'"
    ):
        Local(gguf_files.file(tmp_path / "tiny.gguf"))


@pytest.mark.usefixtures("llama")
def test_its_name_tells_two_files_of_one_name_apart_and_a_file_that_was_replaced(tmp_path: Path) -> None:
    file = gguf_files.file(tmp_path / "tiny.gguf")
    first = Local(file)
    before = first.file
    assert before.size == file.stat().st_size
    assert first.name == f"local:tiny.gguf@{before.sha256[:8]}"
    (tmp_path / "other").mkdir()
    assert Local(gguf_files.file(tmp_path / "other" / "tiny.gguf", name="other")).name != first.name
    gguf_files.file(file, name="another one")
    assert first.file.sha256 != before.sha256


@pytest.mark.usefixtures("llama")
def test_a_file_that_says_no_context_needs_one(tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    file.write_bytes(gguf_files.header({"general.architecture": "llama", "tokenizer.chat_template": "{{ messages }}"}))
    with pytest.raises(UsageError, match=r"^model\.context: expected one, since the file does not say its own"):
        Local(file)
    Local(file, context=512)


@pytest.mark.usefixtures("llama")
def test_a_base_model_which_has_no_chat_template_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "base.gguf"
    file.write_bytes(gguf_files.header({"general.architecture": "llama", "llama.context_length": 512}))
    with pytest.raises(UsageError, match=r"^model\.file: expected a chat template, got none: a base model"):
        Local(file, context=512)


@pytest.mark.usefixtures("llama")
@pytest.mark.parametrize(("options", "name"), [({"parallel": 0}, "parallel"), ({"threads": 0}, "threads")])
def test_it_draws_a_completion_at_a_time_or_more_in_a_thread_or_more(
    tmp_path: Path, options: dict[str, Any], name: str
) -> None:
    with pytest.raises(UsageError, match=rf"^model\.{name}: expected >= 1, got 0"):
        Local(gguf_files.file(tmp_path / "tiny.gguf"), **options)


def test_llama_cpp_chooses_its_threads_unless_they_are_set(llama: Llama) -> None:
    held = [serve_file(Launch(Path("tiny.gguf"), context=64, parallel=1, threads=threads)) for threads in (None, 3)]
    assert len(held) == 2
    first, second = llama.running
    assert not hasattr(first.cpuparams, "n_threads")
    assert (second.cpuparams.n_threads, second.cpuparams_batch.n_threads) == (3, 3)


def test_a_call_takes_neither_a_key_along_nor_a_proxy(
    tmp_path: Path, llama: Llama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hunter2")
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    model = Local(gguf_files.file(tmp_path / "tiny.gguf"))

    async def call() -> Completion:
        completion = await model.complete(PROMPT, Sampling())
        await model.aclose()
        return completion

    assert llama.running == [], "nothing runs before the first call"
    with serving() as endpoint:
        llama.address = endpoint.url.removesuffix("/v1")
        assert asyncio.run(call()).text == "Hello."
    assert [heard.headers["authorization"] for heard in endpoint.heard] == ["Bearer none"]


def test_a_server_is_shared_and_ends_with_the_last_who_holds_it(llama: Llama) -> None:
    launch = Launch(Path("tiny.gguf"), context=1024, parallel=2)
    first, second = serve_file(launch), serve_file(launch)
    other = serve_file(Launch(Path("tiny.gguf"), context=512, parallel=1))
    assert first is second is not other
    assert [params.n_ctx for params in llama.running] == [2048, 512]  # each of two completions has all of its context
    assert {tuple(params.hostnames) for params in llama.running} == {("127.0.0.1",)}
    del first, other
    gc.collect()
    assert len(llama.running) == 1
    del second
    gc.collect()
    assert llama.running == []


@pytest.mark.usefixtures("llama")
def test_a_file_that_llama_cpp_does_not_load_suspends_the_run() -> None:
    with pytest.raises(
        EndpointUnavailable, match=r"^broken\.gguf: expected llama\.cpp to load it with a context of 64"
    ):
        serve_file(Launch(Path("broken.gguf"), context=64, parallel=1))
