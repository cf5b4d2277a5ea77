"""First answers: stops a run whose model returns completions without an answer, before all of it is paid for."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from quintet.errors import NoneAnswered
from quintet.events import CallMade, Ending, Record, StepTaken
from quintet.messages.paths import Path, episode_of, parent
from quintet.roles.executor import EXECUTOR_ROLE

UNANSWERED: Mapping[Ending, str] = {
    "length": "cut off",
    "context_full": "context full",
    "refusal": "refused",
    "content_filter": "filtered",
    "tool_calls": "tool calls",
    "empty": "empty",
    "not_text": "no text",
    "unread": "not read",
}
"""The kinds of completions without an answer, as reports name and order them. One that was cut off may hold an answer
before its end."""

_ADVICE: Mapping[Ending, str] = {
    "length": "begin a new run with a larger model.max_tokens, which covers reasoning too",
    "context_full": "serve the model with a longer context and resume, or begin a new run with a smaller "
    "model.max_tokens or another model",
    "refusal": "begin a new run with another model",
    "content_filter": "relax the endpoint's filter and resume, or begin a new run with another model",
    "tool_calls": "switch off the server's own tools and resume, or begin a new run with another model",
    "empty": "begin a new run with a larger model.max_tokens if the model reasons, or without its reasoning "
    "(model.extra)",
    "not_text": "begin a new run with a model that answers in text",
    "unread": "see what it writes with quintet show; serve it with its own chat template and resume, or begin a new "
    "run with model.examples=turns, model.answers=schema or another model",
}
"""What a user can do if all completions are of one kind. What changes results needs a new run."""

_NEVER_STOPS: Final = (
    "the model does not stop by itself: serve it with its chat template and stop token and resume, or begin a new run "
    "with a model that is tuned to follow instructions"
)
"""The advice if texts fill as much room as an answer is given by default, and none of it was used to reason."""

FIRST_ANSWERS: Final = 8
"""Completions of a model without an answer after which the run stops."""


class FirstAnswers:
    """Watches the records committed since this start of the run; those of earlier starts do not count.

    A model passes with its first completion that is read, or with one that was cut off and had an action that the
    world accepted. One that only wrote what any text would do for has shown no more than that it writes.

    Args:
        warn: gets a line about the first completion of each kind without an answer.
    """

    def __init__(self, suspend: Callable[[NoneAnswered], None], warn: Callable[[str], None]) -> None:
        self._suspend = suspend
        self._warn = warn
        self._passed: set[str] = set()
        """Models; also those for which the run was suspended."""
        self._unanswered: dict[str, Counter[Ending]] = {}
        """By model that has not passed."""
        self._writes: set[str] = set()
        """Models that wrote a text which any text would have done for."""
        self._stops: set[str] = set()
        """Models that reasoned, or had less room than an answer is given by default."""
        self._unread_in: set[tuple[str, Path]] = set()
        """Models and attempts at a task with a completion that was not read."""
        self._told: set[str] = set()
        """Models that had two of them in one attempt, or an ending of another kind."""
        self._warned: set[tuple[str, Ending]] = set()
        self._cut_off: dict[Path, str] = {}
        """The model whose completion was cut off, by the path of the request that called it."""

    def committed(self, record: Record) -> None:
        """Take a committed record into account."""
        match record.event:
            case CallMade() as call:
                self._add(call)
            case StepTaken(rejected=False, path=path) if parent(path) in self._cut_off:
                self._passed.add(self._cut_off.pop(parent(path)))
            case _:
                pass

    def _add(self, call: CallMade) -> None:
        model = call.model
        match call.ending:
            case "read":
                self._passed.add(model)
            case "free" if model not in self._writes:
                self._writes.add(model)
                unread: Counter[Ending] = Counter({"unread": self._unanswered.get(model, Counter())["unread"]})
                self._unanswered[model] = unread
            case "free":
                pass
            case ending:
                self._warn_once(call)
                if not (model in self._passed or (model in self._writes and ending != "unread")):
                    self._count(call, ending)

    def _count(self, call: CallMade, ending: Ending) -> None:
        model = call.model
        if ending == "length":
            self._cut_off[parent(call.path)] = model
        seen = self._unanswered.setdefault(model, Counter())
        seen[ending] += 1
        if not _fills_its_room(call):
            self._stops.add(model)
        if self._has_been_told(call) and seen.total() >= FIRST_ANSWERS:
            self._passed.add(model)
            self._suspend(NoneAnswered(_reason(model, seen, never_stops=model not in self._stops)))

    def _has_been_told(self, call: CallMade) -> bool:
        """Whether the model answered without effect after it was told that an earlier answer was not read.

        Many episodes at once would else stop a model that does as it is told.
        """
        place = call.model, episode_of(call.path)
        if call.ending != "unread" or place in self._unread_in:
            self._told.add(call.model)
        self._unread_in.add(place)
        return call.model in self._told

    def _warn_once(self, call: CallMade) -> None:
        kind = call.model, call.ending
        if kind not in self._warned:
            self._warned.add(kind)
            self._warn(f"{call.path}: {call.model}: {_description(call)}; further ones are counted in the report")


def _fills_its_room(call: CallMade) -> bool:
    drawn = call.completion
    is_answer = drawn.text.strip() and not (drawn.reasoning or drawn.usage.reasoning_tokens)
    room = EXECUTOR_ROLE.completion_tokens or 0
    return drawn.finish == "length" and bool(is_answer) and call.sampling.max_tokens >= room


def _description(call: CallMade) -> str:
    at = f" at max_tokens {call.sampling.max_tokens:,}" if call.completion.finish == "length" else ""
    return f"a completion without an answer ({UNANSWERED[call.ending]}{at})"


def _reason(model: str, seen: Counter[Ending], *, never_stops: bool) -> str:
    ((most, _), *_) = seen.most_common()
    kinds = ", ".join(f"{number} {UNANSWERED[ending]}" for ending, number in seen.most_common())
    advice = _NEVER_STOPS if never_stops else _ADVICE[most]
    return f"{model}: expected answers, got none in its first {seen.total()} completions ({kinds}); {advice}"
