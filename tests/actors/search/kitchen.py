"""Searches in the kitchen: a cook who proposes what a menu says, and a taster who marks by the last action."""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.ports.model import Completion, Sampling
from quintet.ports.world import World
from quintet.roles.context import current
from quintet.search.evaluator import StateEvaluator
from quintet.search.expansion import Expander
from quintet.search.frontier import Rank
from quintet.search.node import Node
from quintet.search.tree_search import TreeSearch
from tests.actors.fakes import CHOICE_INSTRUCTIONS, VALUE_INSTRUCTIONS, Kitchens

T = TypeVar("T")

TWO = ["wait", "taste"]
ENDLESS = {"": TWO, "wait": TWO, "taste": TWO}
"""A menu without an end."""

_ACTION = re.compile(r"Action: (.*)")


def path(prompt: Prompt) -> tuple[str, ...]:
    """The actions so far."""
    said = [message.content for message in prompt.messages() if message.role == "assistant"]
    return tuple(found.group(1) for text in said if (found := _ACTION.search(text)))


class Cook:
    """Proposes actions, one a call: those that the menu has for the last action, in turn."""

    name = "cook"

    def __init__(self, menu: Mapping[str, Sequence[str]]) -> None:
        self._menu = menu
        self._given: Counter[tuple[str, ...]] = Counter()
        self.prompts: list[Prompt] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        with current().turn():
            self.prompts.append(prompt)
            said = path(prompt)
            options = self._menu[said[-1] if said else ""]
            option = options[self._given[said] % len(options)]
            self._given[said] += 1
            return Completion(text=option if ":" in option else f"Thought: Hm.\nAction: {option}")


class Taster:
    """Marks a state by its last action, and says so in reflections."""

    name = "taster"

    def __init__(self, marks: Mapping[str, str]) -> None:
        self._marks = marks
        self.prompts: list[Prompt] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        with current().turn():
            self.prompts.append(prompt)
            last = path(prompt)[-1:]
            match prompt.messages()[0].content:
                case text if text.startswith(VALUE_INSTRUCTIONS):
                    return Completion(text=self._marks.get(last[0] if last else "", "Mark: 5"))
                case text if text.startswith(CHOICE_INSTRUCTIONS):
                    return Completion(text=self._marks.get("choice", "Choice: 1"))
                case _:
                    return Completion(text=self._marks.get("reflection", "Reflection: Not again."))


class _Config(BaseModel):
    pass


class Coroutine(Method[_Config]):
    """A method that is one function."""

    name, version = "coroutine", "1"

    def __init__(self, work: Callable[[Episode], Awaitable[Solved | Unsolved]]) -> None:
        super().__init__(_Config())
        self._work = work

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await self._work(episode)


def kitchens(
    menu: Mapping[str, Sequence[str]], marks: Mapping[str, str] | None = None, world: World | None = None
) -> Kitchens:
    """All roles around a kitchen with this cook and this taster."""
    return Kitchens(Cook(menu), world=world, reflecting=Taster(marks or {}))


def expander(episode: Episode, *, candidates: int = 2, **options: Any) -> Expander:
    """One that asks for values."""
    evaluator = options.pop("evaluator", None) or StateEvaluator(episode=episode, scores="values")
    return Expander(episode=episode, evaluator=evaluator, candidates=candidates, **options)


def inside(roles: Kitchens, work: Callable[[Episode], Awaitable[T]]) -> T:
    """What `work` returns in an episode of these roles. The episode itself ends unsolved."""
    found: list[T] = []

    async def solve(episode: Episode) -> Unsolved:
        found.append(await work(episode))
        return Unsolved(session=episode.session, reward=0.0, done=False, reason="")

    roles.solve(Coroutine(solve))
    return found[0]


def score(node: Node) -> float:
    return node.score


class Searched:
    """A search of one episode.

    Args:
        grow: what is done with the tree, by an expander.
        depth: of the tree.
        nodes: below its root.
        expanding: options of the expander.
    """

    search: TreeSearch

    def __init__(
        self,
        menu: Mapping[str, Sequence[str]],
        marks: Mapping[str, str] | None,
        grow: Callable[[TreeSearch, Expander], Awaitable[object]],
        *,
        depth: int = 4,
        nodes: int | None = None,
        rank: Rank = score,
        oracle: bool = True,
        **expanding: Any,
    ) -> None:
        self.roles = kitchens(menu, marks)

        async def work(episode: Episode) -> Solved | Unsolved:
            self.search = TreeSearch(episode, max_depth=depth, max_nodes=nodes, rank=rank, oracle=oracle)
            await grow(self.search, expander(episode, **expanding))
            return await self.search.conclude()

        self.answer = self.roles.solve(Coroutine(work))

    @property
    def expanded(self) -> list[tuple[str, ...]]:
        """The states at which candidates were drawn."""
        return expanded(self.roles)

    @property
    def standings(self) -> dict[str, str]:
        """By action."""
        return {node.action: node.standing for node in self.search.tree.nodes}


def expanded(roles: Kitchens) -> list[tuple[str, ...]]:
    """The states at which candidates were drawn, by the actions that led there."""
    return [tuple(turn.completion.rpartition(": ")[2] for turn in asked.history) for asked in roles.requests(Decide)]
