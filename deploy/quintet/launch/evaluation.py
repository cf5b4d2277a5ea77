"""Runs a prepared run on a runtime, with its journal in a folder or in memory."""

import logging
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from functools import partial

from quintet.batches.batcher import Batcher, BatchTimes
from quintet.batches.store import BATCHES_FILE, BatchStore
from quintet.control.operator import LiveSettings, Operator
from quintet.control.server import listen
from quintet.errors import ActorCrashed, HookCrashed, UsageError
from quintet.events import EpisodeEnded, Record
from quintet.hooks.hook import Hook, RunInfo, installed_hooks
from quintet.hooks.thread import RunningHooks
from quintet.journal.codes import FAULTED_STATE, INTERRUPTED_STATE
from quintet.journal.feed import BUFFER, EventStream, Feed
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.launch.beginnings import Beginnings
from quintet.launch.build import build
from quintet.launch.other_spending import other_spending
from quintet.launch.prepare import Prepared
from quintet.launch.refusals import refuse_sharded
from quintet.launch.tally import RunTally
from quintet.launch.writable_run import WritableRun
from quintet.learned.kinds import CONTENT_KINDS, given_parts
from quintet.learned.memories import open_store, refuse_lost_versions
from quintet.memory.actor import MemoryStore
from quintet.memory.embed import embed_memory
from quintet.memory.store import Store
from quintet.messages.learning import Learn
from quintet.messages.paths import LEARNER, episode_path
from quintet.ports.roles import Roles
from quintet.ports.transport import DRIVER
from quintet.quota.quota import LocalLimiters
from quintet.reports.learning.files import VersionFiles
from quintet.runs.ends import HowEnded, keep_end, newest_at_tasks
from quintet.runs.record import RunRecord
from quintet.runtime.batched import BATCHER, Batched
from quintet.runtime.counters import RunCounters
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.first_answers import FirstAnswers
from quintet.runtime.garbage import collecting_rarely
from quintet.runtime.gateway import GATEWAY, RunGateway
from quintet.runtime.incarnation import Planned
from quintet.runtime.logs import logging_to
from quintet.runtime.refs import Ref
from quintet.runtime.roles import STORE
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec

_log = logging.getLogger("quintet.driver")


class Evaluation:
    """An open run: run what is left of it, or ask its roles."""

    def __init__(
        self,
        record: RunRecord,
        solve_request: EpisodeRequests,
        journal: SqliteJournal,
        runtime: Runtime,
        gateway: RunGateway,
        feed: Feed,
        counters: RunCounters,
        memory: Store | None = None,
        *,
        keeps_going: bool = False,
    ) -> None:
        self.record = record
        self.feed = feed
        """What the run commits, for any number of readers."""
        self._memory = memory
        self._solve_request = solve_request
        self._journal = journal
        self._runtime = runtime
        self._gateway = gateway
        self._streams: list[EventStream] = []
        """Those that run episodes, or did when the newest began."""
        self._counters = counters
        self._keeps_going = keeps_going
        self._bug: HookCrashed | None = None
        """Of a hook, which stopped the run."""
        """After a bug."""

    @property
    def whereabouts(self) -> str:
        """Where to look at the actors; empty if they cannot be looked at."""
        return self._runtime.whereabouts

    @property
    def spec(self) -> RunSpec:
        """What the run is made of."""
        return self._runtime.spec

    def left(self, *, retry_faulted: bool = False) -> list[Planned]:
        """The episodes that have not ended, in the order of the run. Pass each to one `run` only.

        Until a run's learner has ended, it asks for new episodes itself: the list has the learner and the episodes to
        repeat.

        Args:
            retry_faulted: include those that faulted, each as a new attempt. What was learnt without one stays as it
                is.

        Raises:
            UsageError: one that faulted reads a version of a memory that was lost and is not built again yet.
        """
        reader = self._journal.reader
        newest = newest_at_tasks(reader.episodes())
        learner: list[Planned] = []
        if self.record.learns and reader.end(LEARNER) is None:
            learner.append(Planned(LEARNER, learn_request(self.record)))
        planned: list[Planned] = []
        for epoch, task in self._epochs(newest):
            row = newest.get((task, epoch))
            interrupted = row is not None and row.state == INTERRUPTED_STATE
            if row is None or row.state is None or interrupted:
                attempt = 0 if row is None else row.attempt + interrupted
                if learner:
                    continue  # the learner will ask for it
            elif retry_faulted and row.state == FAULTED_STATE:
                attempt = row.attempt + 1
            else:
                continue
            if learner:
                self._refuse_unsealed(epoch)
            follows = reader.follows_sessions(episode_path(task, epoch, attempt))
            planned.append(self._solve_request.planned(task, epoch, attempt, after_reset=follows))
        return learner + planned

    def _refuse_unsealed(self, version: int) -> None:
        """Refuse to repeat an episode beside the replay that builds its version of a lost memory again."""
        if self._memory is None or self.record.learnt == "plan":
            return
        newest = self._memory.reader.newest()
        if newest is None or newest < version:
            there = f"expected version {version}, which an episode to repeat reads, got up to {newest}"
            remedy = "resume the run without --faulted first, which builds it again"
            raise UsageError(f"memory: {there}; {remedy} ({self._memory.reader.file})")

    def _epochs(self, newest: Collection[tuple[str, int]]) -> list[tuple[int, str]]:
        """Every epoch with every task; if the run learns, every version with the tasks that began with it."""
        if not self.record.learns:
            return [(epoch, task.name) for epoch, task in self.record.repeated()]
        return sorted((version, task) for task, version in newest)

    def run(self, episodes: Sequence[Planned], *, last: bool = False) -> AsyncGenerator[EpisodeEnded, None]:
        """Run episodes, usually those that are left; see `Driver.run`.

        To leave the iteration early, wrap it in `contextlib.aclosing`: what runs is then ended at once, and not when
        the generator is collected. Pass no episode twice.

        Args:
            last: whether nothing is asked of the run after these, so that hosts are given back that they do not need.

        Raises:
            ActorCrashed: an episode ended by a bug, and the setting `run.keep_going` is off. That end comes before.
            HookCrashed: a hook has a bug, and that setting is off.
        """
        for episode in episodes:
            self._counters.plan(episode.path)
        ends = self._runtime.run(episodes, last=last)
        return ends if self._keeps_going else self._until_bug(ends)

    def stop(self, bug: HookCrashed) -> None:
        """Stop what runs, and what is run later, at a hook's bug."""
        self._bug = bug
        self._runtime.runner.suspend(bug)

    async def _until_bug(self, ends: AsyncGenerator[EpisodeEnded, None]) -> AsyncGenerator[EpisodeEnded, None]:
        """Ends up to the first by a bug, which is raised after it."""
        async with aclosing(ends):
            if self._bug is not None:
                raise self._bug
            async for end in ends:
                yield end
                if end.fault is not None and end.fault.kind == ActorCrashed.__name__:
                    bug = ActorCrashed(f"{end.fault.text} ({end.path})")
                    bug.detail, bug.episode = end.fault.detail, end.path
                    bug.add_note(bug.detail)
                    raise bug

    def stream(self, episodes: Sequence[Planned] | None = None, *, buffer: int = BUFFER) -> EventStream:
        """The events of the run as they are committed from now on: calls, steps, subtasks, nodes and ends.

        Args:
            episodes: run these, usually those that are left, and end with them; None: of whatever runs, until the run
                is closed.
            buffer: how many records may wait for the reader, at least 1; beyond it the oldest are lost, and counted.
        """
        subscription = self.feed.subscribe(buffer)
        if episodes is None:
            return EventStream(subscription)
        stream = EventStream(subscription, self._run_all(episodes))
        self._streams = [*(each for each in self._streams if each.runs), stream]
        return stream

    async def _run_all(self, episodes: Sequence[Planned]) -> None:
        async with aclosing(self.run(episodes)) as ends:
            async for _ in ends:
                pass

    async def close_streams(self) -> None:
        """End the episodes of streams that were left early."""
        for stream in self._streams:
            await stream.aclose()

    @asynccontextmanager
    async def paused(self) -> AsyncGenerator[None, None]:
        """Inside, no episode and no model call begins, and those calls that were in flight have ended."""
        me = object()
        self._runtime.runner.pause(me)
        try:
            await self._runtime.runner.drain()
            yield
        finally:
            self._runtime.runner.resume(me)

    def recorded(self, task: str, epoch: int) -> list[Record]:
        """The records of the newest attempt at a task in an epoch, in order; none if it has not begun."""
        attempt = self._journal.reader.attempt(task, epoch)
        return [] if attempt is None else self._journal.reader.records(episode_path(task, epoch, attempt))

    def ref(self, role: str) -> Ref:
        """A role of the run, to be held and asked concurrently by any code, as long as the run is open.

        Args:
            role: its name: `planner`, `executor`, `reflector`, ...

        Raises:
            UsageError: the run has no such role. It has those that its method asks.
        """
        return self._gateway.ref(role)

    def visit(self) -> AbstractAsyncContextManager[Roles]:
        """Ask several things in one block, from outside any episode: open a world, step in it, ask about it.

        One thing at a time; the sessions that it opens are closed at its end. To ask single things, hold a `ref`.
        """
        return self._runtime.visit()


@asynccontextmanager
async def open_evaluation(
    run: WritableRun | Prepared,
    counters: RunCounters | None = None,
    tell: Callable[[str], None] = _log.warning,
    *,
    keep_visits: bool = True,
    max_asks: int | None = None,
    hooks: Sequence[Hook] = (),
    limiters: LocalLimiters | None = None,
    collect_rarely: bool = False,
) -> AsyncGenerator[Evaluation, None]:
    """Open a run: in its folder, or only prepared, in memory.

    Args:
        run: open for writing, or prepared.
        counters: kept up to date with what the run does.
        keep_visits: whether its journal keeps what is asked from outside any episode.
        max_asks: how many asks of refs may be under way at once, at least 1; None: any number.
        hooks: told what the run does, beside those that are installed.
        limiters: see `build`.
        collect_rarely: see `quintet.runtime.garbage`.

    Raises:
        UsageError: the journal is not this version's, or Ray cannot be used as the settings ask.
    """
    folder, prepared = (run, run.prepared) if isinstance(run, WritableRun) else (None, run)
    record, spec = prepared.record, prepared.spec
    config = record.configuration if folder is None else folder.config
    refuse_sharded(record)
    async with AsyncExitStack() as stack:
        if folder is not None:
            stack.enter_context(keep_end(folder.path))
            stack.enter_context(logging_to(folder.logs, DRIVER))
        kind = CONTENT_KINDS[record.learnt]
        copies = VersionFiles(kind, folder.path, tell) if folder is not None and record.learns else None
        counters = counters or RunCounters()
        name, logs = ("run", None) if folder is None else (folder.path.name, folder.logs)
        feed = Feed()
        told = RunningHooks([*installed_hooks(tell), *hooks], feed, tell)
        stack.push_async_callback(told.close)
        stack.callback(feed.close)  # after the journal, which commits what waits when it is closed
        tally = RunTally(feed, counters, prepared.prices, copies)
        journal = SqliteJournal(
            ":memory:" if folder is None else folder.journal,
            tally,
            prepared.prices,
            keep_visits=keep_visits,
            synchronous=config.runtime.synchronous,
        )
        if copies is not None:
            stack.callback(copies.complete)  # likewise
        stack.callback(journal.close)
        store = None
        if spec.recollection is not None:
            store = open_store(record, None if folder is None else folder.memory)
            stack.callback(store.close)
            if journal.reader.end(LEARNER) is not None:
                refuse_lost_versions(record, store, journal.reader.published())
            if spec.embedder is not None:
                await embed_memory(store, spec.embedder)
        counters.total = record.episodes
        _count_earlier(counters, journal.reader)
        others = partial(stack.enter_context, other_spending(folder))
        quota, limiters, runtime, sustained = build(
            prepared, journal, feed, name=name, logs=logs, others=others, limiters=limiters
        )
        counters.oldest_call = quota.oldest_call
        if limiters is not None:
            stack.callback(sustained.keep, limiters)
            if config.limits.start is None:
                for line in sustained.lines():
                    tell(line)
        learn = learn_request(record) if record.learns else None
        given = given_parts(record, spec.recollection)
        beginnings = Beginnings(record.fork)
        solve_request = EpisodeRequests(
            spec,
            given=(*given, *beginnings.parts),
            learn=learn,
            beginning=beginnings.of,
            version=journal.reader.version,
        )
        tally.gateway = gateway = RunGateway(
            spec.roles, runtime.visit, runtime.remote_gateway, prepared.prices, max_asks=max_asks
        )
        stack.push_async_callback(gateway.drain)
        await stack.enter_async_context(runtime)
        counters.hosts_text = lambda: runtime.runner.hosts_text
        stack.callback(gateway.close)
        runtime.host.spawn(GATEWAY, gateway)
        tally.first = FirstAnswers(runtime.runner.suspend, tell)
        if folder is not None:
            folder.keep_changes()
        if store is not None:
            runtime.host.spawn(STORE, MemoryStore(store))
        if batched := {each.name: each.batches for each in spec.models.values() if isinstance(each, Batched)}:
            batches = BatchStore(":memory:" if folder is None else folder.path / BATCHES_FILE)
            stack.callback(batches.close)
            limits = config.limits
            times = BatchTimes(limits.batch_window_seconds, limits.batch_calls, limits.batch_poll_seconds)
            batcher = Batcher(batched, batches, quota, times, tell)
            stack.push_async_callback(batcher.aclose)
            runtime.host.spawn(BATCHER, batcher)
            batcher.begin()
        if spec.learner is not None:
            spawn_learner(spec.learner, runtime, journal.reader, solve_request, seed=spec.seed)
        if folder is not None:
            live = LiveSettings(folder, folder.change, runtime.runner, quota, limiters)
            operator = Operator(record, solve_request, journal.reader, runtime.runner, quota, live, counters)
            await stack.enter_async_context(listen(folder.path, operator.answer))
        keeps_going = config.run.keep_going
        info = RunInfo(name, None if folder is None else folder.path, record)
        evaluation = Evaluation(
            record, solve_request, journal, runtime, gateway, feed, counters, store, keeps_going=keeps_going
        )
        told.begin(info, stop=None if keeps_going else evaluation.stop)
        stack.push_async_callback(evaluation.close_streams)
        if collect_rarely:
            stack.enter_context(collecting_rarely())
        yield evaluation


async def run_left(
    folder: WritableRun,
    counters: RunCounters,
    tell: Callable[[str], None] = lambda _: None,
    *,
    retry_faulted: bool = False,
    hooks: Sequence[Hook] = (),
    limiters: LocalLimiters | None = None,
) -> HowEnded:
    """Run what is left of a run to its end; raises as `open_evaluation` and `Evaluation.run`."""
    opened = open_evaluation(folder, counters, tell, hooks=hooks, limiters=limiters, collect_rarely=True)
    async with opened as evaluation:
        if evaluation.whereabouts:
            tell(evaluation.whereabouts)
        left = evaluation.left(retry_faulted=retry_faulted)
        _log.info("starts; left to run: %d", len(left))
        async with aclosing(evaluation.run(left, last=True)) as ends:
            async for _ in ends:
                pass
        return "faulted" if counters.faulted else "done"


def learn_request(record: RunRecord) -> Learn:
    """The request that starts a run's learner."""
    training, held_out, test = (
        tuple(task.name for task in tasks)
        for tasks in (record.learnt_from, record.held_out, () if record.streams else record.tasks)
    )
    return Learn(
        training=training,
        held_out=held_out,
        test=test,
        start=CONTENT_KINDS[record.learnt].given(record),
        trajectories=record.given_trajectories,
        feedback="reward" if record.configuration.learning is None else record.configuration.learning.feedback,
    )


def _count_earlier(counters: RunCounters, reader: JournalReader) -> None:
    _, spent = reader.totals(0)
    counters.cost += spent
    for row in newest_at_tasks(reader.episodes()).values():
        if row.state not in (None, INTERRUPTED_STATE):
            counters.end(
                row.path, solved=row.reward is not None and row.reward >= 1, faulted=row.state == FAULTED_STATE
            )
    counters.done_before, counters.cost_before = counters.done, counters.cost
