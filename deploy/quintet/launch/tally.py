"""The journal's watcher in a run: what must know of every record at once, and must miss none."""

from collections.abc import Mapping, Sequence

from quintet.events import CallMade, EpisodeEnded, Pictured, Published, Record
from quintet.journal.feed import Feed
from quintet.messages.paths import LEARNER, RESERVED, Path, attempt_of, episode_of
from quintet.quota.cost import Cost
from quintet.quota.prices import Price
from quintet.reports.learning.files import VersionFiles
from quintet.runtime.counters import RunCounters
from quintet.runtime.first_answers import FirstAnswers
from quintet.runtime.gateway import RunGateway


class RunTally:
    """Watches the journal: counts, copies versions, checks the first answers, and feeds those who subscribe."""

    def __init__(
        self, feed: Feed, counters: RunCounters, prices: Mapping[str, Price], copies: VersionFiles | None
    ) -> None:
        self._feed = feed
        self._counters = counters
        self._prices = prices
        self._copies = copies
        self.first: FirstAnswers | None = None
        """None until there is a run that can be stopped."""
        self.gateway: RunGateway | None = None
        """None until there are roles that can be asked."""

    def begun(self, episode: Path, incarnation: int) -> None:
        self._feed.begun(episode, incarnation)
        if attempt_of(episode).task not in RESERVED:
            self._counters.begin(episode)

    def committed(self, records: Sequence[Record]) -> None:
        # A reader's buffer is bounded by items, and pictures are a thousand times as large as they.
        self._feed.committed([record for record in records if not isinstance(record.event, Pictured)])
        for record in records:
            event = record.event
            episode = episode_of(event.path)
            if self.first is not None:
                self.first.committed(record)
            match event:
                case CallMade():
                    self._counters.call(episode, Cost.of(event.completion.usage, self._prices.get(event.model)))
                    if self.gateway is not None:
                        self.gateway.committed(event)
                case Published() if self._copies is not None:
                    self._copies.add(event)
                case EpisodeEnded() if episode == LEARNER:
                    pass
                case EpisodeEnded(state="interrupted"):
                    self._counters.leave(episode)
                case EpisodeEnded():
                    self._counters.end(episode, solved=event.reward >= 1, faulted=event.state == "faulted")
                case _:
                    self._counters.touch(episode)
