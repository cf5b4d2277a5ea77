"""An episode as a sample of inspect_ai."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from inspect_ai.log import EvalError, EvalRetryError, EvalSample, EvalSampleLimit
from inspect_ai.model import ChatMessage, ModelUsage
from inspect_ai.scorer import Score

from quintet.config.runtime_sections import LimitsSection
from quintet.config.tasks import TaskEntry
from quintet.errors import FaultNote
from quintet.events import CutShort, EpisodeEnded, Exchanged, Record, SessionOpened, StepTaken
from quintet.export.inspect.events import EpisodeEvents, as_message, iso, model_usage
from quintet.journal.episode_rows import EpisodeRow, UseRow
from quintet.messages.paths import Path
from quintet.messages.prompts import assistant, user
from quintet.quota.prices import NANODOLLARS, Price, price_of


class SampleSource(NamedTuple):
    """What a journal and a run's record have of an episode."""

    run: str
    """What no other run is called."""

    row: EpisodeRow
    """Of its newest attempt."""
    records: Sequence[Record]
    uses: Sequence[UseRow]
    earlier: Sequence[FaultNote]
    """The faults of the attempts before it."""
    task: TaskEntry | None
    """None for requests outside any episode, and for the learner."""
    counts: bool
    """Whether reports count it."""


def sample_of(source: SampleSource, *, world: str, prices: Mapping[str, Price], limits: LimitsSection) -> EvalSample:
    """The sample of an episode, also of one that has not ended: it has no score.

    Epochs count from 1, as inspect_ai's do. What the method reports is metadata; the scores are the world's.

    Args:
        world: the name of the environment, whose steps are shown as calls of a tool.
    """
    row, records = source.row, source.records
    events = EpisodeEvents(row.path, records, world)
    end = next((record.event for record in records if isinstance(record.event, EpisodeEnded)), None)
    opened = [record.event for record in records if isinstance(record.event, SessionOpened)]
    task = opened[0].observation if opened else row.task
    ended = end is not None and end.state in ("solved", "unsolved")
    ended_at = None if row.ended is None else (row.began + row.ended) / 1000
    return EvalSample(
        id=row.task,
        epoch=row.epoch + 1,
        input=task,
        target="",
        messages=_messages(row.path, task, records),
        output=events.output(),
        scores=_scores(end) if end is not None and ended else None,
        metadata=_metadata(source, end),
        events=events.list_all(),
        model_usage=usage_by_model(source.uses, prices),
        role_usage={use.phase: model_usage([use.usage]) for use in source.uses},
        started_at=iso(row.began / 1000),
        completed_at=None if ended_at is None else iso(ended_at),
        total_time=None if row.seconds is None else row.seconds / 1e6,
        working_time=None if row.seconds is None else row.seconds / 1e6,
        uuid=f"{source.run}/{row.path}",
        error=None if end is None or end.fault is None else _error(end.fault),
        error_retries=[EvalRetryError(**_error(fault).model_dump()) for fault in source.earlier] or None,
        limit=_limit(records, limits),
    )


def usage_by_model(uses: Iterable[UseRow], prices: Mapping[str, Price]) -> dict[str, ModelUsage]:
    """What calls used, by model; with its cost where the model has a price."""
    found: dict[str, ModelUsage] = {}
    for use in uses:
        price = price_of(use.model, prices)
        used = model_usage([use.usage], None if price is None else price.cost(use.usage) / NANODOLLARS)
        found[use.model] = found[use.model] + used if use.model in found else used
    return found


def _messages(episode: Path, task: str, records: Sequence[Record]) -> list[ChatMessage]:
    """The task, then the turns of the episode's answer; of an episode without an answer, all its steps so far."""
    said = [user(task)]
    answers = [r.event for r in records if isinstance(r.event, Exchanged) and r.event.path == episode]
    steps = [record.event for record in records if isinstance(record.event, StepTaken)]
    if answers and answers[0].turns:
        turns = [(turn.completion, turn.observation) for turn in answers[0].turns]
    else:
        turns = [("\n".join(part for part in (step.thought, step.action) if part), step.observation) for step in steps]
    for completion, observation in turns:
        said.append(assistant(completion))
        if observation:
            said.append(user(observation))
    return [as_message(message, f"{episode}#{number}") for number, message in enumerate(said)]


def _scores(end: EpisodeEnded) -> dict[str, Score]:
    why = end.why or None
    return {
        "success": Score(value=1 if end.reward >= 1 else 0, explanation=why),
        "reward": Score(value=end.reward, explanation=why),
    }


def _metadata(source: SampleSource, end: EpisodeEnded | None) -> dict[str, Any]:
    row = source.row
    about: dict[str, Any] = dict(source.task.metadata) if source.task is not None else {}
    about |= {
        "quintet_path": row.path,
        "attempt": row.attempt,
        "counts": source.counts,
        "state": "unfinished" if end is None else end.state,
        "steps": row.steps,
    }
    if end is not None:
        about |= {"claimed": end.claimed, "depth": end.depth, "reason": end.why, "cancelled": end.cancelled}
    return about


def _error(fault: FaultNote) -> EvalError:
    return EvalError(
        message=f"{fault.kind}: {fault.text}", traceback=fault.detail or fault.text, traceback_ansi=fault.detail
    )


def _limit(records: Iterable[Record], limits: LimitsSection) -> EvalSampleLimit | None:
    cut = next((record.event for record in records if isinstance(record.event, CutShort)), None)
    if cut is None:
        return None
    if cut.reason == "time limit":
        return EvalSampleLimit(type="time", limit=limits.episode_seconds or 0, reason=cut.reason)
    if limits.episode_tokens is not None:
        return EvalSampleLimit(type="token", limit=limits.episode_tokens, reason=cut.reason)
    if limits.episode_usd is not None:
        return EvalSampleLimit(type="cost", limit=float(limits.episode_usd), reason=cut.reason)
    return EvalSampleLimit(type="turn", limit=limits.episode_calls or 0, reason=cut.reason)
