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
