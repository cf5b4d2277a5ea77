"""First answers: a run whose models say nothing that can be used is stopped before it has paid for all of it."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from quintet.errors import EndpointUnavailable
from quintet.events import CallMade, Record, StepTaken
from quintet.messages.paths import Path
from quintet.ports.model import Finish
from quintet.runtime.finishes import ADVICE, UNANSWERED

MOST: Final = 8
"""Answers of a model after which it is clear that nothing will come of it; fewer in a run of fewer episodes."""
_LEAST: Final = 2


class FirstAnswers:
    """Watches what is committed since this start of the run; what earlier starts brought counts for nothing.

    A model is fine from its first completion that ends by itself. One that was cut off is fine too if an action was
    read before the cut, and the world accepted it.

    Args:
        episodes: of the run.
        suspend: stops the run.
        tell: told of the first completion of every kind that holds no answer.
    """

    def __init__(
        self, episodes: int, suspend: Callable[[EndpointUnavailable], None], tell: Callable[[str], None]
    ) -> None:
        self._enough = max(_LEAST, min(MOST, episodes or MOST))
        self._suspend = suspend
        self._tell = tell
        self._fine: set[str] = set()
        """Models."""
        self._unanswered: dict[str, Counter[Finish]] = {}
        """By model, while it has answered nothing."""
        self._told: set[tuple[str, Finish]] = set()
        self._cut_off: dict[Path, str] = {}
        """By conversation, the model whose completion was cut off in it."""

    def committed(self, record: Record) -> None:
        """See what was committed."""
        match record.event:
            case CallMade() as call:
                self._called(call)
            case StepTaken(rejected=False, path=path) if _conversation(path) in self._cut_off:
                self._fine.add(self._cut_off.pop(_conversation(path)))
            case _:
                pass

    def _called(self, call: CallMade) -> None:
        model, finish = call.model, call.completion.finish
        if finish == "stop":
            self._fine.add(model)
            return
        if (model, finish) not in self._told:
            self._told.add((model, finish))
            self._tell(f"{call.path}: {model}: {_described(call)}; further ones are counted in the report")
        if model in self._fine:
            return
        if finish == "length":
            self._cut_off[_conversation(call.path)] = model
        seen = self._unanswered.setdefault(model, Counter())
        seen[finish] += 1
        if seen.total() == self._enough:
            self._suspend(EndpointUnavailable(_nothing(model, seen)))


def _conversation(path: Path) -> Path:
    return Path(path.rpartition("/")[0])


def _described(call: CallMade) -> str:
    at = f" at max_tokens {call.sampling.max_tokens:,}" if call.completion.finish == "length" else ""
    return f"a completion without an answer ({UNANSWERED[call.completion.finish]}{at})"


def _nothing(model: str, seen: Counter[Finish]) -> str:
    ((most, _), *_) = seen.most_common()
    kinds = ", ".join(f"{number} {UNANSWERED[finish]}" for finish, number in seen.most_common())
    return f"{model}: expected answers, got none in its first {seen.total()} completions ({kinds}); {ADVICE[most]}"
