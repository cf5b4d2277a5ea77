"""What both type checkers infer for every ask; `test_inferred_types.py` runs them over this file."""

from typing import assert_type

from quintet.messages.completion import Complete, Completed
from quintet.messages.environment import (
    ActionsListed,
    AskExpert,
    Close,
    CloseBranch,
    Closed,
    ExpertAdvised,
    Fork,
    Forked,
    GetReady,
    ListActions,
    NotReady,
    Open,
    Opened,
    Ready,
    Snapshot,
    Snapshotted,
    Step,
    Stepped,
    Vacate,
    Vacated,
)
from quintet.messages.execution import Candidates, Decide, Execute, Executed, Retarget, Retargeted
from quintet.messages.grading import Grade, Graded
from quintet.messages.learning import EpisodeRan, Learn, Learned, RunEpisode
from quintet.messages.memory import (
    Classified,
    Classify,
    Form,
    Formed,
    Recall,
    Remember,
    Remembered,
    Summarize,
    Summarized,
    TuplesRecalled,
)
from quintet.messages.message import Unanswered
from quintet.messages.planning import Decompose, Decomposed, MakePlan, PlanMade, PlanRevised, RevisePlan
from quintet.messages.quota import Granted, HasQueued, Queued, Reserve
from quintet.messages.reflection import (
    Align,
    Aligned,
    Choose,
    Chosen,
    Compare,
    Compared,
    Condense,
    Condensed,
    Judge,
    Judged,
    LookBack,
    LookedBack,
    Reflect,
    Reflected,
    Value,
    Valued,
)
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.messages.store import (
    FetchTuples,
    FindTuples,
    ListTypes,
    ReadTrajectories,
    Seal,
    Sealed,
    StoreTuples,
    TrajectoriesRead,
    TuplesFound,
    TuplesStored,
    TypesListed,
)
from quintet.messages.visit import Visit, Visited, VisitFailed
from quintet.ports.journal import Append, Appended
from quintet.ports.roles import Roles
from quintet.runtime.refs import Ref


async def planner(roles: Roles, make: MakePlan, decompose: Decompose, revise: RevisePlan) -> None:
    assert_type(await roles.ask(make), PlanMade | Unanswered)
    assert_type(await roles.ask(decompose), Decomposed | Unanswered)
    assert_type(await roles.ask(revise), PlanRevised | Unanswered)


async def reflector(roles: Roles, reflect: Reflect, look_back: LookBack, value: Value, choose: Choose) -> None:
    assert_type(await roles.ask(reflect), Reflected | Unanswered)
    assert_type(await roles.ask(look_back), LookedBack | Unanswered)
    assert_type(await roles.ask(value), Valued | Unanswered)
    assert_type(await roles.ask(choose), Chosen | Unanswered)


async def comparison(roles: Roles, compare: Compare) -> None:
    assert_type(await roles.ask(compare), Compared | Unanswered)


async def introspection(roles: Roles, align: Align, judge: Judge, condense: Condense) -> None:
    assert_type(await roles.ask(align), Aligned | Unanswered)
    assert_type(await roles.ask(judge), Judged | Unanswered)
    assert_type(await roles.ask(condense), Condensed | Unanswered)


async def judge(roles: Roles, grade: Grade) -> None:
    assert_type(await roles.ask(grade), Graded | Unanswered)


async def learner(roles: Roles, learn: Learn) -> None:
    assert_type(await roles.ask(learn), Learned)


async def episodes(roles: Roles, running: RunEpisode) -> None:
    assert_type(await roles.ask(running), EpisodeRan)


async def executor(roles: Roles, decide: Decide, execute: Execute, retarget: Retarget) -> None:
    assert_type(await roles.ask(decide), Candidates)
    assert_type(await roles.ask(execute), Executed)
    assert_type(await roles.ask(retarget), Retargeted | Unanswered)


async def completion(roles: Roles, complete: Complete) -> None:
    assert_type(await roles.ask(complete), Completed)


async def environment(roles: Roles, opening: Open, step: Step, fork: Fork, snapshot: Snapshot, close: Close) -> None:
    assert_type(await roles.ask(opening), Opened)
    assert_type(await roles.ask(step), Stepped)
    assert_type(await roles.ask(fork), Forked)
    assert_type(await roles.ask(snapshot), Snapshotted)
    assert_type(await roles.ask(close), Closed)


async def further(
    roles: Roles, listing: ListActions, asking: AskExpert, close: CloseBranch, vacate: Vacate, get_ready: GetReady
) -> None:
    assert_type(await roles.ask(listing), ActionsListed)
    assert_type(await roles.ask(asking), ExpertAdvised)
    assert_type(await roles.ask(close), Closed)
    assert_type(await roles.ask(vacate), Vacated)
    assert_type(await roles.ask(get_ready), Ready | NotReady)


async def memory(
    roles: Roles, summarize: Summarize, form: Form, remember: Remember, classify: Classify, recall: Recall
) -> None:
    assert_type(await roles.ask(summarize), Summarized)
    assert_type(await roles.ask(form), Formed)
    assert_type(await roles.ask(remember), Remembered)
    assert_type(await roles.ask(classify), Classified)
    assert_type(await roles.ask(recall), TuplesRecalled)


async def store(roles: Roles, storing: StoreTuples, listing: ListTypes, seal: Seal, reading: ReadTrajectories) -> None:
    assert_type(await roles.ask(storing), TuplesStored)
    assert_type(await roles.ask(listing), TypesListed)
    assert_type(await roles.ask(seal), Sealed)
    assert_type(await roles.ask(reading), TrajectoriesRead)


async def tuples(roles: Roles, find: FindTuples, fetch: FetchTuples) -> None:
    assert_type(await roles.ask(find), TuplesFound)
    assert_type(await roles.ask(fetch), TuplesFound)


async def subtask(roles: Roles, solve: Solve) -> None:
    assert_type(await roles.ask(solve), Solved | Unsolved)


async def journal(roles: Roles, append: Append) -> None:
    assert_type(await roles.ask(append), Appended)


async def quota(roles: Roles, reserve: Reserve, has_queued: HasQueued) -> None:
    assert_type(await roles.ask(reserve), Granted)
    assert_type(await roles.ask(has_queued), Queued)


async def visits(roles: Roles, visit: Visit) -> None:
    assert_type(await roles.ask(visit), Visited | VisitFailed)


async def refs(planner: Ref, decompose: Decompose) -> None:
    assert_type((await planner.ask(decompose)).reply, Decomposed | Unanswered)
