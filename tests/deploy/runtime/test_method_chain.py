"""A run with methods within each other: each asks actors of its own, and all else is the run's."""

import asyncio
from collections.abc import Mapping

from pydantic import BaseModel

from quintet.events import CallMade, EpisodeEnded, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Decide, Execute
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.ports.model import Completion, Model, Sampling
from quintet.ports.transport import DRIVER, HostName
from quintet.runtime.host import Host
from quintet.runtime.local import Loopback
from quintet.runtime.roles import Placement
from quintet.runtime.spec import MethodSpec, RunSpec
from quintet.testing.replay import run_episode, with_model
from tests.actors.fakes import GOAL, TASK, Kitchen, contents


class Options(BaseModel):
    by: str = ""
    """Another name to ask for; empty: the inner method's."""


class Outer(Method[Options]):
    """Decides once, and lets its inner method do the rest."""

    name, version = "outer", "1"
    requests = (Decide,)
    nests = True

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        await episode.ask(Decide(setting=episode.setting, goal=episode.goal))
        if self.config.by:
            return await episode.ask(Solve(task=episode.task, by=self.config.by, session=episode.session, goal=GOAL))
        return await episode.attempt(goal=f"{episode.goal} now")


class Inner(Method[Options]):
    """Runs the executor, and offers what no one reads."""

    name, version = "inner", "1"
    requests = (Execute,)

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        answer = await episode.execute(max_calls=3, patience=3)
        episode.offer(answer)
        return answer


class Saying:
    """A model that says one thing."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._text = text
        self.asked: list[list[str]] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.asked.append(contents(prompt))
        return Completion(text=self._text)


def spec_of(chain: Mapping[str, Method[Options]], models: Mapping[str, Model]) -> RunSpec:
    methods = tuple(
        MethodSpec(
            name=name,
            method=method,
            models={"executor": models[name]},
            sampling={"executor": Sampling()},
            prompts={"decide": f"{name} decides.", "execute": f"{name} acts."},
        )
        for name, method in chain.items()
    )
    return RunSpec(methods=methods, world=Kitchen(), seed=0)


def spec(by: str = "") -> tuple[RunSpec, Saying, Saying]:
    above, below = Saying("above", "Action: wait"), Saying("below", "Action: serve")
    inner = Inner(Options())
    return (
        spec_of({"outer": Outer(Options(by=by), inner), "inner": inner}, {"outer": above, "inner": below}),
        above,
        below,
    )


def end_of(records: list[Record]) -> EpisodeEnded:
    end = records[-1].event
    assert isinstance(end, EpisodeEnded)
    return end


def test_every_method_asks_its_own_model_with_its_own_prompts() -> None:
    of, above, below = spec()
    assert of.models == {"executor": above, "inner/executor": below}
    records = run_episode(of, TASK.name)
    assert (end_of(records).state, end_of(records).reward) == ("solved", 1.0)
    assert [asked[0] for asked in above.asked] == ["system: outer decides."]
    assert {asked[0] for asked in below.asked} == {"system: inner acts."}
    assert {asked[1].rpartition("Goal: ")[2] for asked in below.asked} == {f"{GOAL} now."}
    assert [record.event.model for record in records if isinstance(record.event, CallMade)] == [
        "above",
        "below",
        "below",
    ]


def test_a_replay_of_everything_calls_no_model() -> None:
    of, _, _ = spec()
    whole = run_episode(of, TASK.name)
    mute = Saying("mute", "Action: burn")
    assert end_of(run_episode(with_model(of, mute), TASK.name, whole[:-1])) == end_of(whole)
    assert mute.asked == []


def test_a_host_has_one_subtask_and_one_environment_and_an_executor_a_method() -> None:
    async def actors(placement: Placement) -> set[str]:
        host = Host(DRIVER, Loopback(DRIVER), SqliteJournal(":memory:"))
        spec()[0].spawn_roles(host, placement)
        return set(host.actors)

    everywhere = {"executor", "inner/executor", "environment", "subtask"}
    assert asyncio.run(actors(Placement({}))) == everywhere
    elsewhere = Placement({"executor": [HostName("executor-0")]})
    assert asyncio.run(actors(elsewhere)) == {"environment", "subtask"}


def test_a_method_that_the_run_does_not_have_is_named_with_those_it_has() -> None:
    of, _, _ = spec(by="other")
    fault = end_of(run_episode(of, TASK.name)).fault
    assert fault is not None
    assert "method: expected one of outer, inner, got 'other'" in fault.text


def test_two_methods_of_one_name_are_told_apart_in_the_run() -> None:
    inner = Inner(Options())
    middle = Outer(Options(), inner)
    models = {
        name: Saying(name, "Action: serve" if name == "inner" else "Action: wait")
        for name in ("outer", "outer-2", "inner")
    }
    of = spec_of({"outer": Outer(Options(), middle), "outer-2": middle, "inner": inner}, models)
    assert [*of.models] == ["executor", "outer-2/executor", "inner/executor"]
    assert end_of(run_episode(of, TASK.name)).state == "solved"
    assert [len(model.asked) for model in models.values()] == [1, 1, 2]
