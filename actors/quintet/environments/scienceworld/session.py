"""One live session of a task."""

from hashlib import blake2b
from typing import Final, Self

from msgspec import structs

from quintet.environments.scienceworld.simulator import SimulatorAnswer, SimulatorGame, simulator
from quintet.environments.scienceworld.ways import way_left
from quintet.errors import WorldFault, utf8
from quintet.ports.world import Opening, Outcome, WorldState

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
        if not answer.understood:
            return structs.replace(self.reject(answer.seen), figures=self._figures)
        self.actions += (text,)
        self.digests += (_digest(answer),)
        self.score = max(0, answer.score) / 100
        return self.accept(answer.seen, max(self.reward, self.score), done=answer.ends, figures=self._figures)

    @property
    def _figures(self) -> dict[str, float]:
        return {"package_score": self.score}

    def admissible(self) -> tuple[str, ...]:
        return () if self.done else self._game.possible_actions()

    def expert(self) -> tuple[str, ...] | None:
        return () if self.done else way_left(self._kind, self._variation, self.actions)

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
        return self._game.first

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


def _opening(seen: str, description: str) -> Opening:
    """How a task begins: what is seen, and then the task, whose description is a headline and a few sentences."""
    told = " ".join(description.split()).removeprefix("Task Description: ")
    goal = told.removeprefix("Your task is to ").rstrip(".")
    return Opening(observation=f"{seen}\n\nYour task is to {goal}.", setting=seen, goal=goal)


def _digest(answer: SimulatorAnswer) -> bytes:
    return blake2b(f"{answer.score}\0{answer.completed}\0{answer.seen}".encode(), digest_size=_DIGEST).digest()
