"""What customers ask for: a goal and what it is scored by, and the official files of instructions and attributes."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct

from quintet.errors import UsageError
from quintet.plugins.files import read_regular

_LARGEST = 2**30
"""Bytes of a file; WebShop's largest has some 150 MB."""


class WantedOption(Struct, frozen=True):
    """An option that the instruction asks for."""

    value: str
    """As on the product's page: `dark blue`."""
    name: str | None = None
    """The option's name, `color`, which a synthetic goal gives and a human one does not."""


class Goal(Struct, frozen=True, kw_only=True):
    """An instruction, what it asks for, and the product that it was written about."""

    asin: str
    """Of the product."""
    instruction: str
    """The words that the customer sees, with the price limit, without final punctuation."""
    attributes: tuple[str, ...]
    """At least one."""
    options: tuple[WantedOption, ...]
    price_limit: float
    """In dollars, and may be reached. `NO_LIMIT`: the instruction names none."""
    title: str
    """Of the product, as its three classes below."""
    category: str
    query: str
    """The search that lists the product, in lower case."""
    product_category: str
    """From wide to narrow, separated by ` › `."""


NO_LIMIT = 1_000_000.0
"""The released code's limit of a goal without one. A dearer product does not fit."""


_RecordT = TypeVar("_RecordT")


class HumanInstruction(Struct, frozen=True):
    """An instruction that a person wrote about a product; further fields are ignored."""

    instruction: str
    instruction_attributes: tuple[str, ...]
    instruction_options: tuple[str, ...]
    """Values, in the words of the product's page."""


class SyntheticInstruction(Struct, frozen=True):
    """The part that a product's synthetic goals share."""

    instruction: str
    instruction_attributes: tuple[str, ...]


class ProductNotes(Struct, frozen=True):
    """What the official file of attributes says about a product; further fields are ignored."""

    attributes: tuple[str, ...] = ()
    instruction: str | None = None
    instruction_attributes: tuple[str, ...] | None = None

    @property
    def synthetic(self) -> SyntheticInstruction | None:
        """None: no synthetic goals are made of the product."""
        if self.instruction is None or not self.instruction_attributes:
            return None
        return SyntheticInstruction(self.instruction, self.instruction_attributes)


class Instructions(Struct, frozen=True):
    """What customers ask for, by product."""

    human: Mapping[str, tuple[HumanInstruction, ...]]
    synthetic: Mapping[str, SyntheticInstruction]


class _Packed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Two parts, of which the one that is not asked for is not even read."""

    human: memoryview
    synthetic: memoryview


def pack(instructions: Instructions) -> bytes:
    """Instructions as bytes that are kept with a shop's products."""
    parts = (memoryview(msgspec.msgpack.encode(part)) for part in (instructions.human, instructions.synthetic))
    return msgspec.msgpack.encode(_Packed(*parts))


def unpack_human(packed: memoryview) -> Mapping[str, tuple[HumanInstruction, ...]]:
    """The human instructions of `pack`; a UsageError if the bytes are damaged."""
    return _decode(_decode(packed, _Packed).human, dict[str, tuple[HumanInstruction, ...]])


def unpack_synthetic(packed: memoryview) -> Mapping[str, SyntheticInstruction]:
    """The synthetic instructions of `pack`; a UsageError if the bytes are damaged."""
    return _decode(_decode(packed, _Packed).synthetic, dict[str, SyntheticInstruction])


def _decode(packed: memoryview, kind: type[_RecordT]) -> _RecordT:
    try:
        return msgspec.msgpack.decode(packed, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"goals: expected instructions as `quintet data build` keeps them, got: {error}") from error


def read_human_instructions(path: Path) -> Mapping[str, tuple[HumanInstruction, ...]]:
    """The instructions of `items_human_ins.json`, by product.

    Raises:
        UsageError: the file cannot be read, is cut off, or a record has another schema. The text names the record.
    """
    return _read(path, tuple[HumanInstruction, ...])


def read_product_notes(path: Path) -> Mapping[str, ProductNotes]:
    """The attributes and synthetic instructions of `items_ins_v2.json`, by product. Raises as that one does."""
    return _read(path, ProductNotes)


def _read(path: Path, record: type[_RecordT]) -> Mapping[str, _RecordT]:
    try:
        found = msgspec.json.decode(read_regular(path, _LARGEST), type=dict[str, Raw])
    except OSError as error:
        raise UsageError(f"goals: expected a file, got {error.strerror} ({path})") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"goals: expected a JSON object of records by product, got: {error} ({path})") from error
    except ValueError as error:
        raise UsageError(f"goals: {error} ({path})") from error
    decode = msgspec.json.Decoder(record).decode
    records: dict[str, _RecordT] = {}
    for asin, raw in found.items():
        try:
            records[asin] = decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            text = f"goals: expected a record of WebShop's schema, got: {error} ({path}, record {asin})"
            raise UsageError(text) from error
    return records
