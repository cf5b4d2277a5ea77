"""GGUF files without tensors: headers, as small as a test needs them."""

from collections.abc import Mapping
from pathlib import Path
from struct import pack
from typing import TypeAlias

Value: TypeAlias = int | str | list[str]


def header(metadata: Mapping[str, Value], version: int = 3) -> bytes:
    entries = b"".join(_text(key) + _value(value) for key, value in metadata.items())
    return b"GGUF" + pack("<IQQ", version, 0, len(metadata)) + entries


def file(path: Path, context: int = 2048, name: str = "tiny") -> Path:
    """A file that says its context, and has a chat template."""
    metadata: dict[str, Value] = {"general.architecture": "llama", "general.name": name}
    metadata["llama.context_length"] = context
    metadata["tokenizer.chat_template"] = "{{ messages }}"
    path.write_bytes(header(metadata))
    return path


def _text(text: str) -> bytes:
    data = text.encode()
    return pack("<Q", len(data)) + data


def _value(value: Value) -> bytes:
    match value:
        case int():
            return pack("<II", 4, value)
        case str():
            return pack("<I", 8) + _text(value)
        case _:
            return pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))
