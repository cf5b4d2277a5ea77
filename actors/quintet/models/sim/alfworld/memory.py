"""A household's past in plain sentences, the subgoals of a task, and what goals and observations are about."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quintet.models.sim.alfworld.progress import parts_of
from quintet.models.sim.alfworld.scene import scene_of
from quintet.models.sim.alfworld.task import HouseTask
from quintet.models.sim.alfworld.topics import house_topic
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.sorting import Topic
from quintet.models.sim.transcript import Exchange, Reading

_X = r"([a-z]+ [0-9]{1,9})"
_THE = rf"(?:the |an? )?{_X}"


class _Fact(NamedTuple):
    """One kind of answer of the household: how it is told, and how it is read back."""

    seen: re.Pattern[str]
    told: str
    heard: re.Pattern[str]
    shown: str


def _fact(seen: str, told: str, heard: str, shown: str) -> _Fact:
    return _Fact(re.compile(seen, re.IGNORECASE), told, re.compile(heard, re.IGNORECASE), shown)


_FACTS: Sequence[_Fact] = (
    _fact(
        rf"\bon the {_X}, you see ([^.]*)\.",
        "On the {0}, I saw {1}.",
        rf"\bon {_THE},? i saw ([^.]*)",
        "On the {0}, you see {1}.",
    ),
    _fact(
        rf"\bthe {_X} is open\. in it, you see ([^.]*)\.",
        "In the {0}, I saw {1}.",
        rf"\bin {_THE},? i saw ([^.]*)",
        "The {0} is open. In it, you see {1}.",
    ),
    _fact(rf"\bthe {_X} is closed\.", "The {0} was closed.", rf"{_THE} was closed\b", "The {0} is closed."),
    _fact(rf"\byou close the {_X}\.", "I closed the {0}.", rf"\bi closed {_THE}", "You close the {0}."),
    _fact(
        rf"\byou pick up the {_X} from the {_X}\.",
        "I took the {0} from the {1}.",
        rf"\bi (?:took|picked up) {_THE} from {_THE}",
        "You pick up the {0} from the {1}.",
    ),
    _fact(
        rf"\byou (?:move|put) the {_X} (?:to|in/on) the {_X}\.",
        "I laid the {0} in/on the {1}.",
        rf"\bi (?:laid|put|moved) {_THE} (?:in/on|to|into|onto|in|on) {_THE}",
        "You move the {0} to the {1}.",
    ),
    *(
        _fact(
            rf"\byou {how} the {_X} using the {_X}\.",
            f"I {how}ed the {{0}} with the {{1}}.",
            rf"\bi {how}ed {_THE} (?:with|using|in) {_THE}",
            f"You {how} the {{0}} using the {{1}}.",
        )
        for how in ("clean", "heat", "cool")
    ),
    _fact(rf"\byou turn on the {_X}\.", "I turned on the {0}.", rf"\bi turned on {_THE}", "You turn on the {0}."),
    _fact(r"\byou are carrying:? ([^.]*)\.", "I held {0}.", r"\bi held (?!nothing)([^.]*)", "You are carrying: {0}."),
    _fact(
        r"\byou are not carrying anything\.", "I held nothing.", r"\bi held nothing\b", "You are not carrying anything."
    ),
)
_NOTHING_HAPPENS = re.compile(r"\s*nothing happens\.?", re.IGNORECASE)
_REFUSAL = re.compile(r"the household refused: (?P<action>[^(]+?)(?: \((?P<cause>.+)\))?\.?\s*", re.IGNORECASE)


class AlfworldMemory(Player[HouseTask]):
    """Writes and reads what a memory holds of households."""

    def subgoals(self, reading: Reading[HouseTask], mind: Mind) -> Iterator[tuple[str, bool]]:
        scene = scene_of(reading, mind)
        of = reading.task.goal
        for (verb, thing), share in parts_of(scene):
            wrong = mind.misreading.wrong(reading.task.wording, "is done", verb, thing)
            complete = (share >= 1) != wrong
            match verb:
                case "take":
                    worded = f"take {'two' if of.count > 1 else 'a'} {thing}"
                case "lay":
                    worded = f"put {'both' if of.count > 1 else f'the {of.thing}'} in/on the {thing}"
                case _:
                    worded = f"{verb} {'a' if verb == 'find' else 'the'} {thing}"
            yield worded, complete

    def tell(self, step: Exchange) -> str:
        said = step.observation
        if refused := _NOTHING_HAPPENS.match(said):
            cause = said[refused.end() :].strip().rstrip(".").replace(". ", "; ")
            return f"The household refused: {step.action}{f' ({cause})' if cause else ''}." if step.action else ""
        went = f"I went to the {step.action.removeprefix('go to ')}. " if step.action.startswith("go to ") else ""
        facts = (fact.told.format(*found.groups()) for fact in _FACTS if (found := fact.seen.search(said)))
        return went + next(facts, "") if said else ""

    def hear(self, sentence: str) -> Exchange | None:
        if refused := _REFUSAL.fullmatch(sentence):
            cause = f" {refused['cause']}." if refused["cause"] else ""
            return self.read_exchange(f"Action: {refused['action']}", f"Nothing happens.{cause}")
        facts = (fact.shown.format(*found.groups()) for fact in _FACTS if (found := fact.heard.search(sentence)))
        shown = next(facts, None)
        return None if shown is None else Exchange("", shown)

    def topic(self, text: str) -> Topic | None:
        return house_topic(text)
