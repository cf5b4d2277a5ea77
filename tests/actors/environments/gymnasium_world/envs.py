"""Small Gymnasium environments of texts, as a user would write and register them."""

import threading
from random import Random
from typing import Any

import gymnasium
from gymnasium.spaces import Discrete, Text

VAULT = "tests.actors.environments.gymnasium_world.envs:tests/Vault-v0"


class Vault(gymnasium.Env[str, str]):
    """Guess a number from 1 to 4. Each guess costs one of five tries, whatever it was."""

    def __init__(self, *, highest: int = 4, speaks: bool = True) -> None:
        self.observation_space, self.action_space = Text(200), Text(20, min_length=0)
        self._highest = highest
        self._speaks = speaks

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self.number = (options or {}).get("number") or Random(seed).randint(1, self._highest)
        self._left = 5
        seen = f"A vault. Guess its number, from 1 to {self._highest}."
        return (seen if self._speaks else 0), {"admissible_commands": self._listed()}

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if len(action) > 1_000:
            raise OverflowError("too long a guess")
        self._left -= 1
        known = action in self._listed()
        opened = known and int(action) == self.number
        seen = "It opens." if opened else f"It stays shut, {self._left} tries left." if known else "It clicks."
        info = {"rejected": not known, "admissible_commands": self._listed(), "opened": opened}
        return seen, float(opened), opened, self._left == 0, info

    def _listed(self) -> list[str]:
        return [str(number) for number in range(1, self._highest + 1)]


class Uncopyable(Vault):
    """A deep copy is refused."""

    def reset(self, **given: Any) -> tuple[Any, dict[str, Any]]:
        self.lock = threading.Lock()
        return super().reset(**given)

    def twin(self) -> "Uncopyable":
        """Its own copy."""
        twin = Uncopyable()
        twin.reset(options={"number": self.number})
        twin._left = self._left
        return twin


class Entangled(Vault):
    """A deep copy shares what was guessed with its origin."""

    def reset(self, **given: Any) -> tuple[Any, dict[str, Any]]:
        self.shared = _Guesses()
        return super().reset(**given)

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.shared.made += 1
        seen, *rest = super().step(action)
        return f"{seen} Guess {self.shared.made}.", *rest  # type: ignore[return-value]


class _Guesses:
    made = 0

    def __deepcopy__(self, memo: object) -> "_Guesses":
        return self


class Fickle(Vault):
    """It answers otherwise each time."""

    steps = 0

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        Fickle.steps += 1
        seen, *rest = super().step(action)
        return f"{seen} ({Fickle.steps})", *rest  # type: ignore[return-value]


class Lift(gymnasium.Env[Any, Any]):
    """Numbers instead of texts: from floor 0 to 3, each ride costs 1."""

    def __init__(self) -> None:
        self.observation_space, self.action_space = Discrete(4), Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        self._floor = 0
        return 0, {"goal": "reach floor 3!"}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        self._floor = max(0, self._floor + (1 if action else -1))
        return self._floor, -1.0, self._floor == 3, False, {}


for _name in ("Vault", "Lift"):
    if f"tests/{_name}-v0" not in gymnasium.registry:
        gymnasium.register(f"tests/{_name}-v0", entry_point=f"{__name__}:{_name}")  # pyright: ignore[reportUnknownMemberType]
