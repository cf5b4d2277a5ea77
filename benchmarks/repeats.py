"""How much of its prompts each method has sent before: as their beginning, which caches know, or elsewhere."""

import io
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import Figure
from quintet.cli import main
from quintet.environments.webarena.browser.launch import find_chromium
from quintet.errors import UsageError
from quintet.events import CallMade
from quintet.export.prompt_reader import PromptReader
from quintet.journal.reader import JournalReader

_METHODS = (
    "react",
    "standard",
    "plan_execute",
    "adapt",
    "reflexion",
    "try_again",
    "plan_act",
    "devils_advocate",
    "search",
    "lats",
    "autoplan",
    "ldm2",
)
_WORLDS = ("textcraft", "alfworld", "hotpotqa", "webshop", "webarena")
_TASKS = 4
"""The first of each world."""


@dataclass
class Sent:
    """Bytes of prompts."""

    prompts: int = 0
    new: int = 0
    prefix: int = 0
    """The longest beginning that a prompt shares with an earlier one of its episode."""
    again: int = 0
    """In lines after it that stand in an earlier one."""

    @property
    def total(self) -> int:
        """All."""
        return self.new + self.prefix + self.again


def count_sent(episodes: Iterable[Sequence[str]]) -> Sent:
    """Count what the prompts of episodes repeat.

    Args:
        episodes: the prompts of each, in order.
    """
    sent = Sent()
    for prompts in episodes:
        earlier: list[str] = []
        lines: set[str] = set()
        for prompt in prompts:
            shared = max((_shared(prompt, each) for each in earlier), default=0)
            sent.prompts += 1
            sent.prefix += len(prompt[:shared].encode())
            for line in prompt[shared:].splitlines(keepends=True):
                size = len(line.encode())
                sent.again, sent.new = (sent.again + size, sent.new) if line in lines else (sent.again, sent.new + size)
            earlier.append(prompt)
            lines.update(prompt.splitlines(keepends=True))
    return sent


def _shared(one: str, other: str) -> int:
    """The length of the beginning that two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def figures(methods: Sequence[str] = _METHODS) -> Iterator[Figure]:
    """The share of prompts that is repeated outside of a shared beginning, by the stand-in: the prompts are ours."""
    worlds = _WORLDS if _has_browser() else _WORLDS[:-1]
    for method in methods:
        sent = {world: _sent(method, world) for world in worlds}
        again, begun, total = (
            sum(getattr(each, part) for each in sent.values()) for part in ("again", "prefix", "total")
        )
        by_world = ", ".join(f"{world} {100 * each.again / each.total:.1f}" for world, each in sent.items())
        beside = f"{by_world}; {100 * begun / total:.0f} % begin as an earlier one did"
        yield Figure(f"{method}: of its prompts, sent before but elsewhere", 100 * again / total, "%", beside)


def _sent(method: str, world: str) -> Sent:
    with tempfile.TemporaryDirectory() as folder:
        return count_sent(_prompts(method, world, Path(folder)))


def _prompts(method: str, world: str, folder: Path) -> Iterator[list[str]]:
    """The prompts of every episode."""
    memory = folder / "memory"
    given: tuple[object, ...] = ()
    if method == "ldm2":
        split = ("--train-split", "read", "--split", "change") if world == "webarena" else ()
        _run("optimize", method, world, "--out", memory, "--set", "learning.tasks=4", "--tasks", "1", *split)
        given = ("--memory", memory)
    _run("eval", method, world, "--tasks", _TASKS, *given, "--out", folder / "run")
    with closing(JournalReader.open(folder / "run" / "journal.sqlite")) as journal:
        for episode in journal.episodes():
            records = journal.records_of(episode)
            reader = PromptReader(bound=sys.maxsize)
            for record in records:
                reader.add(record.prompts)
            calls = [record.event for record in sorted(records, key=lambda record: record.at)]
            yield [_text(reader, call) for call in calls if isinstance(call, CallMade)]


def _text(reader: PromptReader, call: CallMade) -> str:
    return "".join(f"{said.message.role}:\n{said.message.content}\n" for said in reader.read(call.prompt))


def _run(*words: object) -> None:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = main([*map(str, words), "--model", "sim-fallible", "--concurrency", "1"])
    assert code == 0, out.getvalue()


def _has_browser() -> bool:
    try:
        find_chromium()
    except UsageError:
        return False
    return True


if __name__ == "__main__":
    for figure in figures(sys.argv[1:] or _METHODS):
        print(figure, flush=True)
