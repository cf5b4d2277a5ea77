"""The model and the journal of a schedule, which tell whether a committed call was asked again."""

from collections.abc import Sequence
from random import Random

from quintet.errors import NoAnswer, Overloaded
from quintet.events import CallMade, Record
from quintet.messages.paths import Path, episode_of
from quintet.messages.prompts import Prompt
from quintet.ports.model import Model, Sampling
from quintet.roles.context import current
from tests.simulation.scenes import Around


class CallCounter:
    """Which calls are committed, and how often one of them was asked again. Watches a journal."""

    def __init__(self) -> None:
        self._by_call: dict[tuple[Path, int | None], int] = {}
        """By episode and seed, the incarnation that committed the call."""
        self.repeated = 0
        self.tokens = 0
        """That the committed calls used."""

    @property
    def calls(self) -> int:
        """How many are committed."""
        return len(self._by_call)

    def begun(self, episode: Path, incarnation: int) -> None: ...

    def committed(self, records: Sequence[Record]) -> None:
        for record in records:
            if isinstance(record.event, CallMade):
                key = episode_of(record.event.path), record.event.sampling.seed
                self._by_call.setdefault(key, record.incarnation)
                usage = record.event.completion.usage
                self.tokens += usage.prompt_tokens + usage.completion_tokens

    def ask(self, sampling: Sampling) -> None:
        """A model is asked by the running request; an incarnation older than the commit cannot know of it."""
        here = current()
        committed_by = self._by_call.get((episode_of(here.path), sampling.seed))
        self.repeated += committed_by is not None and committed_by <= here.incarnation


class CountedModel(Around):
    """A model whose calls are counted, and fail at first as often as `failures` says, in [0, 1]."""

    def __init__(self, model: Model, counter: CallCounter, failures: float) -> None:
        super().__init__(model)
        self._counter = counter
        self._failures = failures
        self._attempts: dict[tuple[Path, int, int | None], int] = {}

    async def before(self, prompt: Prompt, sampling: Sampling) -> None:
        self._counter.ask(sampling)
        if self._failures:
            here = current()
            key = here.path, here.incarnation, sampling.seed
            number = self._attempts[key] = self._attempts.get(key, 0) + 1
            chance = Random(f"{key}/{number}")
            if number <= 2 and chance.random() < self._failures:  # never so often that the endpoint is given up
                raise chance.choice([Overloaded, NoAnswer])("not now")
