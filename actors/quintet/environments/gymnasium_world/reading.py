"""How an environment's answers are read where its user gives no functions of her own."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from quintet.errors import WorldFault
from quintet.ports.world import Opening


def plain_text(name: str, observation: Any, _: Mapping[str, Any]) -> str:
    """An observation that is a text.

    Raises:
        WorldFault: it is none.
    """
    if not isinstance(observation, str):
        kind = type(observation).__name__
        raise WorldFault(f"{name}: expected an observation that is a text, got {kind}; give to_text, which words it")
    return observation


def read_actions(actions: Mapping[str, Any], text: str) -> Any:
    """The action that a text stands for."""
    if text.strip() not in actions:
        raise ValueError(f"expected one of {', '.join(actions)}, got {text!r:.100}")
    return actions[text.strip()]


def split_opening(goal: str, seen: str, info: Mapping[str, Any]) -> Opening:
    """Setting and goal of a first observation.

    Both are in `info` (`goal`, `setting`), or the setting is what comes before the goal in the observation; where the
    observation has no goal, it is the setting, and the goal is added below it.
    """
    goal = str(info.get("goal", goal)).rstrip(" .!?")
    if goal not in seen:
        setting = seen.strip()
        return Opening(observation=f"{setting}\n\nGoal: {goal}.".lstrip(), setting=setting, goal=goal)
    told: object = info.get("setting")
    fits = isinstance(told, str) and seen.startswith(told) and goal not in told
    before = seen.partition(goal)[0].rpartition("\n")[0].rstrip()
    return Opening(observation=seen, setting=str(told) if fits else before, goal=goal)


def has(key: str, _: str, info: Mapping[str, Any]) -> bool:
    """Whether `info` says something, such as that an action was rejected."""
    return bool(info.get(key, False))


def scaled(low: float, high: float, total: float, _: Mapping[str, Any]) -> float:
    """A sum of rewards, where `low` counts as 0 and `high` as 1."""
    return (total - low) / (high - low)


def won(key: str, _: float, info: Mapping[str, Any]) -> float:
    """1 if `info` says that the task is solved, else 0."""
    return float(bool(info.get(key, False)))


def admissible_from(key: str, named: tuple[str, ...] | None, info: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The actions that `info` lists, sorted; else those that have names; None: unknown."""
    listed = info.get(key)
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        return named
    return tuple(sorted({str(action) for action in cast("Iterable[object]", listed)}))
