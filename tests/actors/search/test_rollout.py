from collections.abc import Awaitable, Callable, Sequence

import pytest

from quintet.errors import WorldFault
from quintet.messages.environment import Open, Step
from quintet.messages.execution import Turn
from quintet.messages.parts import PromptPart
from quintet.messages.reflection import LookBack, Value
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.lats.config import LatsConfig
from quintet.methods.lats.lats import Lats
from quintet.roles.turn_text import turn_of
from tests.actors.fakes import TASK, Kitchens
from tests.actors.search.kitchen import Coroutine, kitchens

MENU = {"": ["wait", "taste"], "taste": ["wait"]}
MARKS = {"wait": "Mark: 8", "taste": "Mark: 1"}

Work = Callable[[Episode], Awaitable[Solved | Unsolved]]


class RolledOut:
    """One iteration of LATS, whose roll-out from the state after `wait` is what an inner method does."""

    def __init__(self, work: Work) -> None:
        self.roles: Kitchens = kitchens(MENU, MARKS)
        self.parts: list[PromptPart] = []
        """What the inner method was given."""

        async def inner(episode: Episode) -> Solved | Unsolved:
            self.parts += episode.inherited
            return await work(episode)

        self._inner = Coroutine(inner)

    def play(self, iterations: int = 1) -> Solved | Unsolved:
        config = LatsConfig(candidates=2, root_candidates=2, iterations=iterations, depth=4, rollout_depth=4)
        return self.roles.solve(Lats(config, self._inner))


def doing(actions: Sequence[str], *, claims: bool = False) -> Work:
    """An inner method that takes these actions, and says whether it has solved its task."""

    async def work(episode: Episode) -> Solved | Unsolved:
        turns: list[Turn] = []
        reward, done = 0.0, False
        for action in actions:
            stepped = await episode.ask(Step(session=episode.session, action=action))
            turns.append(turn_of(action, stepped.observation))
            reward, done = stepped.reward, stepped.done
        if claims:
            return Solved(session=episode.session, reward=reward, done=done, turns=tuple(turns))
        return Unsolved(session=episode.session, reward=reward, done=done, reason="tired", turns=tuple(turns))

    return work


def test_its_own_account_of_success_counts_for_nothing() -> None:
    played = RolledOut(doing(["taste"], claims=True))
    assert isinstance(played.play(), Unsolved)
    *_, end = played.roles.requests(Value)
    assert len(end.turns) == 2  # it has a value of its own, as any state
    assert played.roles.requests(LookBack) == []


def test_its_reason_for_giving_up_is_looked_back_on() -> None:
    played = RolledOut(doing(["taste"]))
    played.play(iterations=2)
    (asked,) = played.roles.requests(LookBack)
    assert (asked.reason, len(asked.turns)) == ("tired", 2)


def test_an_attempt_without_an_action_leaves_the_leaf_as_it_is() -> None:
    played = RolledOut(doing([]))
    assert [turn.completion for turn in played.play().turns] == ["Thought: Hm.\nAction: wait"]
    assert played.roles.actor.sessions == 1


def test_all_that_a_failed_attempt_opened_is_closed() -> None:
    opened: list[int] = []

    async def fail(episode: Episode) -> Solved | Unsolved:
        await episode.ask(Open(task=TASK))
        opened.append(played.roles.actor.sessions)
        raise WorldFault("broken")

    played = RolledOut(fail)
    with pytest.raises(WorldFault, match="broken"):
        played.play()
    assert played.roles.actor.sessions == opened[0] - 2  # the copy, and what was opened beside it
