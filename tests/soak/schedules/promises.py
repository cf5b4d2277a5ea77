"""Which promises a schedule broke: what it came to is held to what each of its episodes comes to undisturbed."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from quintet.events import CallMade, EpisodeEnded, Requeued, StepTaken
from quintet.messages.paths import Path, attempt_of, episode_of, is_within, without_attempt
from quintet.testing.content import Content, before, first_difference_in_decisions
from tests.simulation.memories import MemoryContent
from tests.soak.scenario import Verdict
from tests.soak.schedules.draw import draw
from tests.soak.schedules.play import Played, play
from tests.soak.schedules.scenes import SCENES
from tests.soak.schedules.schedule import Schedule

NAME = "schedule"


def check(seed: int) -> Verdict:
    """Play the schedule of a seed."""
    schedule = draw(seed)
    played = play(schedule)
    return Verdict(
        kind=NAME,
        seed=seed,
        drawn=_aspects(schedule),
        deaths=played.deaths,
        calls=len(played.watch.calls),
        repeated=played.watch.repeated,
        broken=tuple(broken(schedule, played)),
    )


def broken(schedule: Schedule, played: Played) -> Iterator[str]:
    """The promises that did not hold, a sentence each."""
    yield from played.watch.broken
    yield from played.broken
    if played.broken:
        return  # it has no end to look at
    yield from _broken_ends(schedule, played)
    if SCENES[schedule.scene].learn is not None:
        expected, memory = undisturbed(schedule.scene, "")
        if played.content != expected or played.memory != memory:
            yield f"learner: expected what it learns undisturbed, got another: {_difference(expected, played.content)}"
        return
    for path in sorted({episode_of(event.path) for event in played.content.values()}):
        yield from _differing(schedule, played.content, path)


def _broken_ends(schedule: Schedule, played: Played) -> Iterator[str]:
    paths = [end.path for end in played.ends]
    if len({*paths}) < len(paths):
        yield f"ends: expected one of each episode, got {sorted(paths)}"
    if played.replayed is None:
        return
    ended = {event.path: event for event in played.content.values() if isinstance(event, EpisodeEnded)}
    if missing := {episode_of(event.path) for event in played.content.values()} - ended.keys():
        yield f"ends: expected one of each episode, got none of {sorted(missing)}"
    if {attempt_of(path).task for path in ended} != {*schedule.goals}:
        yield f"ends: expected one of each goal, got {sorted(ended)}"
    for end in ended.values():
        if end.fault is not None:
            yield f"{end.path}: expected no fault, got {end.why}"
        if end.cancelled and end.path not in played.touched:
            yield f"{end.path}: expected no cancellation, got one"
    if played.replayed != sorted(ended.values(), key=lambda end: end.path):
        yield "replay: expected the ends that the journal has, got others"


def _differing(schedule: Schedule, content: Content, path: Path) -> Iterator[str]:
    """What an episode has that it has not undisturbed. Faults may decide which branch ends first, and nothing else."""
    got = {place: event for place, event in content.items() if is_within(event.path, path)}
    expected, _ = undisturbed(schedule.scene, attempt_of(path).task)
    one: Mapping[Any, Any]
    other: Mapping[Any, Any]
    is_cancelled = any(isinstance(event, EpisodeEnded) and event.cancelled for event in got.values())
    if SCENES[schedule.scene].races:
        if is_cancelled:
            return
        at = first_difference_in_decisions(expected, got)
        one, other = (expected, got) if at is None else (before(expected, at), before(got, at))
    elif is_cancelled:  # what it did is what it does, as far as it came
        other = _first_attempt({at: event for at, event in got.items() if isinstance(event, CallMade | StepTaken)})
        one = {at: event for at, event in _first_attempt(expected).items() if at in other}
    else:
        one, other = _first_attempt(expected), _first_attempt(got)
    if one != other:
        yield f"{path}: expected its content undisturbed, got another: {_difference(one, other)}"


def _first_attempt(events: Content) -> Mapping[tuple[str, str], str]:
    """Events as those of the first attempt, without why there was another one."""
    return {
        (without_attempt(path), kind): str(event).replace(episode_of(path), first)
        for (path, kind), event in events.items()
        for first in [without_attempt(episode_of(path))]
        if not isinstance(event, Requeued)
    }


def _difference(expected: Mapping[Any, Any], got: Mapping[Any, Any]) -> str:
    """The first one, cut short."""
    for place in [*expected, *got]:
        if expected.get(place) != got.get(place):
            return f"{place}: expected {expected.get(place)}, got {got.get(place)}"[:600]
    return "none in the journal"


@cache
def undisturbed(scene: str, goal: str) -> tuple[Content, MemoryContent]:
    """What an episode comes to, or a learner, without faults and by itself."""
    played = play(Schedule(seed=0, scene=scene, goals=(goal,) if goal else ()))
    return played.content, played.memory


def forget() -> None:
    """Forget what runs come to undisturbed, as where the runtime is another one."""
    undisturbed.cache_clear()


def _aspects(schedule: Schedule) -> dict[str, str]:
    starts = schedule.starts
    faults = {
        "process": any(start.commits is not None for start in starts),
        "host": any(start.kills for start in starts),
        "loss": any(start.loss for start in starts),
        "delay": any(start.delay for start in starts),
    }
    return {
        "method": schedule.scene,
        "world": "textcraft",
        "placement": schedule.placement,
        "fault": next((name for name, is_drawn in faults.items() if is_drawn), "none"),
        "budget": "tokens" if any(start.tokens is not None for start in starts) else "none",
        "operator": "commands" if any(start.commands for start in starts) else "none",
    }
