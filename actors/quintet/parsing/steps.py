"""The steps of a plan in any numbering, and the text of the order that joins them."""

import re
from collections.abc import Iterator, Sequence
from json import dumps
from typing import Any, Literal, NamedTuple, TypeAlias

from quintet.messages.planning import PlanStep
from quintet.parsing.actions import strip_wrapping
from quintet.parsing.answers import EMPHASIS, MARK, TAG
from quintet.parsing.objects import as_plain_text, fields, first_object, items, value_at
from quintet.parsing.order_text import GLANCE, LISTED, MOST_LINES, ORDER, whole_order

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_LETTERS = ("A", "B", "C", "D", "E", "F", "G", "H")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_FIGURES = {
    word.upper(): str(at) for words in (_WORDS, _ORDINALS, _LETTERS, _ROMAN) for at, word in enumerate(words, 1)
}

_SYMBOL = rf"(?:{'|'.join(_LETTERS)}|{'|'.join(reversed(_ROMAN))})\b"
_LABELLED = re.compile(rf"\b(?i:step)[ \t_#-]?(?:(?i:(?P<word>{'|'.join(_WORDS)})\b)|(?P<symbol>{_SYMBOL}))(?!['’])")
_ORDINAL = re.compile(
    rf"^(?P<mark>{MARK})(?P<word>{'|'.join(_ORDINALS)})(?:[ \t]step|ly)?(?P<sign>[*_]*+[,:.])",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(
    rf"^(?P<mark>[ \t>*_]*+)\(?(?:(?P<symbol>{_SYMBOL})[.):]|(?P<small>[a-h])(?:\)|\.(?=[ \t])))", re.MULTILINE
)
_ORDER_LINE = re.compile(rf"^{MARK}[\w \t]{{0,30}}?order\b.*", re.IGNORECASE | re.MULTILINE)
_IN_ORDER = re.compile(rf"\b(?:{_SYMBOL}|[a-h]\b)")


_BOLD = re.compile(r"\*\*([^*\n]++)\*\*")
_BOX = re.compile(
    r"^([ \t>]*+(?:[-*+•–][ \t]++)?(?:(?:step[ \t]?)?[0-9]{1,3}[.):][ \t]++)?)(?:\[[ xX✓✔]?\]|[☐☑☒□▢✅✔])[ \t]++"
    r"(?P<numbered>(?=(?:step[ \t]?)?[0-9]{1,3}[.):]))?",
    re.IGNORECASE | re.MULTILINE,
)
_CIRCLED = re.compile("^([ \t>*_]*+)([①-⑳])[ \t.、]*+", re.MULTILINE)
_WIDE_NUMBER = re.compile("^([ \t>*_]*+[0-9]{1,3})[．、）][ \t]*+", re.MULTILINE)


def labelled_in_figures(text: str) -> str:
    """A text with `Step One`, `Step A` and `Step I` as `Step 1`, and numbers of a list in other signs as `1.`."""
    text = _CIRCLED.sub(lambda found: f"{found[1]}{ord(found[2]) - ord('①') + 1}. ", _WIDE_NUMBER.sub(r"\1. ", text))
    return _LABELLED.sub(lambda found: f"Step {_figure(found['word'] or found['symbol'])}", text)


def listed_in_figures(text: str) -> str:
    """A text with lines that begin with `First,`, `A.` or `I.` as steps, the letters of its order in figures."""
    text = _ORDINAL.sub(lambda found: f"{found['mark']}Step {_figure(found['word'])}{found['sign'][:-1]}:", text)
    listed = _LISTED.sub(lambda found: f"{found['mark']}Step {_figure(found['symbol'] or found['small'])}:", text)
    if listed == text:
        return text
    return _ORDER_LINE.sub(lambda order: _IN_ORDER.sub(lambda found: _figure(found[0]), order[0]), listed)


def _figure(word: str) -> str:
    return _FIGURES[word.upper()]


_STEP = re.compile(
    rf"{LISTED}[\[(]?(?:sub)?-?(?:step|task|goal)[ \t_#-]*+(?P<number>[0-9]{{1,4}})"
    rf"(?:(?:/|[ ]of[ ])[0-9]{{1,4}})?[\])]?(?:[ \t]\([^()\n]{{1,40}}\)(?={EMPHASIS}[:：]))?"
    rf"(?P<border>{EMPHASIS})(?:[:：.)=]|->|=>|→|\|(?=.*\|[ \t]*$)|--?(?=[ \t])|[–—]|$"
    rf"|(?P<bare>(?<=[ \t*_`\])])(?=[\w\"'\[<(])))(?P<text>.*)",
    re.IGNORECASE,
)
_NO_STEP = re.compile(
    r"\W*(?:and|or|is|are|can|will|must|needs?|then|has|gives|of|to|with|from|fails?|[,&|])\b", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"[ \t>*_|]*+[(\[]?(?P<number>[0-9]{1,3})(?:[.):\]]|[ \t]*+(?:\||--?(?=[ \t])|[–—→]|->))[ \t*_]++(?P<text>\S.*)"
)
_SPACED = re.compile(r"(?P<number>[0-9]{1,2})[ \t]++(?P<text>[a-z].*)")
_BULLET = re.compile(r"[ \t>]*+[-*+•–][ \t]++(?P<text>\S.*)")
_LABEL = re.compile(
    rf"{MARK}(?:thoughts?|think|goal|observation|note|plan|reason(?:ing)?|setting){EMPHASIS}[:：]", re.IGNORECASE
)
_NEXT_ON_LINE = re.compile(
    r"(?<=\S)[ \t]++(?=Step[ \t]?[0-9]{1,4}[ \t]?[:：]|Execution[ \t]Order[ \t]?[:：])"
    r"|(?<=[.;])[ \t]++(?=Step[ \t]?[0-9]{1,4}[.)][ \t]++\w)"
)
_TWO_ON_LINE = re.compile(r"[ \t>*_]*+\(?1[.)][ \t].*?[ \t]\(?2[.)][ \t]")
_NEXT_NUMBER = re.compile(r"[ \t]*+(?:→|->|=>|[;,])?(?<=[\s→>;,])[ \t]*+(?=\(?[0-9]{1,2}[.)][ \t]++\S)")
_JOINT = re.compile(r"\W*(and|or)\W*", re.IGNORECASE)
_JOINT_BEHIND = re.compile(r"[ \t,]+(and|or)\Z", re.IGNORECASE)
_JOINT_BEFORE = re.compile(r"(or|and)(?:[ \t]else)?[ \t,:]+", re.IGNORECASE)
_UNLABELLED = re.compile(
    rf"{MARK}[(\[{{]*(?:(?:either|both|one[ ]of|any[ ]of)[ ])?[(\[{{]*(?:steps?[ ]?)?[0-9]{{1,4}}[)\]}}]*[ ]?(?:and"
    rf"|or|then|[|&,]|->)",
    re.IGNORECASE,
)
_ANY_WILL_DO = re.compile(
    r"\W*(?:either|any)(?:[ \t]one)?(?:[ \t]of[ \t](?:them|these|the[ \t]\w{1,10}))?\b.{0,40}?\b(?:enough"
    r"|suffic\w{1,4}|will[ \t]do|works?)\b",
    re.IGNORECASE,
)
_FURTHER_CELLS = re.compile(r"^([ \t]*+\|[^|\n]*+\|[^|\n]*+\|)[^\n]*\|[ \t]*$", re.MULTILINE)
"""The cells after the number and the text of a step in a table."""
_TAG = re.compile(
    rf"{TAG}(?:plan|steps|thoughts?|answer|response|output)>"
    r"|</(?:step[ _-]?[0-9]{0,4}|(?:execution_?)?order)>",
    re.IGNORECASE,
)
_STEP_TAG = re.compile(r"<step(?:[ \t][^<>\n]{0,40})?>", re.IGNORECASE)
_NUMBERED_TAG = re.compile(r"<step[ _-]?([0-9]{1,4})>", re.IGNORECASE)
_ORDER_TAG = re.compile(r"<(?:execution_?)?order>", re.IGNORECASE)
_DIGITS = re.compile("[0-9]{1,4}")
_GLANCE_AT_ORDER = 2_000

_STEPS_KEYS = ("steps", "plan", "list", "subtasks", "tasks", "sub_tasks", "actions")
_ORDER_KEYS = ("execution_order", "order", "order_of_execution", "execution", "logic")
_TEXT_KEYS = ("text", "description", "task", "instruction", "action", "goal", "subtask", "step", "name", "content")
_NUMBER_KEYS = ("step", "number", "id", "index", "step_number")
_OPERATORS = {"and": "AND", "or": "OR", "all": "AND", "any": "OR", "all_of": "AND", "any_of": "OR"}
_STEP_KEY = re.compile(r"(?:(?:sub)?(?:step|task)_?)?[0-9]{1,4}\Z")

Joint: TypeAlias = Literal["and", "or", ""]


class PrintedPlan(NamedTuple):
    """A plan as printed."""

    steps: tuple[PlanStep, ...] = ()
    order: str = ""
    """The text of the execution order; empty if there is none."""
    joints: tuple[Joint, ...] = ()
    """The operators between each step and the next."""
    ended: bool = False
    """Whether text follows the order, so that it cannot have been cut off."""
    remarks: str = ""
    """The text that follows the order."""


def read_printed_plan(text: str) -> PrintedPlan:
    """The steps of an answer and the order that follows them; any text is allowed."""
    text = _BOLD.sub(r"\1", text)
    text = _BOX.sub(lambda box: box[1] or ("" if box["numbered"] is not None else "- "), labelled_in_figures(text))
    text = _ORDER_TAG.sub("\nExecution Order: ", _TAG.sub("\n", text))
    text = _FURTHER_CELLS.sub(r"\1", _STEP_TAG.sub("\n- ", _NUMBERED_TAG.sub(r"\nStep \1: ", text)))
    return _from_lines(_lines(text)) or _from_lines(_lines(listed_in_figures(text))) or _from_object(text)


def _lines(text: str) -> Sequence[str]:
    """Lines, those that hold several steps in parts."""
    return [part for line in text.split("\n") for part in _parts(line)]


def _parts(line: str) -> Sequence[str]:
    if _STEP.match(line):
        return _NEXT_ON_LINE.split(line)
    return [*filter(None, _NEXT_NUMBER.split(line))] if _TWO_ON_LINE.match(line) else (line,)


class _Item(NamedTuple):
    line: int
    number: int
    text: str


def _from_lines(lines: Sequence[str]) -> PrintedPlan | None:
    orders = [(at, found) for at, line in enumerate(lines) if (found := ORDER.match(line))]
    begin = next((at for at, line in enumerate(lines) if _is_item(line)), len(lines))
    # An order may come first; then the steps follow it.
    end, order = next(((at, found) for at, found in orders if at > begin), orders[0] if orders else (len(lines), None))
    items = _items(lines[:end] if end > begin else lines)
    if not items:
        return None
    steps, joints = _steps(items, lines)
    if order is None:
        return PrintedPlan(steps, _unlabelled(lines[items[-1].line + 1 :], steps), joints)
    text, last = whole_order(lines, end, order[1] or order[2] or "")
    return PrintedPlan(steps, text, joints, ended=last + 1 < len(lines), remarks=" ".join(lines[last + 1 :]))


def _is_item(line: str) -> bool:
    listed = (form.match(line) for form in (_STEP, _NUMBERED, _SPACED, _BULLET))
    return not ORDER.match(line) and not _LABEL.match(line) and any(listed)


def _items(lines: Sequence[str]) -> list[_Item]:
    """The steps among these lines, in the clearest form that has any."""
    return (
        _without_gaps([*_labelled(lines, bare=False)], lines)
        or [*_labelled(lines, bare=True)]
        or _listed(_NUMBERED, lines)
        or _counted(lines)
        or _listed(_BULLET, lines)
    )


def _labelled(lines: Sequence[str], *, bare: bool) -> Iterator[_Item]:
    for at, line in enumerate(lines):
        found = _STEP.match(line)
        if found is None or (found["bare"] is not None and _is_prose(found, bare=bare)):
            continue
        if text := strip_wrapping(found["text"]) or _below(lines, at):
            yield _Item(at, int(found["number"]), text)


def _without_gaps(items: Sequence[_Item], lines: Sequence[str]) -> list[_Item]:
    """The items, and those in other forms whose numbers go on where they stand."""
    own, numbers = {item.line: item for item in items}, {item.number for item in items}
    others = (item for item in (*_numbered(lines), *_labelled(lines, bare=True)) if items)
    found: list[_Item] = []
    last = 0
    for _, item in sorted({**{item.line: item for item in others}, **own}.items()):
        goes_on = item.line in own or (item.number == last + 1 and item.number not in numbers)
        last = item.number if goes_on else -1
        found += [item] * goes_on
    return found


def _numbered(lines: Sequence[str]) -> Iterator[_Item]:
    for at, line in enumerate(lines):
        found = _NUMBERED.match(line)
        if found and (text := _listed_text(_NUMBERED, line)):
            yield _Item(at, int(found["number"]), text)


def _is_prose(found: re.Match[str], *, bare: bool) -> bool:
    """Whether a label without a sign after it is part of a sentence."""
    return not found["border"].strip() and (not bare or _NO_STEP.match(found["text"]) is not None)


def _below(lines: Sequence[str], at: int) -> str:
    """The text of a step on the line below its label."""
    below = next((line for line in lines[at + 1 : at + MOST_LINES] if line.strip()), "")
    if _STEP.match(below) or ORDER.match(below) or _LABEL.match(below):
        return ""
    bullet = _BULLET.match(below)
    return strip_wrapping(bullet["text"] if bullet else below)


def _listed(form: re.Pattern[str], lines: Sequence[str]) -> list[_Item]:
    """The items of the last list of a form, its outermost level."""
    items: list[_Item] = []
    indent = 0
    for at, line in enumerate(lines):
        if not (text := _listed_text(form, line)) or (items and _indent(line) > indent):
            continue
        found = form.match(line)
        number = int(found["number"]) if found and "number" in form.groupindex else len(items) + 1
        if number == 1:
            items, indent = [], _indent(line)
        items.append(_Item(at, number, text))
    return items


def _counted(lines: Sequence[str]) -> list[_Item]:
    """Lines that begin with 1, 2 and so on, without a sign after the number."""
    found = [(at, match) for at, line in enumerate(lines) if (match := _SPACED.match(line))]
    items = [_Item(at, int(match["number"]), strip_wrapping(match["text"])) for at, match in found]
    return items if len(items) > 1 and all(item.number == at for at, item in enumerate(items, 1)) else []


def _listed_text(form: re.Pattern[str], line: str) -> str:
    found = form.match(line)
    if found is None or ORDER.match(line) or _LABEL.match(found["text"]):
        return ""
    return strip_wrapping(found["text"])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _steps(items: Sequence[_Item], lines: Sequence[str]) -> tuple[tuple[PlanStep, ...], tuple[Joint, ...]]:
    """The steps without the operators that some models write between them, and these."""
    steps: list[PlanStep] = []
    joints: list[Joint] = []
    behind: Joint = ""
    for item, before in zip(items, (None, *items), strict=False):
        found = _JOINT_BEFORE.match(item.text) if before else None
        if before:
            between = (_JOINT.fullmatch(line) for line in lines[before.line + 1 : item.line])
            joints.append(_joint(found or next(filter(None, between), None)) or behind)
        text = item.text[found.end() :] if found else item.text
        ending = _JOINT_BEHIND.search(text[-GLANCE:])
        behind = _joint(ending)
        text = strip_wrapping(text[: len(text) - len(ending[0])] if ending else text)
        steps.append(PlanStep(number=item.number, text=text or item.text))
    return tuple(steps), tuple(joints)


def _joint(found: re.Match[str] | None) -> Joint:
    if found is None:
        return ""
    return "or" if found[1].lower() == "or" else "and"


def _unlabelled(lines: Sequence[str], steps: Sequence[PlanStep]) -> str:
    """An unlabelled line that joins all steps; empty if there is none."""
    wanted = {step.number for step in steps}
    for line in lines:
        if _ANY_WILL_DO.match(line):
            return line
        if _UNLABELLED.match(line) and wanted <= {int(number) for number in _DIGITS.findall(line[:_GLANCE_AT_ORDER])}:
            return line
    return ""


def _from_object(text: str) -> PrintedPlan:
    """The steps of a plan that is written as JSON."""
    begins = text.strip()[:1] == "["
    found = value_at(text, text.index("[")) if begins else first_object(text)
    said = fields(found.value) if found else {}
    listed = next((said[key] for key in _STEPS_KEYS if said.get(key)), found.value if begins and found else said)
    # The steps may be in an object of their own, which may have the order too.
    said |= fields(listed)
    order = next((_order_text(said[key]) for key in _ORDER_KEYS if said.get(key)), "")
    if lines := as_plain_text(listed).split("\n") if as_plain_text(listed) else []:
        return _from_lines([*lines, f"Execution Order: {order}"] if order else lines) or PrintedPlan()
    each = items(listed) or items(said.get("steps")) or [said[key] for key in said if _STEP_KEY.match(key)]
    steps = (_step(number, value) for number, value in enumerate(each, 1))
    return PrintedPlan(tuple(filter(None, steps)), order, ended=True)


def _order_text(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    for key, word in _OPERATORS.items():
        if parts := items(fields(value).get(key)):
            return f"({f' {word} '.join(map(_order_text, parts))})"
    # An object of another form is no order, and may be a choice.
    return as_plain_text(value) or ", ".join(map(_order_text, items(value))) or dumps(value)


def _step(number: int, value: Any) -> PlanStep | None:
    text = as_plain_text(value)
    if said := fields(value):
        number = next((said[key] for key in _NUMBER_KEYS if isinstance(said.get(key), int)), number)
        text = next(filter(None, (as_plain_text(said.get(key)) for key in _TEXT_KEYS)), "")
    label = _STEP.match(text) or _NUMBERED.match(text)
    text = strip_wrapping(" ".join((label["text"] if label else text).split()))
    return PlanStep(number=number, text=text) if text else None
