"""One live session of a task, and its expert."""

from hashlib import blake2b
from typing import Final, Self

from msgspec import structs

from quintet.environments.scienceworld.simulator import SimulatorAnswer, SimulatorGame, Turns, simulator, way_finder
from quintet.errors import WorldFault, utf8
from quintet.ports.world import Opening, Outcome, WorldState

_FIRST: Final = "look around"
"""What the package does before an agent's first action."""
_NOT_UNDERSTOOD: Final = "No known action matches"
_LOOKS: Final = ("look ", "inventory", "task", "objects", "help")
"""How actions begin that take no time."""
_FULL: Final = 100
_DIGEST: Final = 8
"""Bytes of the digest of an answer."""


class ScienceState(WorldState):
    """A task that is played. A copy repeats the actions in another game, and compares each answer."""

    actions: tuple[str, ...]
    """Those that were carried out."""
    digests: tuple[bytes, ...]
    """Of their answers."""
    score: float
    """The package's score now, in [0, 1]."""

    def __init__(self, kind: str, variation: int) -> None:
        self._kind = kind
        self._variation = variation
        seen = self._begin()
        super().__init__(_opening(seen, self._game.task_description()))
        self.actions = ()
        self.digests = ()
        self.score = 0.0

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject("The task is over.")
        text = utf8(action)
        answer = self._game.step(text)
        if answer.seen.startswith(_NOT_UNDERSTOOD):
            return structs.replace(self.reject(answer.seen), figures=self._figures)
        self.actions += (text,)
        self.digests += (_digest(answer),)
        self.score = max(0, answer.score) / 100
        done = answer.completed or answer.score < 0
        return self.accept(answer.seen, max(self.reward, self.score), done=done, figures=self._figures)

    @property
    def _figures(self) -> dict[str, float]:
        return {"score": self.score}

    def admissible(self) -> tuple[str, ...]:
        return () if self.done else self._game.possible_actions()

    def expert(self) -> tuple[str, ...] | None:
        """The rest of the package's way.

        Once the way was left, it is tried first: None if it does not lead on.
        """
        if self.done:
            return ()
        if (way := _solution(self._kind, self._variation)) is None:
            return None
        followed, strayed = 0, False
        for action in self.actions:
            if way[followed : followed + 1] == (action,):
                followed += 1
            elif not action.startswith(_LOOKS):
                strayed = True
        rest = way[followed:]
        return self._tried(rest) if strayed else rest

    def fork(self) -> Self:
        copy = super().fork()
        copy._begin()
        copy._repeat()
        return copy

    def load(self, snapshot: bytes) -> None:
        """As the port has it; the actions are repeated."""
        super().load(snapshot)
        self._repeat()

    def _begin(self) -> str:
        """Take a game of its own; what is seen first."""
        self._game = SimulatorGame(simulator(), self._kind, self._variation)
        return self._game.step(_FIRST).seen

    def _repeat(self) -> None:
        """Take the actions of this state in a game that has just begun.

        Raises:
            WorldFault: one was answered otherwise than before.
        """
        for number, (action, digest) in enumerate(zip(self.actions, self.digests, strict=True), start=1):
            if _digest(answer := self._game.step(action)) != digest:
                task = f"{self._kind}-{self._variation}"
                where = f"action {number}, {action!r:.100}"
                raise WorldFault(
                    f"{task}: {where}: a replay expected the answer that it had before, got {answer.seen:.100}"
                )

    def _tried(self, rest: tuple[str, ...]) -> tuple[str, ...] | None:
        """These actions as far as the task is solved by them; None if it is not."""
        copy = self.fork()
        for number, action in enumerate(rest, start=1):
            if copy.step(action).done:
                return rest[:number] if copy.reward == 1 else None
        return None


def _opening(seen: str, description: str) -> Opening:
    """How a task begins: what is seen, and then the task, whose description is a headline and a few sentences."""
    told = " ".join(description.split()).removeprefix("Task Description: ")
    goal = told.removeprefix("Your task is to ").rstrip(".")
    return Opening(observation=f"{seen}\n\nYour task is to {goal}.", setting=seen, goal=goal)


def _digest(answer: SimulatorAnswer) -> bytes:
    return blake2b(f"{answer.score}\0{answer.completed}\0{answer.seen}".encode(), digest_size=_DIGEST).digest()


_FINDING: Final = Turns()
_FOUND: Final[dict[tuple[str, int], tuple[str, ...] | None]] = {}


def _solution(kind: str, variation: int) -> tuple[str, ...] | None:
    """The package's way to solve a task, without what is not needed of it; None if it does not solve it.

    One is looked for at a time, and each once: side by side all would be late.
    """
    task = (kind, variation)
    if task not in _FOUND:
        with _FINDING:
            if task not in _FOUND:
                _FOUND[task] = _find_solution(kind, variation)
    return _FOUND[task]


def _find_solution(kind: str, variation: int) -> tuple[str, ...] | None:
    finder = way_finder()
    game = SimulatorGame(finder, kind, variation)
    game.step(_FIRST)
    way = list[str]()
    for action in finder.gold_path(kind, variation):
        answer = game.step(action)
        if not answer.seen.startswith(_NOT_UNDERSTOOD):
            way.append(action)
        if answer.completed:
            return tuple(way) if answer.score == _FULL else None
    return None
