"""Schedules break no promise, and a schedule's seed or text is all that decides how it goes."""

from collections.abc import Sequence

import pytest
from msgspec import structs

from tests.simulation.cluster import COLOCATED, PER_ROLE
from tests.simulation.test_faults import by_hundreds
from tests.soak.schedules.draw import draw
from tests.soak.schedules.play import play
from tests.soak.schedules.promises import broken, check
from tests.soak.schedules.scenes import SCENES
from tests.soak.schedules.schedule import as_text, from_text

SEEDS = range(300)


@pytest.mark.parametrize("seeds", by_hundreds(10, 2000))
def test_no_schedule_breaks_a_promise(seeds: Sequence[int]) -> None:
    for seed in seeds:
        assert check(seed).broken == (), f"python -m tests.soak.schedules --replay {seed}"


def test_a_schedule_with_its_delays_and_losses_by_name_goes_as_the_drawn_one() -> None:
    drawn = draw(next(seed for seed in SEEDS if draw(seed).starts[0].loss and draw(seed).starts[0].delay))
    once, again = play(drawn), play(drawn)
    assert once.scripts == again.scripts
    scripted = [
        structs.replace(start, script=script) for start, script in zip(drawn.starts, once.scripts, strict=False)
    ]
    by_name = from_text(as_text(structs.replace(drawn, starts=tuple(scripted))))
    replayed = play(by_name)
    assert replayed.scripts == once.scripts
    assert replayed.content == once.content
    assert list(broken(by_name, replayed)) == []


def test_every_last_start_may_come_to_an_end() -> None:
    for schedule in map(draw, SEEDS):
        last = schedule.starts[-1]
        assert (last.commits, last.tokens) == (None, None)
        placement = {"colocated": COLOCATED, "per-role": PER_ROLE}[schedule.placement]
        for start in schedule.starts:
            killed = {kill.host for kill in start.kills}
            alive = all({*hosts} - killed for hosts in placement.hosts.values())
            assert alive or start.replacements == len(start.kills), schedule.words()


def test_some_hundred_seeds_draw_every_scene_and_every_kind_of_fault() -> None:
    schedules = [draw(seed) for seed in SEEDS]
    assert {schedule.scene for schedule in schedules} == {*SCENES}
    starts = [start for schedule in schedules for start in schedule.starts]
    for name in ("kills", "replacements", "delay", "loss", "commits", "tokens", "commands"):
        assert any(getattr(start, name) for start in starts), name
    assert {command.action for start in starts for command in start.commands} == {
        "cancel",
        "requeue",
        "pause",
        "concurrency",
    }
