"""The header of a GGUF file: what it says, and what is no such file."""

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.models.local.gguf import Header, read_header
from tests.actors.models.local.gguf_files import Value, header

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


def test_the_context_of_the_files_own_architecture_counts_wherever_it_stands() -> None:
    assert read(WHOLE) == Header(version=3, context=4096, has_chat_template=False)
    turned: dict[str, Value] = {"clip.context_length": 77, "llama.context_length": 8192}
    turned["general.architecture"] = "llama"
    assert read(header(turned, version=2)) == Header(version=2, context=8192, has_chat_template=False)


def test_a_file_need_not_say_its_context() -> None:
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
