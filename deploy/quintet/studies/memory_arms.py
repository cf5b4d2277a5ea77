"""The memories of a comparison, as a person lists them: `none,LABEL:RUN,OTHER:RUN@3,shuffled:RUN`."""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from quintet.config.values import expand_path
from quintet.errors import UsageError
from quintet.learned.kinds import CONTENT_KINDS
from quintet.learned.memories import is_given, recalled_as
from quintet.memory.place import find_memory, split_place
from quintet.messages.parts import Control
from quintet.runs.record import RUN_RECORD
from quintet.runs.run_folder import RunFolder
from quintet.trust.refusal import refuse_untrusted_embedder

_FLAG = "--memory"
_NO_MEMORY: Final = "none"
_EXPECTED = "none, LABEL:RUN[@VERSION], shuffled:RUN or random:RUN, separated by commas"
_LABEL = re.compile(r"[\w\-][\w.\-]*")
_CONTROLS = tuple(each for each in get_args(Control) if each != _NO_MEMORY)


class MemoryChoice(NamedTuple):
    """A memory, a notebook or a plan that arms of a comparison are given."""

    label: str
    """In the names of its arms; empty: they are given none."""
    settings: Mapping[str, Any]
    """Those of such an arm, by section; they name one version, whatever is learnt after it."""


NO_MEMORY = MemoryChoice("", {})


def lists_memories(text: str) -> bool:
    """Whether a text lists memories as arms, and is not one `RUN[@VERSION]` that all methods are given."""
    with suppress(OSError, ValueError):
        if expand_path(Path(text)).exists():
            return False
    return text == _NO_MEMORY or "," in text or ":" in text


def read_memories(text: str, fixed: Collection[str] = ()) -> tuple[MemoryChoice, ...]:
    """The memories that a person lists. Each is recalled from as in the run that learnt it.

    Args:
        text: the list.
        fixed: settings that hold for all of them, by dotted key.

    Raises:
        UsageError: an item cannot be read, is listed twice, or names a run or file that is not there or has learnt
            nothing; a plan has no control.
    """
    items = [_split(item.strip()) for item in text.split(",")]
    found = [NO_MEMORY if not label else MemoryChoice(label, _settings(label, place, fixed)) for label, place in items]
    named = [_with_name(choice, found, place) for choice, (_, place) in zip(found, items, strict=True)]
    for choice in named:
        if named.count(choice) > 1 or [each.label for each in named].count(choice.label) > 1:
            raise UsageError(f"{_FLAG}: expected each label once, got {choice.label or _NO_MEMORY!r} twice")
    return tuple(named)


def _split(item: str) -> tuple[str, str]:
    """The label and the place of an item; both are empty for `none`."""
    if item == _NO_MEMORY:
        return "", ""
    label, colon, place = item.partition(":")
    if not colon or not place:
        raise UsageError(f"{_FLAG}: expected {_EXPECTED}, got {item!r}")
    if label == _NO_MEMORY or not _LABEL.fullmatch(label):
        raise UsageError(f"{_FLAG}: expected a label of letters, digits and '_.-' before the colon, got {item!r}")
    return label, place


def _with_name(choice: MemoryChoice, others: Sequence[MemoryChoice], place: str) -> MemoryChoice:
    """A control is named by what it is a control of: `shuffled LABEL`, or by the run if that has no label here."""
    if choice.label not in _CONTROLS:
        return choice
    source = choice.settings["memory"]["source"]
    of = [
        each.label
        for each in others
        if each.label not in _CONTROLS and each.settings.get("memory", {}).get("source") == source
    ]
    path, _ = split_place(place)
    return choice._replace(label=f"{choice.label} {of[0] if of else path.stem}")


def _settings(label: str, place: str, fixed: Collection[str]) -> dict[str, Any]:
    path, version = split_place(place)
    record = RunFolder.open_to_read(path).record if (path / RUN_RECORD).is_file() else None
    if record is not None and record.learns and record.learnt == "plan":
        if label in _CONTROLS:
            raise UsageError(f"{_FLAG}: {label}: expected a memory or a notebook, got a plan ({path})")
        return {"method": {"plan": str(_plan_file(path, version))}}
    found = find_memory(place)
    with closing(found.reader) as reader:
        source = f"{Path(reader.file).absolute()}@{found.version}"
    shown = recalled_as(None if record is None else record.configuration.memory)
    if record is not None and "embedder" in shown and not is_given("memory.embedder", fixed):
        refuse_untrusted_embedder(record, path)
    settings = {key: value for key, value in shown.items() if not is_given(f"memory.{key}", fixed)}
    return {"memory": {**settings, "source": source, **({"control": label} if label in _CONTROLS else {})}}


def _plan_file(run: Path, version: int | None) -> Path:
    """The file of a version of a run's plan; None: the version that its learner chose.

    Raises:
        UsageError: the run has no such version, or has chosen none yet.
    """
    journal = RunFolder.open_to_read(run).read_journal()
    published: set[int] = set()
    if journal is not None:
        with closing(journal) as reader:
            published = {*reader.published()}
            version = reader.chosen_version() if version is None else version
    if version not in published:
        versions = ", ".join(map(str, sorted(published))) or "none"
        expected = "a plan that its learner chose" if version is None else f"version {version}"
        raise UsageError(f"{_FLAG}: expected {expected}, got a run with the versions {versions} ({run})")
    return run.absolute() / CONTENT_KINDS["plan"].versions / f"{version}.md"
