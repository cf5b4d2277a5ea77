"""An episode that a limit cuts short ends as its method offered last; a replay ends the same and runs nothing."""

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from quintet.errors import FaultNote
from quintet.events import AnyEvent, CallMade, CutShort, EpisodeEnded, Exchanged, Offer, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Fork, Session
from quintet.messages.execution import Execute
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.ports.model import Completion, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.roles import Placement
from quintet.runtime.spec import Limits, RunSpec
from quintet.testing.content import content_of
from quintet.testing.replay import run_episode
from tests.actors.fakes import TASK, Kitchen
from tests.deploy.trees import NoOptions
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster
from tests.simulation.content import content
from tests.simulation.network import Network
from tests.simulation.scenes import ends_of, spec_of

HERE = episode_path(TASK.name, 0, 0)
LAST = 6
"""Attempts of an episode, each a call."""


class Tasting:
    """Tastes (earns 0.5) in the first attempt, and waits in the others. An answer takes a virtual second or none."""

    name = "tasting"

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.calls = 0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.calls += 1
        await asyncio.sleep(self.seconds)
        first = any("Attempt 1." in message.content for message in prompt.messages())
        return Completion(text="Action: taste" if first else "Action: wait")


class Trying(Method[NoOptions]):
    """Attempts, each in a fork and with an offer behind it. The first, which earns most, is given up without one."""

    name = "trying"
    version = "1"
    requests = (Execute,)
    worlds = {}

    def offered(self, session: Session, number: int) -> Solved | Unsolved | None:
        if number == 1:
            return None
        reward, claimed = number / 100, [None, True, False][number % 3]
        if number % 2:
            return Unsolved(session=session, reward=reward, done=False, reason="odd", claimed=claimed, depth=number)
        return Solved(session=session, reward=reward, done=True, claimed=claimed, depth=number)

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        for number in range(1, LAST + 1):
            session = (await episode.ask(Fork(session=episode.session))).session
            setting = f"Attempt {number}."
            await episode.ask(Execute(session=session, setting=setting, goal="taste", max_calls=1, patience=1))
            answer = self.offered(session, number)
            if answer is not None:
                episode.offer(answer)
        return Unsolved(session=episode.session, reward=0.0, done=False, reason="out of attempts")


class Inner(Trying):
    """Leaves everything, offers too, to a subtask."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await (super().solve(episode) if episode.depth > 1 else episode.recurse("taste", episode.session))


class Wrong(Trying):
    """Offers a reward that there is not."""

    def offered(self, session: Session, number: int) -> Solved | Unsolved | None:
        return Solved(session=session, reward=float("nan"), done=True)


def spec(method: type[Trying] = Trying, model: Tasting | None = None, seconds: float | None = None) -> RunSpec:
    return spec_of(
        method(NoOptions()), {"execute": "Act."}, model or Tasting(), world=Kitchen(), limits=Limits(episode=seconds)
    )


def ended(reason: str, attempts: int) -> EpisodeEnded:
    """The end after so many attempts."""
    solved = attempts % 2 == 0
    return EpisodeEnded(
        path=HERE,
        state="solved" if solved else "unsolved",
        reward=attempts / 100,
        claimed=[None, True, False][attempts % 3],
        depth=attempts,
        reason=reason,
    )


def end_of(records: Sequence[Record]) -> AnyEvent:
    return records[-1].event


def cut_short(records: Sequence[Record]) -> CutShort:
    (cut,) = [record.event for record in records if isinstance(record.event, CutShort)]
    return cut


def calls(records: Sequence[Record]) -> int:
    return sum(isinstance(record.event, CallMade) for record in records)


@pytest.mark.parametrize("most", range(2, LAST))
def test_it_ends_with_the_last_offer_and_no_abandoned_branch_s_reward(most: int) -> None:
    records = run_episode(spec(), TASK.name, calls=most)
    assert end_of(records) == ended("episode budget", most)
    assert calls(records) == most
    offer = cut_short(records).offer
    if most == 3:
        assert offer == Offer(state="unsolved", session=f"{HERE}/6", reward=0.03, done=False, depth=3)
    answer = next(
        record.event for record in records if isinstance(record.event, Exchanged) and record.event.path == HERE
    )
    assert offer is not None
    assert (answer.session, answer.turns) == (offer.session, ())


def test_without_an_offer_what_the_session_acted_in_last_has_earned_counts() -> None:
    records = run_episode(spec(), TASK.name, calls=1)
    assert end_of(records) == EpisodeEnded(path=HERE, state="unsolved", reward=0.5, reason="episode budget")
    assert cut_short(records).offer is None


@pytest.mark.parametrize("most", [1, 2, 5])
def test_a_kill_at_every_place_resumes_to_the_same_end_without_a_repeated_or_a_further_call(most: int) -> None:
    whole = run_episode(spec(), TASK.name, calls=most)
    for place in range(1, len(whole)):
        model = Tasting()
        resumed = run_episode(spec(model=model), TASK.name, whole[:place], calls=most)
        assert content_of(resumed) == content_of(whole), f"killed after event {place}"
        assert model.calls == most - calls(whole[:place])


@pytest.mark.parametrize(
    ("method", "most", "reward", "reason"),
    [
        pytest.param(Trying, LAST, 0.0, "out of attempts", id="a-method-that-ends-by-itself-answers-itself"),
        pytest.param(Inner, 1, 0.5, "episode budget", id="a-subtask-s-offers-do-not-count"),
        pytest.param(Inner, 4, 0.0, "episode budget", id="nor-what-an-abandoned-session-earned"),
    ],
)
def test_no_offer_counts_where(method: type[Trying], most: int, reward: float, reason: str) -> None:
    records = run_episode(spec(method), TASK.name, calls=most)
    assert end_of(records) == EpisodeEnded(path=HERE, state="unsolved", reward=reward, reason=reason)


def test_an_offer_that_is_no_answer_is_the_method_s_bug() -> None:
    end = end_of(run_episode(spec(Wrong), TASK.name))
    assert isinstance(end, EpisodeEnded)
    assert isinstance(end.fault, FaultNote)
    assert end.fault.kind == "ActorCrashed"
    assert "ValueError: offer: expected a reward in [0, 1], got nan" in end.fault.text


PLANNED = Planned(HERE, Solve(task=TASK))


async def timed(journal: SqliteJournal, of: RunSpec) -> EpisodeEnded:
    (end,) = await ends_of(of, journal, [PLANNED])
    return end


@pytest.mark.parametrize("seconds", [2.5, 3.0, 3.5, 5.5])
async def test_a_time_limit_ends_it_with_what_was_offered_until_then(seconds: float) -> None:
    journal = SqliteJournal(":memory:")
    limited = spec(model=Tasting(1.0), seconds=seconds)
    end = await timed(journal, limited)
    attempts = round(end.reward * 100)
    assert end == ended("time limit", attempts)
    assert seconds - 1 <= attempts <= seconds
    again = spec(model=(model := Tasting(1.0)), seconds=seconds)
    assert await timed(journal, again) == end
    assert model.calls == 0


@pytest.mark.parametrize("placement", [COLOCATED, PER_ROLE])
async def test_its_content_names_no_host(placement: Placement) -> None:
    of = spec(model=Tasting(1.0), seconds=3.5)
    local, spread = SqliteJournal(":memory:"), SqliteJournal(":memory:")
    await timed(local, of)
    async with Cluster(of, spread, Network(Random(0)), placement, slots=1) as cluster:
        assert [end.path async for end in cluster.run([PLANNED])] == [HERE]
    assert content(spread) == content(local)
    assert any(isinstance(event, CutShort) and event.offer is not None for event in content(spread).values())


async def test_a_limit_that_is_reached_before_any_session_is_open() -> None:
    network = Network(Random(0), delay=30.0)
    async with Cluster(spec(seconds=0.5), SqliteJournal(":memory:"), network, PER_ROLE, slots=1) as cluster:
        (end,) = [end async for end in cluster.run([PLANNED])]
    assert end == EpisodeEnded(path=HERE, state="unsolved", reason="time limit")


async def test_an_operator_s_cancellation_keeps_what_the_session_acted_in_last_has_earned() -> None:
    async with LocalRuntime(spec(model=Tasting(1.0)), SqliteJournal(":memory:"), concurrency=1) as runtime:
        episode = asyncio.create_task(anext(runtime.run([PLANNED])))
        await asyncio.sleep(1.5)
        await runtime.runner.cancel(HERE)
        end = await episode
    assert (end.state, end.reward, end.cancelled, end.reason) == ("unsolved", 0.5, True, "cancelled by operator")
