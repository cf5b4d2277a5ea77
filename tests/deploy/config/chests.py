"""A world whose tasks have types."""

from collections.abc import Mapping

from tests.actors.fakes import Kitchen

TYPES = {"find pin": "find", "open box": "open", "find cup": "find", "open jar": "open", "find hat": "find"}


class Chests(Kitchen):
    """Its split `none` is empty."""

    name = "chests"
    splits: tuple[str, ...] = ("all", "none")

    def tasks(self, split: str) -> tuple[str, ...]:
        return tuple(TYPES) if split == "all" else ()

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"task type": TYPES[task]}


class LockedChests(Chests):
    """Some of its chests need what a run may not have."""

    def refusal(self, task: str, *, judged: bool) -> str:
        if task in ("find pin", "open jar"):
            return "" if judged else "needs a judge"
        return "needs the key" if task == "find cup" else ""


class SealedChests(Chests):
    """None of its chests opens."""

    def refusal(self, task: str, *, judged: bool) -> str:
        return "is sealed"
