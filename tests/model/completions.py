"""The completions of a run, each with the prompt it answers and what it was read as."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from quintet.events import CallMade
from quintet.journal.reader import JournalReader
from quintet.launch.prepare import prepare_again
from quintet.messages.execution import Act, Claim
from quintet.messages.planning import Decomposed, PlanMade
from quintet.messages.prompts import ChatMessage
from quintet.parsing.candidates import read_candidates
from quintet.parsing.decisions import read_action, read_decision, read_thought
from quintet.parsing.descriptions import read_alignment, read_condensed
from quintet.parsing.judgements import read_verdict
from quintet.parsing.labelled import read_look_back
from quintet.parsing.note_revisions import read_note_revisions, read_review
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.programs import read_program
from quintet.parsing.reflections import read_part
from quintet.parsing.revisions import read_revision
from quintet.parsing.verdicts import read_choice, read_mark
from quintet.parsing.written_notes import read_notes
from quintet.questions.acting import ACTION
from quintet.questions.shape import SHAPES
from quintet.runs.run_folder import RunFolder

Kind: TypeAlias = Literal[
    "execute",
    "decompose",
    "execute.thought",
    "action",
    "execute.formalizer",
    "reflect.summary",
    "reflect.flaw",
    "reflect.revision",
    "revise_plan.update",
    "decide",
    "decide.candidates",
    "value",
    "choose",
    "look_back",
    "make_plan",
    "write_program",
    "extract",
    "align",
    "judge",
    "judge_attempt",
    "write_notes.success",
    "write_notes.failure",
    "write_notes.contrast",
    "write_notes.workflows",
    "review_attempt",
    "revise_notes.review",
    "revise_notes.pair",
    "revise_notes.successes",
    "give_answer",
    "condense",
    "answer_as_user",
]
"""What a prompt asks for, by the file that says so; `action` is asked for by its form alone."""

KINDS: tuple[Kind, ...] = get_args(Kind)

_MOST_OPTIONS = 9


@dataclass(frozen=True)
class Read:
    """A completion."""

    kind: Kind
    outcome: Literal["read", "cut off", "unreadable"]


def completions(run: RunFolder) -> Iterator[Read]:
    """Those in a run's journal."""
    texts = _texts(run)
    reader = JournalReader.open(run.journal)
    try:
        for record in reader.records():
            if isinstance(record.event, CallMade):
                completion = record.event.completion
                kind = _kind(reader.prompt(record.event.path), texts)
                if _is_read(kind, _as_text(completion.text, record.event.sampling.form)):
                    yield Read(kind, "read")
                else:
                    yield Read(kind, "cut off" if completion.finish == "length" else "unreadable")
    finally:
        reader.close()


def _as_text(completion: str, form: str | None) -> str:
    return completion if form is None else SHAPES[form].as_text(completion)


def _texts(run: RunFolder) -> Mapping[str, str]:
    spec = prepare_again(run.record, {}, run.path).spec
    world = spec.world
    texts = {name: world.worded(text) for each in spec.methods for name, text in each.prompts.items()}
    several, number = texts.get("decide.candidates"), getattr(spec.method.config, "candidates", None)
    if several is not None and number is not None:  # a method may have the file and not ask for it
        texts["decide.candidates"] = several.replace("{n}", str(number))
    if (detailed := texts.get("decompose.detailed")) is not None:
        texts["decompose"] = detailed  # Plan-and-Execute's own stands in place of ADaPT's
    return texts


def _kind(messages: tuple[ChatMessage, ...], texts: Mapping[str, str]) -> Kind:
    first, last = messages[0].content, messages[-1].content
    if last in {"Action:", ACTION.shape.prescribed}:
        return "action"
    for message in reversed(messages):  # what asks once more stands behind what it asks for
        for kind in KINDS:
            text = texts.get(kind)
            if text is not None and message.content.endswith(text):
                return kind
    for kind in KINDS:
        text = texts.get(kind)
        if text is not None and first.startswith(text):
            return kind
    raise AssertionError(f"expected a prompt of the method, got {first[:200]!r} ... {last[-200:]!r}")


def _is_read(kind: Kind, text: str) -> bool:
    match kind:
        case "execute" | "decide":
            return isinstance(read_decision(text), Act | Claim)
        case "action" | "execute.formalizer":
            return isinstance(read_action(text), Act | Claim)
        case "execute.thought":
            return bool(read_thought(text))
        case "decompose":
            return isinstance(read_decomposition(text), Decomposed)
        case "revise_plan.update":
            return bool(read_revision(text).text)
        case "reflect.summary":
            return bool(read_part(text, "summary"))
        case "reflect.revision":
            return bool(read_part(text, "revision"))
        case "reflect.flaw":
            return bool(read_part(text, "flaws"))
        case "decide.candidates":
            return bool(read_candidates(text))
        case "value":
            return read_mark(text) is not None
        case "choose":
            return read_choice(text, _MOST_OPTIONS) is not None
        case "look_back":
            return read_look_back(text) is not None
        case "make_plan":
            return isinstance(read_plan(text), PlanMade)
        case "write_program":
            return read_program(text) is not None
        case "extract":
            return SHAPES["extracted"].read(text) is not None
        case "align":
            return read_alignment(text).aligned is not None
        case "judge" | "judge_attempt":
            return read_verdict(text) is not None
        case "write_notes.success" | "write_notes.failure" | "write_notes.contrast" | "write_notes.workflows":
            return read_notes(text) is not None
        case "review_attempt":
            return read_review(text) is not None
        case "revise_notes.review" | "revise_notes.pair" | "revise_notes.successes":
            return read_note_revisions(text) is not None
        case "give_answer":
            return SHAPES["answer"].read(text) is not None
        case "answer_as_user":
            return SHAPES["user_answer"].read(text) is not None
        case "condense":
            return read_condensed(text) is not None


def table(counted: Mapping[tuple[str, Kind], Counter[str]]) -> str:
    """The share read, of every kind of prompt in every setting.

    Args:
        counted: outcomes by setting and kind.
    """
    lines = [f"{'':<40}{'kind':<20}{'calls':>6}{'read':>6}{'cut off':>9}{'unreadable':>12}{'share read':>12}"]
    for (setting, kind), outcomes in counted.items():
        calls = outcomes.total()
        numbers = f"{calls:>6}{outcomes['read']:>6}{outcomes['cut off']:>9}{outcomes['unreadable']:>12}"
        lines.append(f"{setting:<40}{kind:<20}{numbers}{outcomes['read'] / calls:>11.0%}")
    return "\n".join(lines)
