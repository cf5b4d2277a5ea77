"""A household's past in plain sentences, the subgoals of a task, and what goals and observations are about."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from quintet.models.sim.alfworld.picture import SHUT_DOOR, VIEW
from quintet.models.sim.alfworld.progress import goal_parts
from quintet.models.sim.alfworld.scene import scene_of
from quintet.models.sim.alfworld.task import HouseTask, kind_in, names_in
from quintet.models.sim.alfworld.topics import house_topic
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.sorting import Topic
from quintet.models.sim.transcript import Exchange, Reading

_X = r"([a-z]+ [0-9]{1,9})"
_THE = rf"(?:the |an? )?{_X}"

_NOTHING_HAPPENS = re.compile(r"\s*nothing happens\.?", re.IGNORECASE)

_SEARCHED = re.compile(r"i saw nothing for the goal (?:in/on|in|on) (.+)", re.IGNORECASE)
_SHUT = re.compile(r"i found closed:? (.+)", re.IGNORECASE)
_SAW = re.compile(rf"(?:in/on|in|on) {_THE},? i saw (.+)", re.IGNORECASE)
_STOOD = re.compile(rf"i stood at {_THE}", re.IGNORECASE)
_REFUSAL = re.compile(r"the household refused: (?P<action>[^(]+?)(?: \((?P<cause>.+)\))?\.?\s*", re.IGNORECASE)


class _Deed(NamedTuple):
    """What the household answers to one kind of action, how that is told, and how it is read back."""

    seen: re.Pattern[str]
    told: str
    heard: re.Pattern[str]
    shown: str


def _deed(seen: str, told: str, heard: str, shown: str) -> _Deed:
    return _Deed(re.compile(seen, re.IGNORECASE), told, re.compile(heard, re.IGNORECASE), shown)


_DEEDS: Sequence[_Deed] = (
    _deed(
        rf"\byou pick up the {_X} from the {_X}\.",
        "I took the {0} from the {1}.",
        rf"\bi (?:took|picked up) {_THE} from {_THE}",
        "You pick up the {0} from the {1}.",
    ),
    _deed(
        rf"\byou (?:move|put) the {_X} (?:to|in/on) the {_X}\.",
        "I laid the {0} in/on the {1}.",
        rf"\bi (?:laid|put|moved) {_THE} (?:in/on|to|into|onto|in|on) {_THE}",
        "You move the {0} to the {1}.",
    ),
    *(
        _deed(
            rf"\byou {how} the {_X} using the {_X}\.",
            f"I {how}ed the {{0}} with the {{1}}.",
            rf"\bi {how}ed {_THE} (?:with|using|in) {_THE}",
            f"You {how} the {{0}} using the {{1}}.",
        )
        for how in ("clean", "heat", "cool")
    ),
    _deed(rf"\byou turn on the {_X}\.", "I turned on the {0}.", rf"\bi turned on {_THE}", "You turn on the {0}."),
    _deed(r"\byou are carrying:? ([^.]*)\.", "I held {0}.", r"\bi held (?!nothing)([^.]*)", "You are carrying: {0}."),
    _deed(
        r"\byou are not carrying anything\.", "I held nothing.", r"\bi held nothing\b", "You are not carrying anything."
    ),
)


class AlfworldMemory(Player[HouseTask]):
    """Writes and reads what a memory holds of households."""

    def subgoals(self, reading: Reading[HouseTask], mind: Mind) -> Iterator[tuple[str, bool]]:
        scene = scene_of(reading, mind)
        of = reading.task.goal
        for (verb, thing), share in goal_parts(scene):
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

    def sum_up(self, task: HouseTask, steps: Sequence[Exchange]) -> Iterator[str]:
        """Places without the goal's things are listed together; all else is told in the order in which it happened."""
        wanted, stood = (task.goal.thing, task.goal.lamp), None
        told, empty, shut = list[str](), dict[str, None](), dict[str, None]()
        for step in steps:
            said = step.observation
            if refused := _NOTHING_HAPPENS.match(said):
                told += [_refusal(step.action, said[refused.end() :])] if step.action else []
            elif view := VIEW.search(said):
                stood = view[1] or view[2]
                shut.pop(stood, None)
                if things := [name for name in names_in(view[3]) if kind_in(name) in wanted]:
                    told.append(f"In/on the {stood}, I saw {', '.join(f'a {name}' for name in things)}.")
                else:
                    empty[stood] = None
            elif closed := SHUT_DOOR.search(said):
                stood = closed[1] or closed[2]
                shut[stood] = None
            else:
                found = ((deed, at) for deed in _DEEDS if (at := deed.seen.search(said)))
                told += [deed.told.format(*at.groups()) for deed, at in islice(found, 1)]
        yield from [f"I saw nothing for the goal in/on {', '.join(empty)}."] if empty else []
        yield from [f"I found closed: {', '.join(shut)}."] if shut else []
        yield from told
        yield from [f"I stood at the {stood}."] if stood else []

    def hear(self, sentence: str) -> Iterator[Exchange]:
        said = sentence.strip().rstrip(".")
        if refused := _REFUSAL.fullmatch(said):
            cause = f" {refused['cause']}." if refused["cause"] else ""
            yield self.read_exchange(f"Action: {refused['action']}", f"Nothing happens.{cause}")
        elif searched := _SEARCHED.fullmatch(said):
            yield from (Exchange("", f"On the {place}, you see nothing.") for place in names_in(searched[1]))
        elif shut := _SHUT.fullmatch(said):
            yield from (Exchange("", f"The {place} is closed.") for place in names_in(shut[1]))
        elif saw := _SAW.fullmatch(said):
            yield Exchange("", f"On the {saw[1]}, you see {saw[2]}.")
        elif stood := _STOOD.fullmatch(said):
            yield Exchange("", f"You arrive at {stood[1]}.")
        else:
            found = ((deed, at) for deed in _DEEDS if (at := deed.heard.search(said)))
            yield from (Exchange("", deed.shown.format(*at.groups())) for deed, at in islice(found, 1))

    def topic(self, text: str) -> Topic | None:
        return house_topic(text)


def _refusal(action: str, cause: str) -> str:
    why = cause.strip().rstrip(".").replace(". ", "; ")
    return f"The household refused: {action}{f' ({why})' if why else ''}."
