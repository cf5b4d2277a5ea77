"""Exploration: for each batch memory a tree beside the process that the memory alone leads to."""

from dataclasses import dataclass
from operator import attrgetter

from msgspec.structs import replace

from quintet.messages.environment import Close
from quintet.messages.parts import PromptPart
from quintet.messages.reflection import Compare, Compared
from quintet.messages.solving import DecisionProcess, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.ldm2.config import Ldm2Config
from quintet.methods.ldm2.process import act_in_copy, final_reward, find_difference
from quintet.methods.ldm2.states import batch_numbers, describe_state, select_batch, with_agreement
from quintet.search.evaluator import StateEvaluator
from quintet.search.expansion import Expander, Point
from quintet.search.levels import search_levels
from quintet.search.node import Node
from quintet.search.tree_search import TreeSearch


@dataclass(frozen=True, kw_only=True)
class Explored:
    """What one batch memory led to."""

    best: Solved | Unsolved
    """Of tree and ground process, the one of the greater reward; in a tie, the ground process. Its session is open."""
    surpassing: DecisionProcess | None
    """The best process of the tree, if its reward is greater than the ground process's."""


class Exploration:
    """Explores one goal with every batch memory at once.

    Args:
        episode: at its opening.

    Source: LDM2, section 3.3. Differs: ground process and tree are made from one batch memory, the one that what they
    find goes into; the paper says of neither which.
    """

    def __init__(self, episode: Episode, config: Ldm2Config) -> None:
        self._episode = episode
        self._config = config

    async def run(self) -> Solved | Unsolved:
        """The best of all processes, with those that surpassed their ground processes."""
        async with self._episode.branches(spread=self._config.spread) as group:
            begun = [group.start(self._explore, batch) for batch in batch_numbers(self._episode)]
        explored = [branch.result() for branch in begun]
        best = max((each.best for each in explored), key=final_reward)
        for each in explored:
            await self._close_unless(best, each.best)
        found = tuple(each.surpassing for each in explored if each.surpassing is not None)
        return replace(best, processes=found)

    async def _explore(self, batch: int) -> Explored:
        parts = await select_batch(self._episode, batch)
        async with self._episode.branches() as group:
            works = act_in_copy, search_in_copy
            begun = [group.start(work, self._episode, self._config, parts) for work in works]
        ground, found = (branch.result() for branch in begun)
        if final_reward(found) <= final_reward(ground):
            await self._close_unless(ground, found)
            return Explored(best=ground, surpassing=None)
        await self._close_unless(found, ground)
        assert found.session is not None
        surpassing = DecisionProcess(
            goal=self._episode.goal,
            setting=self._episode.setting,
            session=found.session.id,
            reward=found.reward,
            batch=batch,
            first=await self._key_step(found, ground),
        )
        return Explored(best=found, surpassing=surpassing)

    async def _key_step(self, found: Solved | Unsolved, ground: Solved | Unsolved) -> int:
        """Where the two part, as the model says; if it says nothing or refuses, the first turn that differs (ours)."""
        request = Compare(goal=self._episode.goal, better=found.turns, worse=ground.turns)
        compared = await self._episode.unless_refused(self._episode.ask, request)
        return compared.step if isinstance(compared, Compared) else find_difference(found.turns, ground.turns)

    async def _close_unless(self, kept: Solved | Unsolved, answer: Solved | Unsolved) -> None:
        if answer is not kept and answer.session is not None:
            await self._episode.ask(Close(session=answer.session))


async def search_in_copy(episode: Episode, config: Ldm2Config, parts: tuple[PromptPart, ...]) -> Solved | Unsolved:
    """The leaf of highest reward of a tree that grows from a copy of the episode's session; its session stays open.

    Source: LDM2, section 3.3, equation 9. Differs: the first full reward ends the tree; where the world rejects all
    actions, as it may the one that what is recalled agrees on, the model is asked once more.
    """
    async with episode.forked(episode.session) as copy:
        own = episode.within(copy.session, with_agreement(parts, config.agreement))

        async def situation(point: Point) -> tuple[PromptPart, ...]:
            return (await describe_state(own, point.turns),)

        search = TreeSearch(own, max_depth=config.max_steps, rank=_reward, oracle=True)
        expander = Expander(
            episode=own,
            evaluator=StateEvaluator(episode=own, scores="confidences"),
            candidates=config.candidates,
            with_confidence=True,
            redraws=1,
            thoughts=False,
            describe=situation,
            sampling=own.sampling,
        )
        await search_levels(
            search, expander, width=config.width, rank=attrgetter("path_score"), keep_done=True, workers=config.width
        )
        answer = await search.conclude()
        copy.keep()
    return answer


def _reward(leaf: Node) -> float:
    return leaf.final_reward or 0.0
