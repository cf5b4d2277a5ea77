"""An episode's transcript as a tree: requests with their replies, calls with their completions, steps."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, assert_never

from quintet.errors import UsageError
from quintet.events import (
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
from quintet.journal.reader import JournalReader
from quintet.messages.execution import Act
from quintet.messages.paths import LEARNER, Path, attempt_of, order_of
from quintet.parsing.decisions import read_decision
from quintet.plugins.catalogue import one_of
from quintet.reports.text_tables import plural

LineStyle: TypeAlias = Literal["heading", "thought", "action", "observation", "note", "added", "removed"]


@dataclass(frozen=True)
class TranscriptLine:
    """One line of a transcript."""

    depth: int
    style: LineStyle
    text: str


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


def transcript(records: Sequence[Record]) -> list[TranscriptLine]:
    """An episode's records in the order of the conversation. Model calls are numbered from 1."""
    lines: list[TranscriptLine] = []
    ends: list[TranscriptLine] = []
    calls, chosen = 0, ""
    asked = {record.event.request for record in records if isinstance(record.event, Exchanged)}
    opened: set[str] = set()
    for record in sorted(records, key=lambda record: order_of(record.event.path)):
        event = record.event
        depth = event.path.count("/") - 2
        match event:
            case CallMade() if event.sampling.embeds:
                calls += 1
                lines += _block(depth, "note", f"[{calls}] texts embedded: {len(event.completion.text.splitlines())}")
            case CallMade():
                calls, chosen = calls + 1, _action(event.completion.text)
                lines += _block(
                    depth, "thought", f"[{calls}] {_purpose(event, asked)}{event.completion.text}{_cut(event)}"
                )
            case StepTaken():
                # The completion above shows the action already.
                lines += [] if event.action == chosen else _block(depth, "action", f"> {event.action}")
                chosen = ""
                lines += _block(depth, "observation", event.observation + _annotations(event))
            case SessionOpened(session=session, observation=observation) if observation in opened:
                lines += _block(depth, "note", f"session {session}: opens as one before did")
            case SessionOpened():
                opened.add(event.observation)
                lines += _block(depth, "observation", event.observation)
            case SessionForked(session=session, origin=origin):
                lines += _block(depth, "note", f"session {session}: a copy of {origin}")
            case Recalled():
                lines += _block(depth, "note", _recall(event))
            case NodeGrown():
                pass  # `--tree` shows the nodes
            case TrialEnded():
                lines += _block(depth, "note", _trial(event))
            case Exchanged():
                lines += _exchange(depth, event)
            case EpisodeReported(attempt=attempt) if attempt_of(attempt).number == 0:
                pass  # nearly always, the first attempt is the one that a learner is given
            case (
                Decided()
                | BranchEnded()
                | BranchStopped()
                | Refused()
                | EpisodeReported()
                | CutShort()
                | Cancelled()
                | Requeued()
            ):
                lines += _block(depth, "note", _note(event))
            case Published():
                lines += _publication(depth, event)
            case EpisodeEnded():
                ends += _end(event)
            case _:
                assert_never(event)
    return lines + ends


def _action(completion: str) -> str:
    decision = read_decision(completion)
    return decision.action if isinstance(decision, Act) else ""


def _block(depth: int, style: LineStyle, text: str) -> Iterator[TranscriptLine]:
    for line in text.strip("\n").split("\n"):
        yield TranscriptLine(depth, style, line)


def _note(
    event: Decided | BranchEnded | BranchStopped | Refused | EpisodeReported | CutShort | Cancelled | Requeued,
) -> str:
    match event:
        case Decided(question=question, answer=answer):
            return f"decided: {question}: {answer}"
        case BranchEnded(place=place):
            return f"branch {_number(event.path)} ended, number {place} of its group"
        case BranchStopped():
            return f"branch {_number(event.path)} was stopped"
        case Refused(reason=reason):
            return f"the model refused: {reason}"
        case EpisodeReported(attempt=attempt):
            return f"reported to the learner: {attempt}"
        case CutShort(reason=reason, offer=offer):
            return f"cut short: {reason}" + ("" if offer is None else f"; offered: {offer.state}, {offer.reward:g}")
        case Cancelled(reason=reason):
            return reason
        case Requeued(repeats=repeats):
            return f"requeued by operator, in place of {repeats}"
        case _:
            assert_never(event)


def _recall(event: Recalled) -> str:
    if event.failed:
        return f"nothing recalled: {event.failed}"
    types = (("goal", event.goal_type), ("observation", event.observation_type))
    found = "".join(f", {of} type {number}" for of, number in types if number is not None)
    return f"recalled {plural(len(event.ids), 'tuple')} of version {event.version}, batch {event.batch}{found}"


def _trial(event: TrialEnded) -> str:
    plan = f", a {'revised ' * event.revised}plan of {plural(event.steps, 'step')}" if event.steps else ""
    return f"trial {event.number} ended: {plural(event.actions, 'action')}, reward {event.reward:g}{plan}"


def _number(path: Path) -> str:
    return path.rpartition("/")[2]


def _purpose(event: CallMade, asked: Collection[str]) -> str:
    """What a call is for, where no line of an answered request says it."""
    phase = event.phase.rpartition("/")[2]
    return f"({phase}) " if phase and phase not in asked else ""


def _cut(event: CallMade) -> str:
    return "" if event.completion.finish == "stop" else f" ({event.completion.finish})"


def _annotations(event: StepTaken) -> str:
    annotations = ["rejected"] * event.rejected + ["lasting"] * event.lasting + ["done"] * event.done
    annotations += [f"reward {event.reward:g}"] * (event.reward > 0)
    return f"  ({', '.join(annotations)})" if annotations else ""


def _publication(depth: int, event: Published) -> Iterator[TranscriptLine]:
    yield TranscriptLine(depth, "heading", f"published: version {event.version}" + ("" if event.content else ", empty"))
    # The completions above show the text of every other version.
    yield from _block(depth, "observation", event.content) if event.content and not event.version else ()


def _exchange(depth: int, event: Exchanged) -> Iterator[TranscriptLine]:
    try:
        reply: Mapping[str, Any] = json.loads(event.reply)
        by = f" by {reply['by']}" if "by" in reply else ""
        yield TranscriptLine(depth, "heading", f"{event.request}{by}: {event.subject} -> {_reply(reply)}")
        yield from _made_out(depth, reply)
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
    ):  # an answer that this version does not know
        yield TranscriptLine(depth, "heading", f"{event.request}: {event.subject} -> {event.reply}")


def _made_out(depth: int, reply: Mapping[str, Any]) -> Iterator[TranscriptLine]:
    # The completion below shows the plan. Where its reading was not obvious, say here how it was read.
    if reply.get("type") == "decomposed" and (reply["ambiguous"] or reply["fallback"]):
        for step in _steps(reply["plan"]):
            yield TranscriptLine(depth, "note", f"Step {step['number']}: {step['text']}")
        yield TranscriptLine(depth, "note", f"Execution Order: {_order(reply['plan'])}")


def _reply(reply: Mapping[str, Any]) -> str:
    match reply.get("type"):
        case "solved":
            limit = f": {reply['reason']}" if reply.get("reason") else ""
            return f"solved{limit}, reward {reply['reward']:g}, depth {reply['depth']}"
        case "unsolved":
            return f"unsolved: {reply['reason']}, reward {reply['reward']:g}, depth {reply['depth']}"
        case "executed":
            outcome = "completed" if reply["completed"] else "not completed"
            return f"{outcome} ({reply['stop']}) after {reply['calls']} calls, reward {reply['reward']:g}"
        case "decomposed":
            annotations = ["ambiguous"] * bool(reply["ambiguous"]) + [f"fallback: {reply['fallback']}"] * bool(
                reply["fallback"]
            )
            return "plan" + (f" ({', '.join(annotations)})" if annotations else "")
        case "plan_made":  # the completion below shows the steps
            return f"a plan of {plural(len(reply['steps']), 'step')}"
        case "plan_failed":
            return f"no plan: {reply['reason']}"
        case "plan_revised":
            lines = len(reply["text"].splitlines())
            return f"a plan of {lines} line" + ("" if lines == 1 else "s")
        case "reflected":
            said = [part for part in ("summary", "flaws", "revision") if reply.get(part)]
            return ", ".join(said)
        case "looked_back":  # the completion below shows the reflection
            return "reflection"
        case "reflection_failed" | "look_back_failed":
            return f"no reflection: {reply['reason']}"
        case "learned":
            return f"version {reply['version']}"
        case "compared":
            return f"step {reply['step']}"
        case "comparison_failed":
            return f"no step: {reply['reason']}"
        case "formed":
            return f"{plural(reply['tuples'], 'tuple')}, {plural(reply['goal_types'], 'goal type')}"
        case "remembered":
            return plural(reply["tuples"], "tuple")
        case _:
            return json.dumps(reply)


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


def _end(event: EpisodeEnded) -> Iterator[TranscriptLine]:
    claim = {None: "no claim", True: "claims success", False: "claims failure"}[event.claimed]
    reason = f": {event.reason}" if event.reason else ""
    yield TranscriptLine(0, "heading", f"{event.state}{reason}, reward {event.reward:g}, {claim}, depth {event.depth}")
    if event.fault is not None:
        yield TranscriptLine(0, "note", f"{event.fault.kind}: {event.fault.text}")
        yield from _block(0, "note", event.fault.detail) if event.fault.detail else ()


def call_text(reader: JournalReader, records: Sequence[Record], number: int) -> list[TranscriptLine]:
    """The exact prompt of a call, message by message, and its completion.

    Raises:
        UsageError: the episode has no such call.
    """
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
    lines.append(TranscriptLine(0, "heading", f"--- completion ({call.completion.finish}; {tokens})"))
    return lines + _verbatim(call.completion.text)


def _verbatim(text: str) -> list[TranscriptLine]:
    return [TranscriptLine(0, "observation", line) for line in text.split("\n")]
