import asyncio
import gc
from collections.abc import Generator
from contextlib import ExitStack

import pytest

from benchmarks.turns import answers, scripted_react
from quintet.api import evaluate
from quintet.cli import main
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve
from quintet.models.scripted import Scripted
from quintet.ports.model import Completion, Sampling
from quintet.runtime.garbage import collecting_rarely
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime

DEFAULT = (700, 10, 10)


@pytest.fixture(autouse=True)
def restored() -> Generator[None, None, None]:
    before = gc.get_threshold()
    gc.set_threshold(*DEFAULT)
    gc.unfreeze()
    yield
    gc.unfreeze()  # or every run that follows would count what is frozen, which takes a tenth of a second
    gc.set_threshold(*before)


def test_a_command_looks_for_cycles_rarely_and_never_stops(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "methods"]) == 0
    assert capsys.readouterr().out
    assert gc.get_threshold()[0] == 50_000
    assert gc.isenabled()


def test_a_block_freezes_what_lives_and_leaves_the_collector_as_it_was() -> None:
    with collecting_rarely():
        assert gc.get_threshold()[0] == 50_000
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == DEFAULT
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("ends_first", [0, 1])
def test_blocks_that_overlap_leave_the_collector_as_it_was_before_the_first(ends_first: int) -> None:
    blocks = [ExitStack(), ExitStack()]
    for block in blocks:
        block.enter_context(collecting_rarely())
    blocks[ends_first].close()
    assert gc.get_threshold()[0] == 50_000
    assert gc.get_freeze_count() > 0
    blocks[1 - ends_first].close()
    assert (gc.get_threshold(), gc.get_freeze_count()) == (DEFAULT, 0)


def test_what_a_program_froze_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with collecting_rarely():
        pass
    assert gc.get_freeze_count() >= frozen


class Looking(Scripted):
    """Notes how the collector is set while it is asked."""

    def __init__(self) -> None:
        super().__init__(answers(1))
        self.seen: list[tuple[bool, bool]] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.seen.append((gc.get_threshold() == DEFAULT, gc.get_freeze_count() == 0))
        return await super().complete(prompt, sampling)


@pytest.mark.parametrize("rarely", [False, True])
def test_an_embedded_run_leaves_the_collector_alone_unless_it_is_asked(*, rarely: bool) -> None:
    model = Looking()
    evaluate("react", "textcraft", model=model, tasks=["stick"], collect_rarely=rarely)
    assert model.seen == [(not rarely, not rarely)]
    assert (gc.get_threshold(), gc.get_freeze_count()) == (DEFAULT, 0)


def unreachable_after(episodes: int) -> int:
    """Objects that only the collector frees, once so many episodes have ended."""
    spec = scripted_react(3, Scripted(answers(3)))
    planned = [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch))) for epoch in range(episodes)
    ]

    async def scene() -> int:
        async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=episodes) as runtime:
            ends = [end async for end in runtime.run(planned)]
            assert len(ends) == episodes
            return gc.collect()

    gc.freeze()  # all that lives, so that only what the episodes left is looked through
    gc.disable()
    try:
        return asyncio.run(scene())
    finally:
        gc.enable()


def test_an_episode_leaves_nothing_that_only_the_collector_frees() -> None:
    few = unreachable_after(2)
    assert unreachable_after(12) <= few
