"""What to try next: a walk that prefers what changes the household, with actions among it that nothing takes."""

import random
import re
from collections.abc import Callable, Iterable, Sequence

_OFTEN = {
    "go": 5.0,
    "open": 8.0,
    "close": 1.5,
    "take": 9.0,
    "move": 7.0,
    "put": 7.0,
    "examine": 3.0,
    "look": 1.5,
    "inventory": 0.7,
    "use": 4.0,
    "heat": 7.0,
    "clean": 7.0,
    "cool": 7.0,
    "slice": 5.0,
    "help": 0.2,
}
"""How often which verb, beside each other."""

_ODD_SHARE = 0.15
_STRANGE_PLACES = 6.0
"""How many times as often one goes to a place of interest."""
_ERRAND_SHARE = 0.35
"""How often one sets out on an errand where none is under way."""

_FOOD = "(apple|bread|egg|lettuce|potato|tomato)"
_SURFACE = "(coffeetable|countertop|desk|diningtable|dresser|garbagecan|shelf|sidetable|sofa)"
_ERRANDS = (
    ("take .*", "look", "(move|put) .*", "look", "examine {it}", "take {it} from .*", "go to .*", "(move|put) .*"),
    ("open .*", "take .*", "close .*", "look", "examine {there}", "go to .*", "(move|put) .*", "examine {there}"),
    ("take .*", "examine {it}", "go to .*", "open .*", "(move|put) .*", "look", "examine {there}"),
    ("take .*", "go to (sink|bathtub)basin .*", "clean .*", "examine {it}", "(move|put) .*", "examine {it}"),
    ("take .*", "go to fridge .*", "cool .*", "examine {it}", "open .*", "(move|put) .*", "close .*", "look"),
    ("take .*", "go to microwave .*", "heat .*", "examine {it}", "go to fridge .*", "cool .*", "examine {it}"),
    (f"take {_FOOD} .*", "go to sinkbasin .*", "clean .*", "go to microwave .*", "heat .*", "examine {it}"),
    (f"take {_FOOD} .*", "go to fridge .*", "cool .*", "go to sinkbasin .*", "clean .*", "examine {it}"),
    ("take (butter)?knife .*", f"go to {_SURFACE} .*", "slice .*", f"examine {_FOOD} .*", "(move|put) .*"),
    (f"go to {_SURFACE} .*", "take (butter)?knife .*", "slice .*", f"go to {_SURFACE} .*", "slice .*"),
    ("slice .*", "(move|put) .*", f"take {_FOOD} .*", "go to (microwave|fridge) .*", "(heat|cool) .*", "examine {it}"),
    ("go to .*lamp .*", "use .*", "examine .*lamp .*", "take .*", "look"),
    (f"go to {_SURFACE} .*", "use .*", "use .*", "examine .*lamp .*", "inventory"),
)
"""What to do one after the other, as patterns of actions; what cannot be done is left out. `{it}` was taken or put
last, and `{there}` is where."""


class Walk:
    """Chooses actions from what was admissible so far; the same seed and answers give the same walk.

    Args:
        seed: any text.
        of_interest: names of receptacles to visit more than others.
    """

    def __init__(self, seed: str, of_interest: Iterable[str] = ()) -> None:
        self._random = random.Random(seed)
        self._ways = {f"go to {name}" for name in of_interest}
        self._tried: dict[str, int] = {}
        """How often; of every action that was admissible at some time, in the order they came up."""
        self._errand: list[str] = []
        self._it = self._there = "nothing"

    def next(self, admissible: Sequence[str]) -> str:
        for action in admissible:
            self._tried.setdefault(action, 0)
        if not admissible or self._random.random() < _ODD_SHARE:
            return self._odd(admissible)
        action = self._ran(admissible) or self._strolled(admissible)
        self._tried[action] += 1
        if moved := re.fullmatch(r"(?:take|move|put) (.+) (?:from|to|in/on) (.+)", action):
            self._it, self._there = moved[1], moved[2]
        return action

    def _ran(self, admissible: Sequence[str]) -> str | None:
        """The next action of an errand, if one is under way and can go on."""
        if not self._errand and self._random.random() < _ERRAND_SHARE:
            self._errand = list(self._random.choice(_ERRANDS))
        while self._errand:
            pattern = self._errand.pop(0).format(it=re.escape(self._it), there=re.escape(self._there))
            if fitting := [action for action in admissible if re.fullmatch(pattern, action)]:
                return self._random.choices(fitting, [self._weight(action) for action in fitting])[0]
        return None

    def _strolled(self, admissible: Sequence[str]) -> str:
        verbs: dict[str, list[str]] = {}
        for action in admissible:
            verbs.setdefault(action.split()[0], []).append(action)
        among = verbs[self._random.choices(list(verbs), [_OFTEN.get(verb, 1.0) for verb in verbs])[0]]
        return self._random.choices(among, [self._weight(action) for action in among])[0]

    def _weight(self, action: str) -> float:
        return (_STRANGE_PLACES if action in self._ways else 1.0) / (1 + self._tried[action])

    def _odd(self, admissible: Sequence[str]) -> str:
        chosen = self._random.choice([*self._tried] if self._random.random() < 0.3 or not admissible else admissible)
        return self._random.choice(_TURNS)(chosen, self._random)


_Turn = Callable[[str, random.Random], str]


def _other_number(action: str, chance: random.Random) -> str:
    return re.sub(r"\d+$", lambda found: str(int(found[0]) + chance.choice((-1, 1, 7, 50))), action)


def _without_a_number(action: str, _chance: random.Random) -> str:
    return re.sub(r" \d+", "", action, count=1)


def _other_dialect(action: str, _chance: random.Random) -> str:
    if action.startswith("move "):
        return f"put{action[4:].replace(' to ', ' in/on ')}"
    if action.startswith("put "):
        return f"move{action[3:].replace(' in/on ', ' to ')}"
    return action.replace(" from ", " out of ").replace(" with ", " using ").replace("go to", "goto")


def _cased(action: str, chance: random.Random) -> str:
    return chance.choice((action.upper(), action.title(), action.capitalize()))


def _spaced_inside(action: str, chance: random.Random) -> str:
    return action.replace(" ", chance.choice(("  ", "\t", "\u00a0")))


def _spaced_around(action: str, chance: random.Random) -> str:
    """Blanks, and what Python takes for blanks, do not matter; the last one is none."""
    return chance.choice((f"  {action} \t\n", f"{action}\x0b", f"\x1f{action}", f"{action}\u3000", f"{action}\u200b"))


def _appended(action: str, chance: random.Random) -> str:
    return action + chance.choice((".", " 1", " please", "\x00", "\x1b[2J", "\nlook"))


def _long(action: str, chance: random.Random) -> str:
    return f"{action} " * (10_000 // (len(action) + 1)) if chance.random() < 0.2 else f"{action} {action}"


def _elsewhere(action: str, _chance: random.Random) -> str:
    return action


def _fixed(_action: str, chance: random.Random) -> str:
    return chance.choice(_FIXED)


_FIXED = (
    "",
    "   ",
    "\n",
    "help",
    "go to loc 1",
    "go to agent1",
    "go to ",
    "go",
    "open agent1",
    "examine ",
    "look around",
    "inventory 1",
    "use ",
    "take mug 1",
    "take mug 1 from",
    "put mug 1 in/on desk 1",
    "move mug 1 to desk 1",
    "slice apple 1 with knife 1",
    "slice apple 1",
)
_TURNS: tuple[_Turn, ...] = (
    _other_number,
    _without_a_number,
    _other_dialect,
    _cased,
    _spaced_inside,
    _spaced_around,
    _appended,
    _long,
    _elsewhere,
    _elsewhere,
    _fixed,
)
