"""The promises that every scenario with real deaths is held to."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from quintet.messages.paths import attempt_of, episode_of
from quintet.testing.content import Content
from quintet.testing.expectations import expect_equal
from tests.simulation.content import expect_agreement
from tests.soak.process.draw import Scenario
from tests.soak.process.found import Came, Found, rewards_of
from tests.soak.process.life import BROKEN
from tests.soak.process.lives import ENDED, INTERRUPTED, SPENT, USAGE, Played
from tests.soak.requests import Entry, read_log
from tests.soak.scenario import Verdict

_AFTER_END = {"run.json", "journal.sqlite", "end.json", "logs", "lock", "changes.jsonl", "memory.sqlite"} | {
    *("plan.md", "plans", "reflections", "memory.md", "memories")
}
"""Files and folders that a run may leave."""


def judge(
    kind: str, scenario: Scenario, whole: Came, played: Played, folder: Path, *, has_children: bool = False
) -> Verdict:
    """What a scenario that was played found.

    Args:
        has_children: whether this process has others between scenarios too.
    """
    broken = [*_broken_promises(scenario, whole, played, folder)]
    repeated = _repeated_calls(played, folder)
    if repeated:
        broken.append(f"calls: expected no committed call to be asked again, got {repeated}")
    if not has_children and (left := _processes_left()):
        broken.append(f"processes: expected none left, got {', '.join(left)}")
    return Verdict(
        kind=kind,
        seed=scenario.seed,
        drawn=scenario.aspects,
        deaths=played.deaths,
        calls=played.left[-1].committed.total(),
        repeated=repeated,
        broken=tuple(broken),
    )


def _broken_promises(scenario: Scenario, whole: Came, played: Played, folder: Path) -> Iterator[str]:
    yield from played.broken
    file = folder / BROKEN
    yield from sorted(set(file.read_text().splitlines())) if file.exists() else ()
    yield from _codes(scenario, played)
    if not played.endings or played.endings[-1] not in ENDED:
        return
    run = folder / "run"
    yield from _content(scenario, whole, played, run)
    yield from _money(played)
    if _closed_cleanly(scenario, played):
        yield from _left_over(run)
    if not scenario.faults and not played.requeued:
        yield from _calls_without_commit(scenario, played, folder)


def _codes(scenario: Scenario, played: Played) -> Iterator[str]:
    for number, code in enumerate(played.endings, 1):
        full = any(each.disk is not None for each in scenario.lives)
        allowed = code < 0 or code in (*ENDED, SPENT, INTERRUPTED) or (code == USAGE and full)
        if not allowed:
            yield f"process {number}: expected exit code 0, 1, 3, 130 or a signal, got {code}"


def _content(scenario: Scenario, whole: Came, played: Played, run: Path) -> Iterator[str]:
    end, code = played.left[-1], played.endings[-1]
    if code != whole.code:
        yield f"result: expected exit code {whole.code} as undisturbed, got {code}"
    if played.requeued:
        if _newest_attempts(end.content) != _newest_attempts(whole.found.content):
            yield "content: expected that of the undisturbed run in the newest attempts, got another"
    elif scenario.configuration.races:
        for left in played.left:
            try:
                expect_agreement(whole.found.content, left.content, end.content)
            except AssertionError:
                other = _difference(whole.found.content, end.content)
                yield f"content: expected agreement up to the first race, got {other}"
                return
    elif end.content != whole.found.content:
        yield f"content: expected that of the undisturbed run, got {_difference(whole.found.content, end.content)}"
    else:
        yield from _kept(played)
    if not scenario.configuration.races and rewards_of(run) != whole.rewards:
        yield f"result: expected rewards {whole.rewards}, got {rewards_of(run)}"


def _kept(played: Played) -> Iterator[str]:
    """What was committed stays as it is."""
    end = played.left[-1].content
    for number, left in enumerate(played.left, 1):
        lost = [place for place, event in left.content.items() if end.get(place) != event]
        if lost:
            yield f"process {number}: expected what it committed to stay, got another {lost[0]}"


def _difference(expected: Content, got: Content) -> str:
    places = sorted(place for place in {*expected, *got} if expected.get(place) != got.get(place))
    first = places[0]
    try:
        expect_equal("", expected.get(first), got.get(first))
    except (AssertionError, pytest.fail.Exception) as error:
        return f"{len(places)} other events, the first {first[1]} at {first[0]}: {str(error)[:400]}"
    return f"{len(places)} other events"


def _newest_attempts(content: Content) -> list[bytes]:
    """The events of every task's newest attempt, as if it were attempt 0."""
    newest: dict[tuple[str, int], int] = {}
    for path, _ in content:
        found = attempt_of(episode_of(path))
        key = found.task, found.epoch
        newest[key] = max(newest.get(key, 0), found.number)
    events: list[bytes] = []
    for (path, kind), event in content.items():
        found = attempt_of(episode_of(path))
        if kind != "requeued" and found.number == newest[found.task, found.epoch]:
            own, first = (f"{found.task}/{found.epoch}/{number}" for number in (found.number, 0))
            events.append(msgspec.json.encode((kind, event)).replace(own.encode(), first.encode()))
    return sorted(events)


def _repeated_calls(played: Played, folder: Path) -> int:
    """Requests that were asked although the journal had their completions when the process began."""
    log, end = read_log(folder), played.left[-1]
    repeated = 0
    for left in played.left:
        later = Counter(entry.digest for entry in log[left.logged :] if not entry.answered)
        # A request without a seed may be made at several paths: then it is asked for those that came later.
        repeated += sum(later[digest] > 0 for digest, times in left.committed.items() if end.committed[digest] == times)
    return repeated


def _calls_without_commit(scenario: Scenario, played: Played, folder: Path) -> Iterator[str]:
    """Completions of a process that ended by itself are all in the journal; a kill loses those in flight."""
    if scenario.configuration.races or played.endpoint_died_last or played.endings[-1] not in ENDED:
        return
    log: list[Entry] = list(read_log(folder))
    began = played.left[-2] if len(played.left) > 1 else Found({}, Counter(), 0, 0)
    made = Counter(entry.digest for entry in log[began.logged :] if entry.answered)
    new = played.left[-1].committed - began.committed
    if made != new:
        yield f"calls: expected the {new.total()} new calls of the last process at the endpoint, got {made.total()}"


def _money(played: Played) -> Iterator[str]:
    for number, (left, budget) in enumerate(zip(played.left, played.budgets, strict=True), 1):
        if budget is not None and left.used > budget:
            yield f"budget: expected at most {budget} tokens used at the endpoint, got {left.used} in process {number}"


def _closed_cleanly(scenario: Scenario, played: Played) -> bool:
    """Whether the last process that wrote ended by itself, on a disk with room."""
    after_kill = len(played.endings) > 1 and played.endings[-2] < 0
    nothing_left = after_kill and played.left[-2].content == played.left[-1].content
    return not nothing_left and scenario.disk_at(len(played.endings)) is None


def _left_over(run: Path) -> Iterator[str]:
    left = sorted(each.name for each in run.iterdir() if each.name not in _AFTER_END)
    if left:
        yield f"files: expected none but the run's own, got {', '.join(left)}"
    if (run / "lock").stat().st_size:
        yield f"lock: expected it to be released, got {(run / 'lock').read_text().strip()!r}"


def _processes_left() -> list[str]:
    """Children of this process that are left; none is expected between scenarios."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ").strip() for child in children]
