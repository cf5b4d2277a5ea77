"""`read`: how the completions of a model are understood, line by line."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, assert_never

import msgspec
from msgspec import Struct

from quintet.errors import UsageError
from quintet.messages.execution import Act, Claim, Unreadable
from quintet.messages.planning import AllOf, AnyOf, PlanFailed, PlanStep, PlanTree
from quintet.parsing.answers import missing_answer, reason
from quintet.parsing.candidates import rank, read_candidates
from quintet.parsing.clusters import read_clusters
from quintet.parsing.decisions import read_decision
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.parsing.indices import read_comparison, read_index
from quintet.parsing.judgements import read_verdict
from quintet.parsing.look_backs import read_look_back
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.reflections import read_part, read_parts
from quintet.parsing.retargets import read_retargeted
from quintet.parsing.revisions import read_revision
from quintet.parsing.verdicts import read_choice, read_mark
from quintet.ports.model import Finish

ReadKind: TypeAlias = Literal[
    "decision",
    "candidates",
    "plan",
    "reflection",
    "revision",
    "look_back",
    "mark",
    "choice",
    "comparison",
    "evaluation",
    "summary",
    "clusters",
    "index",
    "steps",
    "alignment",
    "verdict",
    "condensed",
    "retargeted",
]
ReadLine: TypeAlias = Mapping[str, Any]


class _Line(Struct):
    """A completion; other fields of a line are ignored."""

    text: str
    finish: Finish = "stop"


def read_completions_command(kind: ReadKind) -> None:
    """Read completions from standard input, one a line, and print how each is understood.

    Args:
        kind: decision, candidates, plan, reflection, revision, look_back, mark, choice, comparison, evaluation,
            summary, clusters, index, steps, alignment, verdict, condensed or retargeted.
    """
    for understood in readings(kind, sys.stdin.buffer):
        print(json.dumps(understood), flush=True)


def readings(kind: ReadKind, lines: Iterable[bytes]) -> Iterator[ReadLine]:
    """How every line's completion is understood; blank lines are left out.

    Raises:
        UsageError: a line is no completion.
    """
    decoder = msgspec.json.Decoder(_Line)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            completion = decoder.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise UsageError(
                f'standard input, line {number}: expected {{"text": "..."}}, got {_quote(line)}: {error}'
            ) from error
        yield _READERS[kind](completion.text, completion.finish)


def _quote(line: bytes) -> str:
    text = ascii(line[:60].decode(errors="replace").strip())
    return f"{text}..." if len(line) > 60 else text


def _decision(text: str, finish: Finish) -> ReadLine:
    decision = read_decision(text, finish)
    if isinstance(decision, Unreadable):
        return {"unreadable": missing_answer(decision.finish, "action")}
    return _decided(decision)


def _decided(decision: Act | Claim) -> ReadLine:
    match decision:
        case Act(action=action):
            return {"action": action}
        case Claim(completed=completed):
            return {"claim": completed}
        case _:
            assert_never(decision)


def _candidates(text: str, finish: Finish) -> ReadLine:
    read = read_candidates(text, finish)
    if not read:
        return {"unreadable": missing_answer(finish, "action")}
    ranking = rank(read, len(read))
    candidates = [
        {**_decided(decision), "confidence": round(confidence, 6)} for decision, confidence in ranking.candidates
    ]
    return {"candidates": candidates, "notes": ["confidences were changed"] * ranking.adjusted}


def _plan(text: str, finish: Finish) -> ReadLine:
    plan = read_decomposition(text, finish)
    if isinstance(plan, PlanFailed):
        return {"plan": None, "notes": [plan.reason]}
    notes = ["ambiguous: AND and OR without brackets are read from left to right"] * plan.ambiguous
    notes += [f"all steps are taken: {plan.fallback}"] * bool(plan.fallback)
    return {"plan": _tree(plan.plan), "notes": notes}


def _tree(plan: PlanTree) -> str | ReadLine:
    match plan:
        case PlanStep(text=text):
            return text
        case AllOf(parts=parts):
            return {"all": [_tree(part) for part in parts]}
        case AnyOf(parts=parts):
            return {"any": [_tree(part) for part in parts]}
        case _:
            assert_never(plan)


def _reflection(text: str, finish: Finish) -> ReadLine:
    if finish != "stop":
        return {"reflection": None, "notes": [f"the model {reason(finish, 'reflection')}"]}
    first, *others = read_parts(text).items() or [("", read_part(text, "summary"))]
    notes = [f"also has the {part}: {said}" for part, said in others]
    return {"reflection": first[1] or None, "notes": notes if first[1] else ["nothing is left", *notes]}


def _revision(text: str, finish: Finish) -> ReadLine:
    if finish != "stop":
        return {"revision": None, "unchanged": False, "notes": [f"the model {reason(finish, 'plan')}"]}
    revision = read_revision(text)
    notes = [] if revision.text or revision.unchanged else ["the model wrote no plan"]
    return {"revision": revision.text or None, "unchanged": revision.unchanged, "notes": notes}


def _look_back(text: str, finish: Finish) -> ReadLine:
    return _found("look_back", read_look_back(text), finish, "reflection")


def _mark(text: str, finish: Finish) -> ReadLine:
    return _found("mark", read_mark(text), finish, "mark")


def _choice(text: str, finish: Finish) -> ReadLine:
    return _found("choice", read_choice(text, _MOST), finish, "choice")


def _comparison(text: str, finish: Finish) -> ReadLine:
    return _found("comparison", read_comparison(text, _MOST), finish, "number of the step")


def _evaluation(text: str, finish: Finish) -> ReadLine:
    return _found("evaluation", read_evaluation(text), finish, "evaluation")


def _summary(text: str, finish: Finish) -> ReadLine:
    return _found("summary", read_summary(text), finish, "summary")


def _clusters(text: str, finish: Finish) -> ReadLine:
    return _found("clusters", [each._asdict() for each in read_clusters(text) or ()] or None, finish, "types")


def _index(text: str, finish: Finish) -> ReadLine:
    return _found("index", read_index(text, _MOST), finish, "number of the type")


def _steps(text: str, finish: Finish) -> ReadLine:
    plan = read_plan(text, finish)
    if isinstance(plan, PlanFailed):
        return {"steps": None, "notes": [plan.reason]}
    return {"steps": [step.text for step in plan.steps], "notes": []}


def _alignment(text: str, finish: Finish) -> ReadLine:
    alignment = read_alignment(text if finish == "stop" else "")
    read = _found("aligned", alignment.aligned, finish, "YES or NO")
    return {"description": alignment.description or None, **read}


def _verdict(text: str, finish: Finish) -> ReadLine:
    return _found("completed", read_verdict(text), finish, "YES or NO")


def _condensed(text: str, finish: Finish) -> ReadLine:
    return _found("condensed", read_condensed(text), finish, "short description")


def _retargeted(text: str, finish: Finish) -> ReadLine:
    return _found("retargeted", read_retargeted(text), finish, "action")


def _found(key: str, read: str | float | Sequence[ReadLine] | None, finish: Finish, what: str) -> ReadLine:
    if finish != "stop" or read is None:
        return {key: None, "notes": [f"the model {reason(finish, what)}"]}
    return {key: read, "notes": []}


_MOST = 9_999
"""A completion alone does not say how many options, steps or types there were."""

_READERS: Mapping[ReadKind, Callable[[str, Finish], ReadLine]] = {
    "decision": _decision,
    "candidates": _candidates,
    "plan": _plan,
    "reflection": _reflection,
    "revision": _revision,
    "look_back": _look_back,
    "mark": _mark,
    "choice": _choice,
    "comparison": _comparison,
    "evaluation": _evaluation,
    "summary": _summary,
    "clusters": _clusters,
    "index": _index,
    "steps": _steps,
    "alignment": _alignment,
    "verdict": _verdict,
    "condensed": _condensed,
    "retargeted": _retargeted,
}
