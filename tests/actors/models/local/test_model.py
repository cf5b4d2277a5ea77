"""Models in files, whose headers are read before anything is asked of them; llama.cpp is tried in `tests/model`."""

import asyncio
import gc
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import EndpointUnavailable, UsageError
from quintet.models.local.gguf import Header, read_header
from quintet.models.local.model import Launch, Local, serve_file
from quintet.ports.model import Completion, Sampling
from tests.actors.models.endpoint.serving import PROMPT, serving
from tests.actors.models.local import gguf_files
from tests.actors.models.local.gguf_files import Value, header


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


WHOLE = header(
    {
        "general.name": "tiny",
        "tokenizer.tokens": ["a", "bc", ""],
        "general.architecture": "llama",
        "llama.embedding_length": 64,
        "llama.context_length": 4096,
    }
)


def read(data: bytes) -> Header:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return read_header(Path(file.name))


def test_the_context_of_the_files_own_architecture_counts_wherever_it_stands_if_it_does() -> None:
    assert read(WHOLE) == Header(version=3, context=4096, has_chat_template=False)
    turned: dict[str, Value] = {"clip.context_length": 77, "llama.context_length": 8192}
    turned["general.architecture"] = "llama"
    assert read(header(turned, version=2)) == Header(version=2, context=8192, has_chat_template=False)
    assert read(header({"general.architecture": "llama"})).context is None


@pytest.mark.parametrize(
    ("data", "got"),
    [
        (b"", "an empty file"),
        (b"# a text\n", "a file that begins with b'# a '"),
        (b"GGUF\x00\x00\x00\x03", "GGUF version 50331648"),
        (b"GGUF\x01\x00\x00\x00", "GGUF version 1"),
        (WHOLE[:60], "one that ends within its header"),
        (header({})[:16] + b"\x01" + b"\x00" * 7 + b"\xff" * 8, "metadata with a text of 18,446,744,073,709,551,615"),
        (header({"a": 1}).replace(b"\x04\x00\x00\x00\x01", b"\x2a\x00\x00\x00\x01"), "metadata of an unknown type, 42"),
    ],
)
def test_what_is_no_such_file_is_refused_by_what_it_is(data: bytes, got: str) -> None:
    with pytest.raises(UsageError, match=rf"^model\.file: expected a GGUF file, got {got}"):
        read(data)


def test_a_file_that_cannot_be_read_is_refused_by_why(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"got no such file or directory \(.*/none\.gguf\)"):
        read_header(tmp_path / "none.gguf")
    with pytest.raises(UsageError, match="got a folder"):
        read_header(tmp_path)


@given(st.binary(max_size=200), st.integers(0, len(WHOLE)))
def test_any_bytes_are_a_header_or_refused(data: bytes, kept: int) -> None:
    for bytes_ in (data, WHOLE[:kept] + data, b"GGUF\x03\x00\x00\x00" + data):
        with suppress(UsageError):
            assert read(bytes_).version in (2, 3)
