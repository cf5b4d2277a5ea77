"""The operator's hand in a run: which episode is meant, whether it can be done, and that the driver does it."""

import time
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import assert_never

from quintet.control.messages import (
    CancelEpisode,
    Charged,
    Command,
    Done,
    Pause,
    Refused,
    Reply,
    RequeueEpisode,
    Resume,
    SetConcurrency,
    Status,
    TellStatus,
    UnderWay,
)
from quintet.errors import Fault, UsageError
from quintet.journal.reader import JournalReader
from quintet.messages.paths import Path, attempt_of, episode_path, is_within
from quintet.messages.solving import Solve
from quintet.plugins.catalogue import one_of
from quintet.quota.prices import NANODOLLARS
from quintet.quota.quota import Quota
from quintet.runs.attempts import is_result, newest_at_tasks
from quintet.runs.progress import Counters
from quintet.runs.record import RunRecord
from quintet.runtime.driver import Driver
from quintet.runtime.incarnation import Planned

_NAMED = 20
"""How many names an error message lists where none is near."""


class Operator:
    """Carries commands out.

    Args:
        record: of the run.
        pose: what an episode of a task is asked in an epoch.
        journal: of the run.
        driver: who runs it.
        quota: whom its model calls ask.
        counters: what the display shows.
    """

    def __init__(
        self,
        record: RunRecord,
        solve_request: Callable[[str, int], Solve],
        journal: JournalReader,
        driver: Driver,
        quota: Quota,
        counters: Counters | None = None,
    ) -> None:
        self._record = record
        self._solve_request = solve_request
        self._journal = journal
        self._driver = driver
        self._quota = quota
        self._counters = counters or Counters()

    async def answer(self, command: Command) -> Reply:
        """Carry a command out, or say why not."""
        try:
            return await self._carry_out(command)
        except (UsageError, Fault) as error:
            return Refused(reason=str(error))

    async def _carry_out(self, command: Command) -> Reply:
        match command:
            case TellStatus():
                return self._status()
            case Pause():
                self._driver.pause()
                self._counters.paused = True
                running = len(self._driver.under_way)
                return Done(
                    text=f"paused: no episode begins, and the {running} that run make no further model call; "
                    "interrupted and resumed, the run is not paused any more"
                )
            case Resume():
                self._driver.resume()
                self._counters.paused = False
                return Done(text="resumed")
            case CancelEpisode():
                return await self._cancel(command.episode)
            case RequeueEpisode():
                return await self._requeue(command.episode, force=command.force)
            case SetConcurrency():
                self._driver.concurrency = command.episodes
                return Done(text=f"concurrency {command.episodes}; {len(self._driver.under_way)} episodes run")
            case _:
                assert_never(command)

    def _status(self) -> Status:
        now = time.monotonic()
        running = [
            UnderWay(episode=begun.path, host=begun.on, seconds=round(now - begun.since, 3))
            for begun in self._driver.under_way
        ]
        ended, spent = self._journal.ends(), self._quota.spent
        return Status(
            episodes=self._record.episodes,
            done=sum(path in ended for path in self._newest()),
            paused=self._driver.paused,
            concurrency=self._driver.concurrency,
            running=tuple(sorted(running, key=lambda each: each.seconds, reverse=True)),
            queued=tuple(self._driver.queued),
            hosts=tuple(name for name, lives in self._driver.hosts.items() if lives),
            lost=tuple(name for name, lives in self._driver.hosts.items() if not lives),
            calls=len(self._quota.permits),
            charged=None if spent is None else Charged(usd=spent[0] / NANODOLLARS, tokens=spent[1]),
        )

    async def _cancel(self, wanted: str) -> Done:
        path = find(self._newest(), wanted)
        end = self._journal.ends().get(path)
        if end is not None:
            raise UsageError(f"{path}: expected an episode that runs or is queued, got one that ended: {end.state}")
        ended = await self._driver.cancel(path)
        return Done(text=f"{path} ended: {ended.state}, {ended.reason}, reward {ended.reward:g}")

    async def _requeue(self, wanted: str, *, force: bool) -> Done:
        path = find(self._newest(), wanted)
        end = self._journal.ends().get(path)
        known = end is not None or path in self._driver.queued  # of which the driver says what is wrong with it
        if not known and all(begun.path != path for begun in self._driver.under_way):
            raise UsageError(f"{path}: expected an episode that runs or has ended, got one that does not run")
        if end is not None and is_result(end) and not force:
            raise UsageError(
                f"{path}: expected an episode that faulted, was cancelled or runs, got one that ended {end.state}; "
                "to repeat it all the same, and discard its result: --force"
            )
        task, epoch, attempt = attempt_of(path)
        again = episode_path(task, epoch, attempt + 1)
        await self._driver.requeue(path, Planned(again, self._solve_request(task, epoch)))
        return Done(text=f"{again} is queued; {path} " + ("is cancelled" if end is None else f"ended: {end.state}"))

    def _newest(self) -> list[Path]:
        """The newest attempt at every task in every epoch; the first where none was begun."""
        planned = {(task.name, epoch): 0 for epoch, task in self._record.repeated()}
        begun = newest_at_tasks((*self._driver.queued, *self._journal.incarnations()))
        return [episode_path(task, epoch, attempt) for (task, epoch), attempt in (planned | begun).items()]


def find(episodes: Iterable[Path], wanted: str) -> Path:
    """The episode that a person means, by its path or as much of its beginning as no other has.

    Raises:
        UsageError: none is meant, or several could be.
    """
    known = list(episodes)
    found = [path for path in known if is_within(path, Path(wanted.strip("/")))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"episode: expected {one_of(found[:_NAMED], '')}, got {wanted!r}, which could be any of them")
    names = list(dict.fromkeys(str(path) if "/" in wanted else path.split("/")[0] for path in known))
    near = get_close_matches(wanted, names) or names[:_NAMED]
    raise UsageError(f"episode: expected {one_of(near, wanted)}, got {wanted!r}")
