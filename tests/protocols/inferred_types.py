"""What both type checkers infer for every ask; `test_inferred_types.py` runs them over this file."""

from typing import assert_type

from quintet.messages.environment import (
    ActionsListed,
    AskExpert,
    Close,
    Closed,
    ExpertAdvised,
    Fork,
    Forked,
    ListActions,
    Open,
    Opened,
    Snapshot,
    Snapshotted,
    Step,
    Stepped,
)
from quintet.messages.execution import Candidates, Decide, Execute, Executed
from quintet.messages.learning import EpisodeRan, Learn, Learned, RunEpisode
from quintet.messages.planning import Decompose, Decomposed, MakePlan, PlanFailed, PlanMade, PlanRevised, RevisePlan
from quintet.messages.quota import Granted, HasQueued, Queued, Reserve
from quintet.messages.reflection import Reflect, Reflected, ReflectionFailed
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.ports.journal import Append, Appended
from quintet.ports.refs import Ref


async def planner(ref: Ref, make: MakePlan, decompose: Decompose, revise: RevisePlan) -> None:
    assert_type(await ref.ask(make), PlanMade | PlanFailed)
    assert_type(await ref.ask(decompose), Decomposed | PlanFailed)
    assert_type(await ref.ask(revise), PlanRevised | PlanFailed)


async def reflector(ref: Ref, reflect: Reflect) -> None:
    assert_type(await ref.ask(reflect), Reflected | ReflectionFailed)


async def learner(ref: Ref, learn: Learn) -> None:
    assert_type(await ref.ask(learn), Learned)


async def episodes(ref: Ref, running: RunEpisode) -> None:
    assert_type(await ref.ask(running), EpisodeRan)


async def executor(ref: Ref, decide: Decide, execute: Execute) -> None:
    assert_type(await ref.ask(decide), Candidates)
    assert_type(await ref.ask(execute), Executed)


async def environment(ref: Ref, opening: Open, step: Step, fork: Fork, snapshot: Snapshot, close: Close) -> None:
    assert_type(await ref.ask(opening), Opened)
    assert_type(await ref.ask(step), Stepped)
    assert_type(await ref.ask(fork), Forked)
    assert_type(await ref.ask(snapshot), Snapshotted)
    assert_type(await ref.ask(close), Closed)


async def advice(ref: Ref, listing: ListActions, asking: AskExpert) -> None:
    assert_type(await ref.ask(listing), ActionsListed)
    assert_type(await ref.ask(asking), ExpertAdvised)


async def subtask(ref: Ref, solve: Solve) -> None:
    assert_type(await ref.ask(solve), Solved | Unsolved)


async def journal(ref: Ref, append: Append) -> None:
    assert_type(await ref.ask(append), Appended)


async def quota(ref: Ref, reserve: Reserve, has_queued: HasQueued) -> None:
    assert_type(await ref.ask(reserve), Granted)
    assert_type(await ref.ask(has_queued), Queued)
