"""What is believed of how a household works: the papers' wrong beliefs, and what a text corrects of them.

A misled reader takes a toaster or a stove burner for what heats, and puts objects into the appliance to treat them. It
corrects that as soon as a text says otherwise: a worked example, a plan, its goal, or what the world answers. Nothing
else changes its mind.

Source: AutoPlan, figures 2 and 4 (the toaster), figure 5 (objects put into the microwave). The stove burner is ours.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from quintet.models.sim.alfworld.task import HouseTask, Treatment, treatment
from quintet.models.sim.draws import Misreading

APPLIANCES: Mapping[Treatment, tuple[str, ...]] = {"clean": ("sinkbasin",), "heat": ("microwave",), "cool": ("fridge",)}
"""What treats objects in this world."""
MISTAKEN: Mapping[Treatment, tuple[str, ...]] = {**APPLIANCES, "heat": ("toaster", "stoveburner", "microwave")}
"""The appliances that a misled reader would try, one after the other."""

PUT_INSIDE: frozenset[Treatment] = frozenset({"heat", "cool"})
"""Treatments for which a misled reader puts the object into the appliance."""

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

_Claim: TypeAlias = tuple[Treatment, str]
"""A treatment, and a kind of place that does it, or does not, as a text claims."""


@dataclass(frozen=True)
class TreatmentClaims:
    """What texts claim about treating objects."""

    works: frozenset[_Claim]
    fails: frozenset[_Claim]
    in_hand: frozenset[Treatment]
    """Treatments that are done with the object in hand."""


def claims_in(texts: Iterable[str]) -> TreatmentClaims:
    """What texts claim, each by itself: no text takes back what another claims."""
    found = [_claims(text) for text in texts]
    return TreatmentClaims(
        frozenset(claim for one in found for claim in one.works),
        frozenset(claim for one in found for claim in one.fails),
        frozenset(how for one in found for how in one.in_hand),
    )


@lru_cache(maxsize=16384)
def _claims(text: str) -> TreatmentClaims:
    works, fails = set[_Claim](), set[_Claim]()
    for match in _WITH.finditer(text):
        clause = _CLAUSE.split(text[max(0, match.start() - 40) : match.start()])[-1]
        (fails if _NEGATED.search(clause) else works).add((treatment(match[1]), match[2].lower()))
    works |= {(treatment(match[2]), match[1].lower()) for match in _USE.finditer(text)}
    fails |= {(treatment(match[2]), match[1].lower()) for match in _NOT.finditer(text)}
    in_hand: set[Treatment] = {treatment(match[1]) for match in _CARRIED_OUT.finditer(text)}
    for sentence in filter(_IN_HAND.search, _SENTENCE.split(text)):
        in_hand |= {treatment(verb) for verb in _ANY_VERB.findall(sentence)}
    if _NOT_CARRYING.search(text):
        in_hand |= PUT_INSIDE
    return TreatmentClaims(frozenset(works - fails), frozenset(fails), frozenset(in_hand))


@dataclass(frozen=True)
class Beliefs:
    """How objects are thought to be treated."""

    appliances: Mapping[Treatment, tuple[str, ...]]
    """Kinds of places, in the order in which they would be tried."""
    put_inside: frozenset[Treatment] = frozenset()
    """Treatments for which the object is thought to have to be inside the appliance."""
    supposed: frozenset[Treatment] = frozenset()
    """Treatments that several appliances might do, where no text says which does."""

    def misread(self, task: HouseTask, misreading: Misreading) -> "Beliefs":
        """The beliefs as they are applied. An appliance that is misread is any other kind of place in the room."""
        if not misreading.rate:
            return self
        appliances: dict[Treatment, tuple[str, ...]] = {}
        for how, kinds in self.appliances.items():
            others = [(kind,) for kind in sorted(task.kinds().difference(kinds))]
            appliances[how] = misreading.answer(kinds, others, task.wording, "treats", how)
        return replace(self, appliances=appliances)


def beliefs_after(texts: Iterable[str], *, misled: bool) -> Beliefs:
    """What is believed after reading texts, worked examples and observations included."""
    if not misled:
        return Beliefs(APPLIANCES)
    claims = claims_in(texts)
    appliances: dict[Treatment, tuple[str, ...]] = {}
    for how, kinds in MISTAKEN.items():
        working = sorted(kind for each, kind in claims.works if each == how)
        appliances[how] = tuple(k for k in dict.fromkeys((*working, *kinds)) if (how, k) not in claims.fails)
    several: set[Treatment] = {how for how, kinds in appliances.items() if len(kinds) > 1}
    return Beliefs(appliances, PUT_INSIDE - claims.in_hand, frozenset(several - {how for how, _ in claims.works}))
