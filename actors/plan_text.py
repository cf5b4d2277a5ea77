"""The planner's completions: text in; numbered steps and how they combine out.

    Step 1: fetch 6 oak planks
    Step 2: fetch 1 stick
    Step 3: craft 3 oak sign using 6 oak planks, 1 stick
    Execution Order: (Step 1 AND Step 2 AND Step 3)

A plan ends with its execution order; what follows is not read. Steps go by their printed number. AND and OR are read in
any case, brackets nest, and `Step 1` may be written `1`. Mixed operators without brackets are homogeneous runs from
left to right: 1 OR 2 AND 3 is (1 OR 2) AND 3, and is reported as ambiguous. A step that the order leaves out is not
taken. An order that cannot be read, or that names a number no step has or two steps have, is replaced by AND over all
steps, with the reason.

Source: ADaPT, appendix B. Differs: the released parser lets the last operator of a group win, reads upper case only,
numbers steps by their line and does not say when it falls back.
"""

import re
from collections.abc import Mapping, Sequence

from protocols.planning import AllOf, AnyOf, Decomposed, PlanFailed, PlanMade, PlanStep, PlanTree

_MARK = r"[ \t>#*_`-]*"
_STEP = re.compile(rf"^{_MARK}step[ \t]*([0-9]{{1,4}})[ \t*_]*[:.)](.*)$", re.IGNORECASE)
_ORDER = re.compile(rf"^{_MARK}execution[ \t]+order[ \t*_]*:(.*)$", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?:(?P<open>[(\[])|(?P<close>[)\]])|(?P<operator>and|or)(?![a-z])|(?:step\s*)?(?P<number>[0-9]{1,4})(?![0-9]))\s*",
    re.IGNORECASE,
)

_AROUND = " \t*_`."
"""What models put around an order."""

_MAX_TOKENS = 200
"""Longer orders are not read: no plan of a few steps needs one, and it bounds how deep a plan can nest."""

_EMPTY = PlanFailed(reason="the plan has no step")


def read_plan(completion: str) -> PlanMade | PlanFailed:
    """The steps as printed; any text is allowed."""
    steps, _ = _split(completion)
    return PlanMade(steps=steps) if steps else _EMPTY


def read_decomposition(completion: str) -> Decomposed | PlanFailed:
    """The steps and how they combine; any text is allowed."""
    steps, order = _split(completion)
    if not steps:
        return _EMPTY
    try:
        return _Order(_by_number(steps), _tokens(order)).read()
    except _UnreadableOrder as error:
        return Decomposed(plan=_joined(AllOf, *steps), fallback=str(error))


def _split(completion: str) -> tuple[tuple[PlanStep, ...], str]:
    """The steps and the text of the order that follows them; an empty text where none does."""
    steps: list[PlanStep] = []
    lines = iter(completion.splitlines())
    for line in lines:
        if found := _STEP.match(line):
            text = found[2].strip(" \t*_`").removesuffix(".").rstrip()
            if text:
                steps.append(PlanStep(number=int(found[1]), text=text))
        elif steps and (found := _ORDER.match(line)):
            order = found[1].strip(_AROUND) or next((below for below in lines if below.strip()), "")
            return tuple(steps), order.strip(_AROUND)
    return tuple(steps), ""


class _UnreadableOrder(Exception):
    """Says why."""


def _by_number(steps: Sequence[PlanStep]) -> dict[int, PlanStep]:
    numbered: dict[int, PlanStep] = {}
    for step in steps:
        if numbered.setdefault(step.number, step) is not step:
            raise _UnreadableOrder(f"two steps are printed as Step {step.number}")
    return numbered


def _tokens(order: str) -> list[re.Match[str]]:
    if not order:
        raise _UnreadableOrder("no execution order")
    tokens: list[re.Match[str]] = []
    at = 0
    while at < len(order):
        found = _TOKEN.match(order, at)
        if found is None:
            raise _UnreadableOrder(f"expected a step, AND, OR or a bracket, got {order[at : at + 20]!r}")
        if len(tokens) == _MAX_TOKENS:
            raise _UnreadableOrder(f"expected at most {_MAX_TOKENS} steps, operators and brackets, got more")
        tokens.append(found)
        at = found.end()
    return tokens


class _Order:
    """Reads an order by recursive descent."""

    def __init__(self, steps: Mapping[int, PlanStep], tokens: Sequence[re.Match[str]]) -> None:
        self._steps = steps
        self._tokens = tokens
        self._at = 0
        self._ambiguous = False

    def read(self) -> Decomposed:
        plan = self._group()
        if self._at < len(self._tokens):
            raise self._expected("AND, OR or the end")
        return Decomposed(plan=plan, ambiguous=self._ambiguous)

    def _group(self) -> PlanTree:
        tree = self._part()
        previous = ""
        while operator := self._take("operator").upper():
            self._ambiguous |= previous not in ("", operator)
            previous = operator
            tree = _joined(AllOf if operator == "AND" else AnyOf, tree, self._part())
        return tree

    def _part(self) -> PlanTree:
        if self._take("open"):
            tree = self._group()
            if not self._take("close"):
                raise self._expected("AND, OR or a closing bracket")
            return tree
        number = self._take("number")
        if not number:
            raise self._expected("a step")
        if int(number) not in self._steps:
            raise _UnreadableOrder(f"the order names Step {int(number)}, which the plan does not have")
        return self._steps[int(number)]

    def _take(self, kind: str) -> str:
        """The next token if it is of this kind, else an empty text."""
        if self._at == len(self._tokens) or self._tokens[self._at][kind] is None:
            return ""
        self._at += 1
        return self._tokens[self._at - 1][kind]

    def _expected(self, what: str) -> _UnreadableOrder:
        got = repr(self._tokens[self._at][0].strip()) if self._at < len(self._tokens) else "the end"
        return _UnreadableOrder(f"expected {what}, got {got}")


def _joined(kind: type[AllOf] | type[AnyOf], *parts: PlanTree) -> PlanTree:
    """The parts under one operator; those already under the same one lose their brackets."""
    flat: list[PlanTree] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else (part,))
    return flat[0] if len(flat) == 1 else kind(parts=tuple(flat))
