"""A stand-in for the official engine's environment: a corridor of three rooms, of which the last one is the goal."""

from types import SimpleNamespace
from typing import Any

_ROOMS = ("hall 1", "study 1", "attic 1")


class Corridor:
    """Has TextWorld's `load`, `reset` and `step`, and counts what they cost."""

    def __init__(self, *, forgetful: bool = False) -> None:
        self.loads = self.resets = self.steps = 0
        self._forgetful = forgetful
        self._start = self._room = 0

    @property
    def unwrapped(self) -> Any:
        way = [f"go to {room}" for room in _ROOMS[self._room + 1 :]]

        def replan(_infos: object) -> list[str]:
            return way

        return SimpleNamespace(_pddl_state=SimpleNamespace(replan=replan), _entity_infos={})

    def load(self, game: dict[str, Any]) -> None:
        if game["pddl_problem"] == "unreadable":
            raise SystemExit("error: expected\n  a problem")
        self._start = len(_ROOMS) - 1 if game["pddl_problem"] == "solved" else 0
        self.loads += 1

    def reset(self) -> Any:
        self.resets += 1
        self._room = self._start
        return self._state("-= Welcome =-\n\nYou are in hall 1.\n\nYour task is to: reach the attic.")

    def step(self, command: str) -> tuple[Any, float, bool]:
        self.steps += 1
        command = command.strip()
        if command == "look":
            return self._state(f"You see {_ROOMS[self._room]}."), 0.0, False
        if command not in self._ways():
            return self._state("Nothing happens."), 0.0, False
        self._room += 1
        again = f", time {self.resets}" if self._forgetful else ""
        return self._state(f"You arrive at {_ROOMS[self._room]}{again}."), 0.0, False

    def _ways(self) -> list[str]:
        return [f"go to {room}" for room in _ROOMS[self._room + 1 : self._room + 2]]

    def _state(self, feedback: str) -> Any:
        return _State(feedback, sorted([*self._ways(), "look"]), won=self._room == len(_ROOMS) - 1)


class _State:
    def __init__(self, feedback: str, admissible: list[str], *, won: bool) -> None:
        self.feedback = feedback
        self.admissible_commands = admissible
        self._won = won

    def __getitem__(self, name: str) -> bool:
        assert name == "won"
        return self._won
