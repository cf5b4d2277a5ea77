"""Plays a schedule: start after start on one journal, until the run has ended."""

import asyncio
import random as retries
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from random import Random
from tempfile import TemporaryDirectory

from quintet.errors import BudgetSpent, HostLost, UsageError
from quintet.events import AnyEvent, EpisodeEnded
from quintet.memory.store import Store
from quintet.messages.paths import Path, attempt_of, episode_path
from quintet.testing.content import Content
from tests.simulation.cluster import Cluster, Faults
from tests.simulation.content import content
from tests.simulation.memories import MemoryContent, memory_of
from tests.simulation.network import Network
from tests.simulation.replays import replayed
from tests.simulation.virtual import run
from tests.soak.schedules.draw import PLACEMENTS
from tests.soak.schedules.expected_answers import differing_recalls, differing_steps
from tests.soak.schedules.scenes import SCENES, attempt_at, planned_for, watched_spec
from tests.soak.schedules.schedule import Command, Schedule, Start
from tests.soak.schedules.watch import Watch
from tests.soak.schedules.watched import WatchedJournal, WatchedQuota, WatchedStore

_LONGEST = 100_000.0
"""Virtual seconds of a start."""

_IMMORTAL = 1_000_000

_IN_MEMORY = "/dev/shm" if FilePath("/dev/shm").is_dir() else None
"""Where files cost no disk; None: nowhere."""


@dataclass
class Played:
    """What a schedule came to."""

    watch: Watch = field(default_factory=Watch)
    ends: list[EpisodeEnded] = field(default_factory=list[EpisodeEnded])
    """As the starts reported them."""
    content: Content = field(default_factory=dict[tuple[Path, str], AnyEvent])
    memory: MemoryContent = field(default=({}, (), ()))
    replayed: list[EpisodeEnded] | None = None
    """The ends that the journal alone leads to, by path; None for a run that learns."""
    broken: list[str] = field(default_factory=list[str])
    touched: set[Path] = field(default_factory=set[Path])
    """Episodes that an operator cancelled or requeued."""
    deaths: int = 0
    scripts: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    """By start, every delay and loss, as `Start.script`."""


def play(schedule: Schedule) -> Played:
    """Play it to its end. Raises nothing: an error of the run is a promise that did not hold."""
    return _Play(schedule).run()


class _Play:
    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.scene = SCENES[schedule.scene]
        self.played = Played()
        self.spec = watched_spec(schedule.scene, self.played.watch, schedule.failures)

    def run(self) -> Played:
        retries.seed(self.schedule.seed)  # of the pauses between attempts
        try:
            with ExitStack() as stack:
                self._run(stack)
        except Exception as error:  # noqa: BLE001  whatever it is, the system raised it
            self.played.broken.append(f"expected a run that ends, got {type(error).__name__}: {error}")
        return self.played

    def _run(self, stack: ExitStack) -> None:
        store = stack.enter_context(closing(Store(":memory:", world=self.spec.world.name))) if self._remembers else None
        folder = FilePath(stack.enter_context(TemporaryDirectory(dir=_IN_MEMORY))) if self._dies else None
        watch = self.played.watch
        journal = None if folder else stack.enter_context(closing(WatchedJournal(":memory:", _IMMORTAL, watch)))
        for number, start in enumerate(self.schedule.starts):
            opened = journal or self._open(folder, start)
            try:
                has_ended = run(self._start(number, start, opened, store))
                if has_ended:
                    opened.lives = _IMMORTAL  # a replay writes too
                    self._look(opened, store)
                    return
            finally:
                if opened is not journal:
                    opened.close()
        self.played.broken.append(f"expected an end within {len(self.schedule.starts)} starts, got none")

    @property
    def _remembers(self) -> bool:
        return self.spec.recollection is not None

    @property
    def _dies(self) -> bool:
        return any(start.commits is not None for start in self.schedule.starts)

    def _open(self, folder: FilePath | None, start: Start) -> WatchedJournal:
        assert folder is not None
        lives = _IMMORTAL if start.commits is None else start.commits
        return WatchedJournal(folder / "journal.sqlite", lives, self.played.watch)

    async def _start(self, number: int, start: Start, journal: WatchedJournal, store: Store | None) -> bool:
        """Whether the run has ended."""
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self._note_error(context))
        working = asyncio.create_task(self._work(number, start, journal, store))
        journal.died = died = asyncio.Event()  # an event belongs to one loop
        dying = asyncio.create_task(died.wait())
        await asyncio.wait([working, dying], timeout=_LONGEST, return_when=asyncio.FIRST_COMPLETED)
        if died.is_set():
            self.played.deaths += 1
            return False
        if not working.done():
            raise TimeoutError(f"expected an end within {_LONGEST:g} virtual seconds, got none")
        try:
            self.played.ends += working.result()
        except (BudgetSpent, HostLost) as suspended:
            if not _is_allowed(suspended, start, learns=self.scene.learn is not None):
                raise
            return False
        return True

    async def _work(
        self, number: int, start: Start, journal: WatchedJournal, store: Store | None
    ) -> list[EpisodeEnded]:
        schedule, played, watch = self.schedule, self.played, self.played.watch
        random = Random(f"network {schedule.seed} {number}")
        network = Network(random, delay=start.delay, loss=start.loss, script=start.script)
        played.scripts.append(network.happened)
        watch.tokens = start.tokens
        quota = WatchedQuota(schedule.calls, start.tokens, journal, watch)
        actor = None if store is None else WatchedStore(store, watch)
        placement = PLACEMENTS[schedule.placement]
        cluster = Cluster(self.spec, journal, network, placement, slots=schedule.slots, quota=quota)
        kills = [(kill.at, kill.host) for kill in start.kills]
        cluster.inject(Faults(kills=kills, replacements=start.replacements))
        operating = asyncio.create_task(self._operate(start, cluster))
        try:
            ends = await cluster.finish(planned_for(self.scene, cluster, journal, schedule.goals, actor))
            if operating.done():
                operating.result()
            return ends
        finally:
            operating.cancel()
            played.deaths += len(network.dead)

    async def _operate(self, start: Start, cluster: Cluster) -> None:
        began = asyncio.get_running_loop().time()
        for command in sorted(start.commands, key=lambda each: each.at):
            await asyncio.sleep(began + command.at - asyncio.get_running_loop().time())
            with suppress(UsageError):  # there is nothing to cancel any more
                await self._carry_out(command, cluster)

    async def _carry_out(self, command: Command, cluster: Cluster) -> None:
        goals, driver = self.schedule.goals, cluster.runner
        match command.action:
            case "pause":
                driver.pause()
                await asyncio.sleep(command.number)
                driver.resume()
            case "concurrency":
                driver.concurrency = command.number
            case action:
                goal = goals[command.number % len(goals)]
                path = episode_path(goal, 0, cluster.journal.reader.attempt(goal, 0) or 0)
                self.played.touched.add(path)  # first: the process may die meanwhile
                if action == "cancel":
                    await driver.cancel(path)
                else:
                    task, epoch, attempt = attempt_of(path)
                    await driver.requeue(path, attempt_at(cluster.spec, episode_path(task, epoch, attempt + 1)))

    def _note_error(self, context: Mapping[str, object]) -> None:
        """An error in a callback of the loop, which ends nothing."""
        self.played.broken.append(f"expected no error of a callback, got {context.get('exception') or context}")

    def _look(self, journal: WatchedJournal, store: Store | None) -> None:
        """What is there in the end."""
        played, records = self.played, journal.reader.records()
        played.watch.finish()
        played.broken += differing_steps(self.spec, records, played.watch)
        if store is not None and self.spec.recollection is not None:
            played.broken += differing_recalls(store.reader, records, self.spec.recollection.budget)
        played.content = content(journal)
        if self.scene.learn is None:
            played.replayed = replayed(self.spec, journal)
        elif store is not None:
            played.memory = memory_of(store.reader)


def _is_allowed(suspended: BudgetSpent | HostLost, start: Start, *, learns: bool) -> bool:
    """Whether what befell a start explains that it suspended. A loss takes a learner's whole episode with it."""
    if isinstance(suspended, BudgetSpent):
        return start.tokens is not None
    return learns and start.loss > 0
