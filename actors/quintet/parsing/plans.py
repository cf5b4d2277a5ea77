"""Parses the planner's completions: text in; numbered steps and their order out.

    Step 1: fetch 6 oak planks
    Step 2: fetch 1 stick
    Step 3: craft 3 oak sign using 6 oak planks, 1 stick
    Execution Order: (Step 1 AND Step 2 AND Step 3)

Steps go by their printed number (`quintet.parsing.steps`), the order as `quintet.parsing.orders` says. Without an order
the steps are joined by what stands between them, or else by AND. An order that cannot be read, that leaves out a step
and does not say so, or that names a number no step has or two steps have, is replaced by AND over all steps, with the
reason; but not one that speaks of alternatives, since doing all of them is another plan.

A plan without an order is asked for as a list: a line `List`, and below it one step a line, numbered.

    List
    1. get 1 bamboo
    2. craft 1 stick from 2 bamboo

Only what stands below the last such line counts, if there are steps.

Source: ADaPT, appendix B; Devil's Advocate, appendix (`List`). Differs: ADaPT's released parser lets the last operator
of a group win, reads upper case only, numbers steps by their line and does not say when it falls back.
"""

import re

from quintet.messages.message import Unanswered
from quintet.messages.planning import AllOf, AnyOf, Decomposed, PlanMade, PlanTree
from quintet.parsing.answers import EMPHASIS, MARK, answer_text, has_text, reason
from quintet.parsing.orders import UnreadableOrder, join_parts, offers_a_choice, read_order
from quintet.parsing.steps import PrintedPlan, read_printed_plan
from quintet.ports.model import Finish

_LIST = re.compile(
    rf"^{MARK}(?:(?:here[ \t]is|the|my|a|new|revised|updated|full)[ \t]++){{0,3}}+list"
    rf"(?:[ \t](?:of|for)[ \t][^\n:：]{{0,60}})?{EMPHASIS}(?:[:：]|$|(?=\(?1[.)][ \t]))[ \t*_`]*+",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_LISTS = 5
_ITEM_ON_LINE = re.compile(r"(?<=\S)[ \t]++(?=\(?[0-9]{1,2}[.)][ \t])")
_EMPTY = Unanswered(reason="the plan has no step")


def read_plan(completion: str, finish: Finish = "stop") -> PlanMade | Unanswered:
    """The steps as printed; any text is allowed.

    Args:
        finish: how the completion ended. A plan that was cut off does not count, unless text follows its order.
    """
    plan = _read_list(answer_text(completion)) if has_text(finish) else PrintedPlan()
    return _why_not(plan, finish) or PlanMade(steps=plan.steps)


def read_decomposition(completion: str, finish: Finish = "stop") -> Decomposed | Unanswered:
    """The steps and how they combine; any text is allowed.

    Args:
        finish: how the completion ended. A plan that was cut off does not count, unless text follows its order.
    """
    plan = read_printed_plan(answer_text(completion)) if has_text(finish) else PrintedPlan()
    if failed := _why_not(plan, finish):
        return failed
    if not plan.order and any(plan.joints):
        return _by_joints(plan)
    try:
        order = read_order(plan.order, plan.steps, plan.remarks)
    except UnreadableOrder as error:
        if offers_a_choice(plan.order):
            return Unanswered(reason=f"the execution order cannot be read: {error}")
        return Decomposed(plan=join_parts(AllOf, *plan.steps), fallback=str(error))
    return Decomposed(plan=order.plan, ambiguous=order.ambiguous)


def _read_list(text: str) -> PrintedPlan:
    """The steps below the last line `List` that has any; without one, the steps of the whole text."""
    for label in reversed([*_LIST.finditer(text)][-_MOST_LISTS:]):
        below = text[label.end() :].strip()
        line, _, rest = below.partition("\n")
        if (plan := read_printed_plan("\n".join([*_ITEM_ON_LINE.split(line), rest]))).steps:
            return plan
        if (plan := read_printed_plan("\n".join(f"- {step}" for step in _paragraph_lines(below)))).steps:
            return plan
    return read_printed_plan(text)


def _paragraph_lines(text: str) -> list[str]:
    """The lines of the first paragraph."""
    return [line for line in text.partition("\n\n")[0].split("\n") if line.strip()]


def _why_not(plan: PrintedPlan, finish: Finish) -> Unanswered | None:
    """Why a completion is not a plan; None if it is one."""
    if finish != "stop" and not (finish == "length" and plan.ended):
        return Unanswered(reason=f"the model {reason(finish, 'plan')}")
    return None if plan.steps else _EMPTY


def _by_joints(plan: PrintedPlan) -> Decomposed:
    first, *others = plan.steps
    tree: PlanTree = first
    # A step without a word before it goes with the others; beside alternatives it is taken for one.
    usual = "or" if {*plan.joints} <= {"or", ""} else "and"
    joints = [joint or usual for joint in plan.joints]
    for joint, step in zip(joints, others, strict=True):
        tree = join_parts(AnyOf if joint == "or" else AllOf, tree, step)
    return Decomposed(plan=tree, ambiguous=len({*plan.joints}) > 1)
