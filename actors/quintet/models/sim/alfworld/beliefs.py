"""What is believed of how a household works: the papers' wrong beliefs, and what a text corrects of them.

A reader that is misled takes a toaster or a stove burner for what heats, and puts into an appliance what is to be
treated there. It believes otherwise as soon as anything that it reads says so: a worked example, a plan, its goal, or
what the world answers. Nothing else changes its mind.

Source: AutoPlan, figures 2 and 4 (the toaster), figure 5 (objects put into the microwave). The stove burner is ours.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from quintet.models.sim.alfworld.goal import Treatment, treatment

APPLIANCES: Mapping[Treatment, tuple[str, ...]] = {"clean": ("sinkbasin",), "heat": ("microwave",), "cool": ("fridge",)}
"""What treats objects in this world."""
MISTAKEN: Mapping[Treatment, tuple[str, ...]] = {**APPLIANCES, "heat": ("toaster", "stoveburner", "microwave")}
"""The same as one who is misled would try it, one after the other."""

PUT_INSIDE: frozenset[Treatment] = frozenset({"heat", "cool"})
"""Treatments for which one who is misled puts the object into the appliance."""

_VERB = r"\b(heat|cool|clean)(?:s|ed|ing)?\b"
_ANY_VERB = re.compile(_VERB, re.IGNORECASE)
_OF_THE = r"(?:the |an? )?([a-z]+)\b"
_WITH = re.compile(rf"{_VERB}(?! up\b)[^.;:\n]{{0,40}}? (?:with|using) {_OF_THE}", re.IGNORECASE)
_USE = re.compile(rf"\buse {_OF_THE}(?: \d+)? (?:to|for) {_VERB}", re.IGNORECASE)
_NOT = re.compile(
    rf"\b([a-z]+)(?: \d+)? (?:cannot|can not|can't|does not|doesn't|is not (?:able|meant|suitable|used))"
    rf"(?! need| have)\b[^.,;\n]{{0,20}}?{_VERB}",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?:\b(?:not|never|cannot)|n't)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE)
"""Ends right before a verb that is not to be done."""
_CARRIED_OUT = re.compile(r"\byou (heat|cool|clean) the [a-z]+ \d+ using the\b", re.IGNORECASE)
_IN_HAND = re.compile(
    r"\bin (?:your |the )?hands?\b|\bwhile (?:you )?(?:hold|carry)|\b(?:holding|carrying) it\b", re.IGNORECASE
)
_NOT_CARRYING = re.compile(r"\bnot carrying\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;\n]")
_CLAUSE = re.compile(r"[.,;:\n]")

Claim: TypeAlias = tuple[Treatment, str]
"""A treatment, and a kind of place that is said to do it, or not to."""


@dataclass(frozen=True)
class Beliefs:
    """How objects are thought to be treated."""

    appliances: Mapping[Treatment, tuple[str, ...]]
    """Kinds of places, in the order in which they would be tried."""
    put_inside: frozenset[Treatment]
    """Treatments for which the object is thought to have to be inside the appliance."""
    supposed: frozenset[Treatment]
    """Treatments that several appliances might do as far as one knows, and of which nobody said which does."""


def beliefs(texts: Iterable[str], *, misled: bool) -> Beliefs:
    """What is believed after reading.

    Args:
        texts: whatever was read, worked examples and observations included.
        misled: whether one begins with the wrong beliefs.
    """
    if not misled:
        return Beliefs(APPLIANCES, frozenset(), frozenset())
    told = told_by(texts)
    appliances: dict[Treatment, tuple[str, ...]] = {
        how: _ordered(how, kinds, told.works, told.fails) for how, kinds in MISTAKEN.items()
    }
    several: set[Treatment] = {how for how, kinds in appliances.items() if len(kinds) > 1}
    return Beliefs(appliances, PUT_INSIDE - told.in_hand, frozenset(several - {how for how, _ in told.works}))


def _ordered(
    wanted: Treatment, kinds: Iterable[str], works: Collection[Claim], fails: Collection[Claim]
) -> tuple[str, ...]:
    """What was said to work comes first, what was said to fail not at all."""
    said = sorted(kind for how, kind in works if how == wanted)
    return tuple(kind for kind in dict.fromkeys((*said, *kinds)) if (wanted, kind) not in fails)


@dataclass(frozen=True)
class Told:
    """What is said about treating objects."""

    works: frozenset[Claim]
    fails: frozenset[Claim]
    in_hand: frozenset[Treatment]
    """Treatments that are said to be done with the object in hand."""


def told_by(texts: Iterable[str]) -> Told:
    """What texts say, each by itself: one does not take back what another says."""
    told = [_told(text) for text in texts]
    return Told(
        frozenset(claim for one in told for claim in one.works),
        frozenset(claim for one in told for claim in one.fails),
        frozenset(how for one in told for how in one.in_hand),
    )


@lru_cache(maxsize=16384)
def _told(text: str) -> Told:
    works, fails = set[Claim](), set[Claim]()
    for match in _WITH.finditer(text):
        (fails if _NEGATED.search(_before(text, match.start())) else works).add((treatment(match[1]), match[2].lower()))
    works |= {(treatment(match[2]), match[1].lower()) for match in _USE.finditer(text)}
    fails |= {(treatment(match[2]), match[1].lower()) for match in _NOT.finditer(text)}
    shown: set[Treatment] = {treatment(match[1]) for match in _CARRIED_OUT.finditer(text)}
    for sentence in filter(_IN_HAND.search, _SENTENCE.split(text)):
        shown |= {treatment(verb) for verb in _ANY_VERB.findall(sentence)}
    if _NOT_CARRYING.search(text):
        shown |= PUT_INSIDE
    return Told(frozenset(works - fails), frozenset(fails), frozenset(shown))


def _before(text: str, place: int) -> str:
    """What stands before a place in its clause."""
    return _CLAUSE.split(text[max(0, place - 40) : place])[-1]
