"""An episode's transcript as a tree: requests with their replies, calls with their completions, steps."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias, assert_never

from quintet.errors import UsageError
from quintet.events import (
    AnyEvent,
    BranchEnded,
    BranchStopped,
    CallMade,
    Cancelled,
    CutShort,
    Decided,
    EpisodeEnded,
    EpisodeReported,
    Exchanged,
    NodeGrown,
    Pictured,
    Published,
    Recalled,
    Record,
    Refused,
    Requeued,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.journal.blocks import read_blocks
from quintet.journal.reader import JournalReader
from quintet.messages.continuations import COPIED
from quintet.messages.execution import Act
from quintet.messages.message import request_name
from quintet.messages.paths import LEARNER, Path, attempt_of, order_of
from quintet.messages.reflection import Reflect
from quintet.parsing.decisions import read_decision
from quintet.plugins.catalogue import one_of
from quintet.ports.tokens import ID_BYTES
from quintet.questions import headline
from quintet.reports.text_tables import plural
from quintet.reports.tracebacks import innermost_first

LineStyle: TypeAlias = Literal["heading", "thought", "action", "observation", "note", "added", "removed"]


@dataclass(frozen=True)
class TranscriptLine:
    """One line of a transcript."""

    depth: int
    style: LineStyle
    text: str


class ShownPicture(NamedTuple):
    """A picture that was taken where a block's event happened."""

    number: int
    """From 1, in the order of the conversation."""
    size: int
    """In bytes."""


@dataclass(frozen=True)
class TranscriptBlock:
    """Lines of a transcript that belong together."""

    record: Record
    """What they show."""
    style: LineStyle
    text: str
    call: int = 0
    """The number of the model call, from 1; 0: it is none."""
    request: str = ""
    """Of an answered request: `solve by INNER`."""
    outcome: str = ""
    """Of an answered request; its text ends with it."""
    picture: ShownPicture | None = None

    @property
    def depth(self) -> int:
        """How many requests it lies in; 0 for an episode's own."""
        return 0 if isinstance(self.record.event, EpisodeEnded) else self.record.event.path.count("/") - 2

    def lines(self) -> Iterator[TranscriptLine]:
        """Its text, line by line."""
        for line in self.text.strip("\n").split("\n"):
            yield TranscriptLine(self.depth, self.style, line)
        if self.picture is not None:
            yield TranscriptLine(self.depth, "note", f"picture {self.picture.number}: {self.picture.size:,} bytes")


_COPIED_FROM_HERE: Final = "--- copied from the recorded episode:"
_LIVE_FROM_HERE: Final = "--- live from here:"
_NO_PICTURES: Final[Mapping[Path, int]] = MappingProxyType({})


def find_episode(reader: JournalReader, wanted: str) -> Path:
    """Find an episode by its path, or by a task's name with or without an epoch; then it is the last attempt.

    In a run that learns, a task's name alone means its episode with the newest version, and `~learn` the learner.

    Raises:
        UsageError: no such episode has begun.
    """
    name = wanted.strip("/")
    task, *_ = name.split("/")
    attempts = reader.attempts_at(task)
    known = {f"{task}/{epoch}/{number}": (epoch, number) for epoch, numbers in attempts.items() for number in numbers}
    known |= {f"{task}/{epoch}": (epoch, numbers[-1]) for epoch, numbers in attempts.items()}
    shown = max(attempts, default=0) if reader.attempts_at(attempt_of(LEARNER).task) else 0
    if shown in attempts:
        known[task] = (shown, attempts[shown][-1])
    if name not in known:
        begun = sorted((row.path for row in reader.episodes()), key=order_of)
        names = begun if "/" in name else [path.split("/")[0] for path in begun]
        expected = one_of(list(dict.fromkeys(names))[:20], wanted) if begun else "an episode that was begun"
        raise UsageError(f"episode: expected {expected}, got {wanted!r} ({reader.file})")
    epoch, number = known[name]
    return Path(f"{task}/{epoch}/{number}")


def transcript(records: Sequence[Record], pictures: Mapping[Path, int] = _NO_PICTURES) -> list[TranscriptLine]:
    """An episode's records in the order of the conversation. Model calls and pictures are numbered from 1.

    A line says where copied ones begin, and where live ones do after them. A request that was copied in part ended
    live; what happened in it says which part is which.
    """
    lines: list[TranscriptLine] = []
    copied = False
    for block in transcript_blocks(records, pictures):
        is_copied = block.record.incarnation == COPIED
        if is_copied != copied and isinstance(block.record.event, CallMade | StepTaken | SessionOpened | SessionForked):
            copied = is_copied
            lines.append(TranscriptLine(block.depth, "heading", _COPIED_FROM_HERE if copied else _LIVE_FROM_HERE))
        lines += block.lines()
    return lines


def transcript_blocks(records: Sequence[Record], pictures: Mapping[Path, int] = _NO_PICTURES) -> list[TranscriptBlock]:
    """The same, with the record that each part shows. The episode's end is last."""
    blocks = list(_blocks(records))
    taken = [place for place, block in enumerate(blocks) if _shows(block) and block.record.event.path in pictures]
    for number, place in enumerate(taken, start=1):
        block = blocks[place]
        blocks[place] = replace(block, picture=ShownPicture(number, pictures[block.record.event.path]))
    return blocks


def _shows(block: TranscriptBlock) -> bool:
    """Whether it says what the world showed: of a step that has two blocks, the second one does."""
    return block.style != "action" and isinstance(block.record.event, StepTaken | SessionOpened | SessionForked)


def _blocks(records: Sequence[Record]) -> Iterator[TranscriptBlock]:
    asked = {record.event.request for record in records if isinstance(record.event, Exchanged)}
    calls, chosen = 0, ""
    opened: set[str] = set()
    for record in (block.record for block in read_blocks(records) if block.record is not None):
        event = record.event
        match event:
            case CallMade() if event.sampling.embeds:
                calls += 1
                text = f"[{calls}] texts embedded: {len(event.completion.text.splitlines())}"
                yield TranscriptBlock(record, "note", text, calls)
            case CallMade():
                calls, chosen = calls + 1, chosen_action(event.completion.text)
                text = f"[{calls}] {_purpose(event, asked)}{event.completion.text}{_cut(event)}"
                yield TranscriptBlock(record, "thought", text, calls)
            case StepTaken():
                # The completion above shows the action already.
                if event.action != chosen:
                    yield TranscriptBlock(record, "action", f"> {event.action}")
                chosen = ""
                yield TranscriptBlock(record, "observation", event.observation + _annotations(event))
            case SessionOpened(observation=observation) if observation not in opened:
                opened.add(observation)
                yield TranscriptBlock(record, "observation", observation)
            case Exchanged():
                yield from _exchange(record, event)
            case Published():
                yield from _publication(record, event)
            case EpisodeEnded():
                yield from _end(record, event)
            case _:
                if (note := event_note(event)) is not None:
                    yield TranscriptBlock(record, "note", note)


def chosen_action(completion: str) -> str:
    """The action that a completion of the executor chose; empty: it is read as none."""
    decision = read_decision(completion)
    return decision.action if isinstance(decision, Act) else ""


def event_note(event: AnyEvent) -> str | None:
    """A line on an event that has no words of its own; None: nothing is said of it."""
    match event:
        case SessionOpened(session=session):
            return f"session {session}: opens as one before did"
        case SessionForked(session=session, origin=origin):
            return f"session {session}: a copy of {origin}"
        case Recalled():
            return _recall(event)
        case TrialEnded():
            plan = f", a {'revised ' * event.revised}plan of {plural(event.steps, 'step')}" if event.steps else ""
            return f"trial {event.number} ended: {plural(event.actions, 'action')}, reward {event.reward:g}{plan}"
        case Decided(question=question, answer=answer):
            return f"decided: {question}: {answer}"
        case BranchEnded(place=place):
            return f"branch {_number(event.path)} ended, number {place} of its group"
        case BranchStopped():
            return f"branch {_number(event.path)} was stopped"
        case Refused(reason=reason):
            return f"the model refused: {reason}"
        case EpisodeReported(attempt=attempt):
            # Nearly always, the first attempt is the one that a learner is given.
            return f"reported to the learner: {attempt}" if attempt_of(attempt).number else None
        case CutShort(reason=reason, offer=offer):
            return f"cut short: {reason}" + ("" if offer is None else f"; offered: {offer.state}, {offer.reward:g}")
        case Cancelled(reason=reason):
            return reason
        case Requeued(repeats=repeats):
            return f"requeued by operator, in place of {repeats}"
        case NodeGrown() | Pictured():
            return None  # `--tree` shows the nodes, and a block of the same path the picture
        case CallMade() | StepTaken() | Exchanged() | Published() | EpisodeEnded():
            return None  # these have words of their own
        case _:
            assert_never(event)


def _recall(event: Recalled) -> str:
    if event.failed:
        return f"nothing recalled: {event.failed}"
    types = (("goal", event.goal_type), ("observation", event.observation_type))
    found = "".join(f", {of} type {number}" for of, number in types if number is not None)
    if not event.batch:
        left_out = f", {event.left_out:,} left out" if event.left_out else ""
        section = f" of section {event.section}" if event.section else ""
        return f"recalled {plural(len(event.ids), 'note')}{section} of version {event.version}{left_out}"
    return f"recalled {plural(len(event.ids), 'tuple')} of version {event.version}, batch {event.batch}{found}"


def _number(path: Path) -> str:
    return path.rpartition("/")[2]


def _purpose(event: CallMade, asked: Collection[str]) -> str:
    """What a call is for, where no line of an answered request says it."""
    phase = event.phase.rpartition("/")[2]
    return f"({phase}) " if phase and phase not in asked else ""


def _cut(event: CallMade) -> str:
    match event.ending:
        case "read" | "free":
            return ""
        case "unread":
            return " (not read)"
        case finish:
            return f" ({finish})"


def _annotations(event: StepTaken) -> str:
    annotations = ["rejected"] * event.rejected + ["lasting"] * event.lasting + ["done"] * event.done
    annotations += [f"reward {event.reward:g}"] * (event.reward > 0) + _figures(event.figures)
    return f"  ({', '.join(annotations)})" if annotations else ""


def _figures(figures: Mapping[str, float]) -> list[str]:
    return [f"{name} {value:.3g}" for name, value in figures.items()]


def _publication(record: Record, event: Published) -> Iterator[TranscriptBlock]:
    empty = "" if event.content else ", empty"
    yield TranscriptBlock(record, "heading", f"published: version {event.version}{empty}")
    # The completions above show the text of every other version.
    if event.content and not event.version:
        yield TranscriptBlock(record, "observation", event.content)


def _exchange(record: Record, event: Exchanged) -> Iterator[TranscriptBlock]:
    subject = f": {event.subject}" if event.subject else ""
    try:
        reply: Mapping[str, Any] = json.loads(event.reply)
        by = f" by {reply['by']}" if "by" in reply else ""
        outcome = _reply(event.request, reply)
        request = f"{event.request}{by}"
        text = f"{request}{subject} -> {outcome}"
        yield TranscriptBlock(record, "heading", text, request=request, outcome=outcome)
        yield from _made_out(record, reply)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        # An answer that this version does not know.
        text = f"{event.request}{subject} -> {event.reply}"
        yield TranscriptBlock(record, "heading", text, request=event.request, outcome=event.reply)


def _made_out(record: Record, reply: Mapping[str, Any]) -> Iterator[TranscriptBlock]:
    # The completion below shows the plan. Where its reading was not obvious, say here how it was read.
    if reply.get("type") == "decomposed" and (reply["ambiguous"] or reply["fallback"]):
        steps = [f"Step {step['number']}: {step['text']}" for step in _steps(reply["plan"])]
        yield TranscriptBlock(record, "note", "\n".join([*steps, f"Execution Order: {_order(reply['plan'])}"]))


def _reply(request: str, reply: Mapping[str, Any]) -> str:
    match reply.get("type"):
        case "solved":
            limit = f": {reply['reason']}" if reply.get("reason") else ""
            return f"solved{limit}, reward {reply['reward']:g}, depth {reply['depth']}"
        case "unsolved":
            return f"unsolved: {reply['reason']}, reward {reply['reward']:g}, depth {reply['depth']}"
        case "executed":
            outcome = "completed" if reply["completed"] else "not completed"
            return f"{outcome} ({reply['stop']}) after {reply['calls']} calls, reward {reply['reward']:g}"
        case "reflected":
            return ", ".join(part for part in ("summary", "flaws", "revision") if reply.get(part))
        case "unanswered" if request == request_name(Reflect):
            return f"no reflection: {reply['reason']}"
        case "learned":
            return f"version {reply['version']}"
        case "formed":
            return f"{plural(reply['tuples'], 'tuple')}, {plural(reply['goal_types'], 'goal type')}"
        case "remembered":
            return plural(reply["tuples"], "tuple")
        case _:
            return headline(request, reply)


def _steps(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if tree["type"] == "step":
        yield tree
    else:
        for part in tree["parts"]:
            yield from _steps(part)


def _order(tree: Mapping[str, Any]) -> str:
    if tree["type"] == "step":
        return f"Step {tree['number']}"
    operator = f" {tree['type'].upper()} "
    return f"({operator.join(_order(part) for part in tree['parts'])})"


def _end(record: Record, event: EpisodeEnded) -> Iterator[TranscriptBlock]:
    claim = {None: "no claim", True: "claims success", False: "claims failure"}[event.claimed]
    reason = f": {event.reason}" if event.reason else ""
    earned = ", ".join([f"reward {event.reward:g}", *_figures(event.figures)])
    outcome = f"{event.state}{reason}, {earned}, {claim}, depth {event.depth}"
    yield TranscriptBlock(record, "heading", outcome, outcome=outcome)
    if event.fault is not None:
        yield TranscriptBlock(record, "note", f"{event.fault.kind}: {event.fault.text}")
        if event.fault.detail:
            yield TranscriptBlock(record, "note", innermost_first(event.fault.detail))


def call_text(reader: JournalReader, records: Sequence[Record], number: int) -> list[TranscriptLine]:
    """The exact prompt of a call, message by message, and its completion; a `UsageError` if there is no such call."""
    calls = [record.event for record in records if isinstance(record.event, CallMade)]
    calls.sort(key=lambda call: order_of(call.path))
    if not 1 <= number <= len(calls):
        raise UsageError(f"--call: expected 1 to {len(calls)}, the calls of this episode, got {number} ({reader.file})")
    call = calls[number - 1]
    usage, sampling = call.completion.usage, call.sampling
    lines = [TranscriptLine(0, "heading", f"call {number} of {len(calls)}, {call.path}, {call.model}")]
    parameters = f"temperature {sampling.temperature:g}, top_p {sampling.top_p:g}, max_tokens {sampling.max_tokens}"
    lines.append(TranscriptLine(0, "note", f"{parameters}, stop {list(sampling.stop)}, seed {sampling.seed}"))
    for message in reader.prompt(call.path):
        lines.append(TranscriptLine(0, "heading", f"--- {message.role}"))
        lines += _verbatim(message.content)
    if call.completion.reasoning:
        lines.append(TranscriptLine(0, "heading", "--- reasoning"))
        lines += _verbatim(call.completion.reasoning)
    tokens = f"{usage.prompt_tokens} prompt tokens, {usage.completion_tokens} completion tokens"
    if (ids := call.completion.tokens) is not None:
        read, drawn = len(ids.prompt) // ID_BYTES, len(ids.completion) // ID_BYTES
        said = f"token ids: {read:,} of the prompt; {drawn:,} of the completion, with log-probabilities"
        lines.append(TranscriptLine(0, "note", said))
    lines.append(TranscriptLine(0, "heading", f"--- completion ({call.completion.finish}; {tokens})"))
    return lines + _verbatim(call.completion.text)


def _verbatim(text: str) -> list[TranscriptLine]:
    return [TranscriptLine(0, "observation", line) for line in text.split("\n")]
