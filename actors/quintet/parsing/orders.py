"""Execution orders: how the steps of a plan combine.

AND and OR are read in any case and as signs, brackets of any kind nest, and `Step 1` may be written `1`. A comma means
the operator that its group has besides, or else AND. Mixed operators without brackets are homogeneous runs from left to
right: 1 OR 2 AND 3 is (1 OR 2) AND 3, and is reported as ambiguous. A last bracket may be missing, and words may
follow. A step may be named by its text. An order that names all steps one after the other, and offers no choice, is all
of them, whatever words join them. A step that the order leaves out is not taken if it is said that it is left out;
else the order cannot be read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quintet.messages.planning import AllOf, AnyOf, PlanStep, PlanTree

_TOKEN = re.compile(
    r"""(?:
      (?P<note> \([^()\[\]{}0-9]{1,200}\) )
    | (?P<any> (?: (?:either|any|one)(?:[ ]one)?[ ]of | either )\b )
    | (?P<open> [(\[{] ) | (?P<close> [)\]}] )
    | (?P<or> (?: [;,.][ ]?(?:but[ ])?(?:(?:only|and)[ ])?if[ ](?:it|that|this|one|not|steps?[ ][0-9]{1,4})
                   (?:[ ](?:fails?|failed|(?:is|was)[ ](?:not[ ]possible|impossible|unsuccessful)
                     |(?:does|did|can)(?:[ ]?not|n['’]t)[ ](?:work|succeed|be[ ]done)))?
                 | or,?[ ]if[ ][^,()\[\]{}0-9]{1,60},
                 | and/or|or[ ]else|else|or|xor|otherwise|alternatively)(?![a-z]) | \|\|? | ∨ | / )
    | (?P<and> (?:and[ ]then|and|then|followed[ ]by|after[ ]that)(?![a-z]) | &&? | ∧ | \+ | --?> | => | [→⇒>;] )
    | (?P<comma> ,+ | \.(?=[ ]?steps?[ ]?[0-9]) )
    | (?P<filler> (?:both|all[ ]of|first(?:ly)?|try|finally|lastly|next|do
                 |execute|run|perform|last|start[ ]with|begin[ ]with)(?![a-z]) )
    | (?:(?:sub)?-?(?:steps?|tasks?|goals?)|parts?|s|\#)?[ _#.-]*+
      (?P<number> [0-9]{1,4})(?![0-9])
      (?:[ ]*(?:-|–|to|through|\.{2,3})[ ]*(?:steps?)?[ ]*(?P<last>[0-9]{1,4})(?![0-9]))?
    )\s*+""",
    re.IGNORECASE | re.VERBOSE,
)
_SIGNS = ("any", "open", "close", "or", "and", "comma", "number")
_DRESS = re.compile(r"[*`\"“”$\\<]|>$|(?<=[ (])_|_(?=[ )])|(?<![\w.])_(?=\w)")
_LISTED = re.compile(r"(?<!step )(?<!steps )\b[0-9]{1,2}[.)] (?=steps? ?[0-9])", re.IGNORECASE)

_GOES_ON = re.compile(
    r"(?:\b(?:and|or|then)|[,|&/])\s{0,4}[(\[{]{0,4}\s?(?:steps?)?\s?[0-9]|\b(?:if|unless|otherwise|else|instead|alternatively)\b[^.]{0,200}?[0-9]",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(
    r"[|∨/]|\b(?:x?or|either|any|one of|otherwise|else|alternative(?:ly|s)?|instead|unless|if|fallback|whichever"
    r"|when|in case|should (?:it|that|this|step)|only|back-?up|optional(?:ly)?|fail(?:s|ed|ing)?)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(\bor (?:else )?(?:try )?(?:steps? ?)?[0-9]{1,4}),? (?:if|when|in case) [^()\[\]{},;.0-9]{1,80}", re.IGNORECASE
)
"""When an alternative is taken."""
_ALL = re.compile(
    r"\W*(?:(?:do|take|execute) )?(?:all|every|each|and|sequential(?:ly)?|in (?:this|the|that|the given) (?:order"
    r"|sequence)|in (?:order|sequence)|as listed)\b",
    re.IGNORECASE,
)
_ANY = re.compile(r"\W*(?:(?:do|take|try) )?(?:any|either|one|or)\b(?! order)", re.IGNORECASE)

_NUMBERS = r"(?:steps?[ ])?(?P<{name}>[0-9]{{1,4}}(?:[, &]{{1,3}}(?:and[ ]|or[ ])?(?:steps?[ ])?[0-9]{{1,4}}){{0,9}}+)"
_LEFT_OUT = re.compile(
    r"[ (\[,;.–—-]{0,4}(?:\b(?:but|and|since|as|because|while|so|note)\b[ ,:]{0,2})?"
    r"(?:\b(?:skip|omit|exclud|ignor|drop|leav|left|without|except|not)\w{0,4}[ ](?:(?:out|for)[ :]{1,2})?"
    rf"{_NUMBERS.format(name='after')}|(?<!if[ ])\b{_NUMBERS.format(name='before')}"
    r"[ ](?:is|are|was|were|can|may|will)\b[^.;()0-9]{0,30}?\b"
    r"(?:(?:not|no longer)[ ](?:\w{1,12}[ ])?(?:needed|necessary|required|used|included)"
    r"|un(?:needed|necessary|used)|skipped|omitted|left out|dropped|excluded|redundant|superfluous))\b"
    r"[^.;()\[\]0-9]{0,100}+[.)\]]?",
    re.IGNORECASE,
)
"""A remark that steps are left out."""
_SENTENCE = re.compile(r"(?!.*\bsteps?\b)\w+\W+\w.*", re.IGNORECASE)

_MOST_TOKENS = 200
"""Longer orders are not read: no plan of a few steps needs one, and it bounds how deep a plan can nest."""


class Order(NamedTuple):
    """How steps combine."""

    plan: PlanTree
    ambiguous: bool


class UnreadableOrder(Exception):
    """Says why."""


class _Token(NamedTuple):
    kind: str
    text: str
    number: int = 0


def read_order(order: str, steps: Sequence[PlanStep], remarks: str = "") -> Order:
    """How an order combines the steps of a plan; any text is allowed.

    Args:
        order: its text.
        steps: of the plan.
        remarks: the text that follows it, which may say that steps are left out.

    Raises:
        UnreadableOrder: it has no step, has one that the plan lacks or has twice, leaves one out and does not say so,
            or cannot be parsed.
    """
    numbered = _by_number(steps)
    order = _LISTED.sub("", " ".join(_DRESS.sub("", order[:_LONGEST]).split()))
    order = _CONDITION.sub(r"\1", _by_numbers(order, steps))
    if not order:
        raise UnreadableOrder("no execution order")
    if len(steps) > 1 and not re.search("[0-9]", order):
        if _ALL.match(order):
            return Order(join_parts(AllOf, *steps), ambiguous=False)
        if _ANY.match(order):
            return Order(join_parts(AnyOf, *steps), ambiguous=False)
    left_out = {
        int(number)
        for remark in _LEFT_OUT.finditer(f"{order}\n{remarks[:_LONGEST]}")
        for number in re.findall("[0-9]+", remark["after"] or remark["before"])
    }
    try:
        read = _Reader(numbered, _tokens(_LEFT_OUT.sub("", order))).read()
        if missing := [number for number in numbered if number not in left_out | {*_taken(read.plan)}]:
            raise UnreadableOrder(f"the order leaves out Step {missing[0]}, and does not say so")
    except UnreadableOrder:
        if [*dict.fromkeys(map(int, re.findall("[0-9]{1,4}", order)))] == [*numbered] and not offers_a_choice(order):
            return Order(join_parts(AllOf, *steps), ambiguous=False)
        raise
    return read


def _by_numbers(order: str, steps: Sequence[PlanStep]) -> str:
    """An order with the number of each step in place of its text."""
    for step in steps[:_MOST_TOKENS]:
        if _SENTENCE.fullmatch(step.text) and step.text.lower() in order.lower():
            label = rf"(?:steps?[ _]?)?{step.number}[.:)]*[ ]"
            order = re.sub(rf"\b(?:{label})?{re.escape(step.text)}", f"Step {step.number}", order, flags=re.IGNORECASE)
    return order


def _taken(plan: PlanTree) -> Iterator[int]:
    if isinstance(plan, PlanStep):
        yield plan.number
    else:
        for part in plan.parts:
            yield from _taken(part)


def offers_a_choice(order: str) -> bool:
    """Whether an order has alternatives, so that taking all steps would be another plan."""
    return _ALTERNATIVES.search(order) is not None


def join_parts(kind: type[AllOf] | type[AnyOf], *parts: PlanTree) -> PlanTree:
    """The parts under one operator; those already under the same one lose their brackets."""
    flat: list[PlanTree] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else (part,))
    return flat[0] if len(flat) == 1 else kind(parts=tuple(flat))


_LONGEST = 10_000


def _by_number(steps: Sequence[PlanStep]) -> dict[int, PlanStep]:
    numbered: dict[int, PlanStep] = {}
    for step in steps:
        if numbered.setdefault(step.number, step) is not step:
            raise UnreadableOrder(f"two steps are printed as Step {step.number}")
    return numbered


def _tokens(order: str) -> list[_Token]:
    """The tokens of an order, up to other words after it."""
    tokens: list[_Token] = []
    at = 0
    while at < len(order) and (found := _TOKEN.match(order, at)):
        tokens.extend(_meant(found))
        if len(tokens) > _MOST_TOKENS:
            raise UnreadableOrder(f"expected at most {_MOST_TOKENS} steps, operators and brackets, got more")
        at = found.end()
    rest = order[at:]
    if rest.strip(" ._:;") and (not any(token.number for token in tokens) or _GOES_ON.search(rest)):
        raise UnreadableOrder(f"expected a step, AND, OR or a bracket, got {rest[:20]!r}")
    while tokens and tokens[-1].kind in ("comma", *(("and",) if rest else ())):
        tokens.pop()
    return tokens


def _meant(found: re.Match[str]) -> list[_Token]:
    kind = next((kind for kind in _SIGNS if found[kind] is not None), "")
    text = found[0].strip()
    if kind != "number":
        return [_Token(kind, text)] if kind else []
    first, last = int(found["number"]), int(found["last"] or found["number"])
    if not 0 <= last - first < _MOST_TOKENS:
        raise UnreadableOrder(f"expected steps from a lower to a higher number, got {text!r}")
    tokens = [_Token("number", text, number) for number in range(first, last + 1)]
    if len(tokens) == 1:
        return tokens
    listed = [each for token in tokens for each in (_Token("and", "AND"), token)]
    return [_Token("open", "("), *listed[1:], _Token("close", ")")]


class _Reader:
    """Reads an order by recursive descent."""

    def __init__(self, steps: Mapping[int, PlanStep], tokens: Sequence[_Token]) -> None:
        self._steps = steps
        self._tokens = tokens
        self._at = 0
        self._ambiguous = False

    def read(self) -> Order:
        plan = self._group()
        while self._take("close"):
            pass
        if self._at < len(self._tokens):
            raise self._expected("AND, OR or the end")
        return Order(plan, self._ambiguous)

    def _group(self, *, comma: str = "") -> PlanTree:
        """Parts and their operators.

        Args:
            comma: the meaning of a comma; empty if the other operators of the group decide it.
        """
        operators: list[str] = []
        parts = [self._part(comma=comma)]
        while operator := self._operator(between=comma):
            operators.append(operator)
            parts.append(self._part(comma=""))
        return self._folded(parts, operators, comma)

    def _choice(self) -> PlanTree:
        """The parts after `either` or `any of`, as if in brackets: up to an AND after their OR."""
        parts = [self._part(comma="or")]
        while self._choice_goes_on():
            self._take("comma")
            self._take("or")
            parts.append(self._part(comma=""))
        return join_parts(AnyOf, *parts)

    def _choice_goes_on(self) -> bool:
        coming = [token.kind for token in self._tokens[self._at : self._at + 2]]
        return coming[:1] == ["or"] or coming in (["comma", "or"], ["comma", "number"], ["comma", "open"])

    def _folded(self, parts: Sequence[PlanTree], operators: Sequence[str], comma: str) -> PlanTree:
        said = {operator for operator in operators if operator != "comma"}
        if said or not comma:
            comma = "or" if said == {"or"} else "and"
        meant = [comma if operator == "comma" else operator for operator in operators]
        # `1, 2 or 3` is a list, and `1 or 2, 3` may be none.
        unlike_a_list = "or" in said and "comma" in operators[operators.index("or") :]
        self._ambiguous |= len(set(meant)) > 1 or unlike_a_list
        tree = parts[0]
        for operator, part in zip(meant, parts[1:], strict=True):
            tree = join_parts(AnyOf if operator == "or" else AllOf, tree, part)
        return tree

    def _operator(self, *, between: str) -> str:
        """The next operator, without its comma; empty if there is none."""
        comma = self._take("comma")
        if comma and between and self._called():
            return "comma"
        for kind in ("and", "or"):
            if self._take(kind):
                while self._take("comma") or self._take(kind):
                    pass
                return kind
        return "comma" if comma else ""

    def _part(self, *, comma: str) -> PlanTree:
        if self._take("any"):
            return self._choice()
        if self._called():
            operator = self._take("or") or self._take("and")
            return self._bracketed(comma=operator.kind if operator else "")
        if self._next("open"):
            return self._bracketed(comma=comma)
        token = self._take("number")
        if token is None:
            raise self._expected("a step")
        if token.number not in self._steps:
            raise UnreadableOrder(f"the order names Step {token.number}, which the plan does not have")
        return self._steps[token.number]

    def _bracketed(self, *, comma: str) -> PlanTree:
        self._take("open")
        tree = self._group(comma=comma)
        # Models forget the last brackets, and nothing else can come at the end.
        if not self._take("close") and self._at < len(self._tokens):
            raise self._expected("AND, OR or a closing bracket")
        return tree

    def _called(self) -> bool:
        """Whether an operator comes before its group, as in OR(1, 2)."""
        coming = [token.kind for token in self._tokens[self._at : self._at + 2]]
        return coming in (["or", "open"], ["and", "open"])

    def _next(self, kind: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at].kind == kind

    def _take(self, kind: str) -> _Token | None:
        """The next token if it is of this kind."""
        if not self._next(kind):
            return None
        self._at += 1
        return self._tokens[self._at - 1]

    def _expected(self, what: str) -> UnreadableOrder:
        got = repr(self._tokens[self._at].text) if self._at < len(self._tokens) else "the end"
        return UnreadableOrder(f"expected {what}, got {got}")
