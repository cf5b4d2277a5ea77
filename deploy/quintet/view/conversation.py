"""An episode as its page shows it: the conversation, the requests in it, and the prompts of its calls."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.events import (
    CallMade,
    CutShort,
    EpisodeEnded,
    EpisodeState,
    Exchanged,
    NodeGrown,
    Recalled,
    Refused,
    StepTaken,
)
from quintet.forks.places import START, place_names
from quintet.messages.paths import LEARNER, attempt_of, is_within
from quintet.messages.paths import Path as EpisodePath
from quintet.ports.model import Finish
from quintet.reports.rows import by_phase
from quintet.reports.transcript import LineStyle, TranscriptBlock, find_episode, transcript_blocks
from quintet.runs.run_folder import RunFolder
from quintet.view.folder import FileTimes, Offset, ViewedFolder, file_times, read_viewed
from quintet.view.origin import BlockOrigin, EpisodeOrigin, ShownOrigin
from quintet.view.runs import shown_phases

_MOST = 2_000
_KEPT = 8
"""Episodes."""

Tone: TypeAlias = Literal["", "good", "poor"]
"""Of an answer to a request: it was achieved, it was not, or its words do not say."""
TurnMark: TypeAlias = Literal["rejected", "cut off", "failed"]
"""Why a person looks for a turn: the world rejected the action, a completion ended at its limit, or there was a fault,
no answer, or a task that was not achieved."""


class EpisodeRequest(Struct, forbid_unknown_fields=True):
    """Asks for an episode by its path, or by a task's name."""

    run: str
    episode: str


class PictureRequest(EpisodeRequest):
    """Asks for the picture at a path of an episode."""

    at: str


class BlocksRequest(EpisodeRequest):
    """Asks for some blocks of an episode's conversation."""

    first: Offset = 0
    most: Offset = 300


class ShownRequest(Struct, frozen=True):
    """An answered request of an episode: a node of the tree of its subtasks."""

    block: int
    """The place of its block in the conversation."""
    path: str
    request: str
    """With the inner method that was asked: `solve by INNER`."""
    subject: str
    outcome: str
    tone: Tone


class MarkedBlock(Struct, frozen=True):
    """A block that a person looks for."""

    block: int
    """Its place in the conversation."""
    mark: TurnMark


class EpisodeView(Struct, frozen=True, kw_only=True):
    """An episode without its conversation."""

    path: str
    attempts: tuple[str, ...]
    """The paths of all attempts at its task in its epoch."""
    others: tuple[str, ...]
    """The paths of all other attempts at its task, in any epoch."""
    blocks: int
    state: EpisodeState | None
    """None: it has not ended."""
    reward: float
    outcome: str
    """How it ended, in words; empty: it has not."""
    requests: tuple[ShownRequest, ...]
    marks: tuple[MarkedBlock, ...]
    """In the order of the conversation."""
    phases: tuple[Mapping[str, Any], ...]
    """What it spent."""
    searches: bool
    """Whether it has a search tree."""
    origin: ShownOrigin | None
    """What it goes on from; None: it began by itself."""


class ShownBlock(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A block of a conversation; what it does not have is left out."""

    path: str
    kind: str
    """Of its event."""
    style: LineStyle
    text: str
    depth: int = 0
    seconds: float = 0.0
    call: int = 0
    """Of a model call, its number, from 1."""
    phase: str = ""
    model: str = ""
    prompt: str = ""
    """The address of its prompt's last message."""
    reasoning: str = ""
    finish: Finish = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    temperature: float = 0.0
    reward: float = 0.0
    """Of a step."""
    flags: tuple[str, ...] = ()
    """Of a step: rejected, lasting, done."""
    figures: Mapping[str, float] = {}
    """Of a step: further ones by name."""
    picture: int = 0
    """Of a step, or where a session began: the size of its picture in bytes; 0: it has none."""
    request: str = ""
    subject: str = ""
    outcome: str = ""
    tone: Tone = ""
    tuples: tuple[str, ...] = ()
    """Of a recall: the ids, in decimal, since they are too large for a browser's numbers."""
    version: int = -1
    """Of the memory or the notebook that was recalled from; -1: it is no recall."""
    at: str = ""
    """Where a fork goes on from here: `step:3`, or a path below the episode; empty: none can."""
    origin: BlockOrigin = ""


class BlocksView(Struct, frozen=True):
    """Some blocks of a conversation."""

    blocks: tuple[ShownBlock, ...]
    total: int


class ShownMessage(Struct, frozen=True):
    """A message of a prompt, and the address of the one before it."""

    address: str
    parent: str | None
    role: str
    content: str


def view_episode(viewed: ViewedFolder, request: EpisodeRequest) -> EpisodeView:
    """An episode without its conversation."""
    folder = viewed.open_part(request.run, request.episode)
    with read_viewed(folder) as reader:
        episode = find_episode(reader, request.episode)
        attempt = attempt_of(episode)
        attempts = {
            epoch: tuple(f"{attempt.task}/{epoch}/{number}" for number in numbers)
            for epoch, numbers in reader.attempts_at(attempt.task).items()
        }
        spent = by_phase(reader.used_by(episode), folder.prices)
        searches = any(isinstance(event, NodeGrown) for event in reader.events(episode, "_nodes"))
        end = reader.end(episode)
    read = _read_blocks(folder.path, episode, file_times(folder.path))
    blocks, origin = read.blocks, EpisodeOrigin.find(folder, episode)
    begins = read.origins.index("begins") if "begins" in read.origins else None
    return EpisodeView(
        path=episode,
        attempts=attempts[attempt.epoch],
        others=tuple(path for paths in attempts.values() for path in paths if path != episode),
        blocks=len(blocks),
        state=None if end is None else end.state,
        reward=0.0 if end is None else end.reward,
        outcome=next((block.outcome for block in blocks if isinstance(block.record.event, EpisodeEnded)), ""),
        requests=tuple(
            ShownRequest(
                block=place,
                path=block.record.event.path,
                request=block.request,
                subject=block.record.event.subject,
                outcome=block.outcome,
                tone=_tone(block.outcome),
            )
            for place, block in enumerate(blocks)
            if isinstance(block.record.event, Exchanged) and block.outcome
        ),
        marks=tuple(MarkedBlock(place, mark) for place, block in enumerate(blocks) if (mark := _mark(block))),
        phases=shown_phases(spent),
        searches=searches,
        origin=None if origin is None else origin.shown(viewed, read.names, begins),
    )


def view_blocks(viewed: ViewedFolder, request: BlocksRequest) -> BlocksView:
    """Some blocks of an episode's conversation."""
    folder = viewed.open_part(request.run, request.episode)
    with read_viewed(folder) as reader:
        episode = find_episode(reader, request.episode)
    read = _read_blocks(folder.path, episode, file_times(folder.path))
    some = slice(request.first, request.first + min(request.most, _MOST))
    shown = (
        replace(_shown(block), at=_fork_place(block, episode, read.names), origin=origin)
        for block, origin in zip(read.blocks[some], read.origins[some], strict=True)
    )
    return BlocksView(tuple(shown), len(read.blocks))


def view_prompts(viewed: ViewedFolder, request: EpisodeRequest) -> tuple[ShownMessage, ...]:
    """The messages of all prompts of an episode, each once and after the one before it."""
    with read_viewed(viewed.open_part(request.run, request.episode)) as reader:
        episode = find_episode(reader, request.episode)
        return tuple(
            ShownMessage(node.address, node.parent, message.role, message.content)
            for node in reader.prompt_nodes(episode)
            for message in node.appended
        )


def view_picture(viewed: ViewedFolder, request: PictureRequest) -> bytes:
    """A picture, as JPEG; a `UsageError` if there is none."""
    at = EpisodePath(request.at)
    with read_viewed(viewed.open_part(request.run, request.episode)) as reader:
        episode = find_episode(reader, request.episode)
        if not is_within(at, episode):
            raise UsageError(f"picture: expected a path within {episode}, got {at!r}")
        return reader.picture(at)


class _ReadBlocks(NamedTuple):
    blocks: Sequence[TranscriptBlock]
    origins: Sequence[BlockOrigin]
    """Of each block."""
    names: Mapping[str, str]
    """Of places, by their paths below the episode; see `place_names`."""


@lru_cache(maxsize=_KEPT)
def _read_blocks(run: Path, episode: EpisodePath, _times: FileTimes) -> _ReadBlocks:
    folder = RunFolder.open_to_read(run)
    with read_viewed(folder) as reader:
        blocks = transcript_blocks(reader.records(episode, nodes=False), reader.pictures(episode))
        names = place_names(reader, episode)
    origin = EpisodeOrigin.find(folder, episode)
    by_itself: list[BlockOrigin] = [""] * len(blocks)
    return _ReadBlocks(blocks, by_itself if origin is None else origin.blocks(blocks), names)


def _fork_place(block: TranscriptBlock, episode: EpisodePath, names: Mapping[str, str]) -> str:
    event = block.record.event
    if episode == LEARNER or isinstance(event, EpisodeEnded):
        return ""
    below = event.path.removeprefix(episode).removeprefix("/")
    return names.get(below, below) or START


def _tone(outcome: str) -> Tone:
    if outcome.startswith(("solved", "completed")):
        return "good"
    return "poor" if outcome.startswith(("unsolved", "not completed", "no ")) else ""


def _mark(block: TranscriptBlock) -> TurnMark | None:
    match block.record.event:
        case CallMade(completion=completion) if completion.finish != "stop":
            return "cut off" if completion.finish == "length" else "failed"
        case CallMade(legibility="unread"):
            return "failed"
        case StepTaken(rejected=True) if block.style != "action":
            return "rejected"
        case Exchanged() if _tone(block.outcome) == "poor":
            return "failed"
        case CutShort() | Refused():
            return "failed"
        case EpisodeEnded(fault=fault) if fault is not None and block.outcome:
            return "failed"
        case _:
            return None


def _shown(block: TranscriptBlock) -> ShownBlock:
    record, event = block.record, block.record.event
    shown = ShownBlock(
        path=event.path,
        kind=event.kind,
        style=block.style,
        text=block.text,
        depth=block.depth,
        seconds=record.seconds,
        call=block.call,
        outcome=block.outcome,
        picture=0 if block.picture is None else block.picture.size,
    )
    match event:
        case CallMade():
            return replace(
                shown,
                text=block.text if event.sampling.embeds else event.completion.text,
                phase=event.phase,
                model=event.model,
                prompt=event.prompt,
                reasoning=event.completion.reasoning,
                finish=event.completion.finish,
                prompt_tokens=event.completion.usage.prompt_tokens,
                completion_tokens=event.completion.usage.completion_tokens,
                temperature=event.sampling.temperature,
            )
        case StepTaken():
            named = {"rejected": event.rejected, "lasting": event.lasting, "done": event.done}
            return replace(
                shown,
                text=event.action if block.style == "action" else event.observation,
                reward=event.reward,
                figures=event.figures,
                flags=tuple(name for name, is_so in named.items() if is_so),
            )
        case Exchanged() if block.outcome:
            return replace(shown, request=block.request, subject=event.subject, tone=_tone(block.outcome))
        case Recalled():
            return replace(shown, tuples=tuple(map(str, event.ids)), version=event.version)
        case _:
            return shown
