"""A method that grows known trees: one in three branches, of which the first to end stops the others; one inside."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel

from quintet.events import AnyEvent, NodeGrown, NodeStanding, Record
from quintet.journal.writer import SqliteJournal
from quintet.launch.writable_run import WritableRun
from quintet.messages.environment import Fork, Session, Step
from quintet.messages.execution import Execute
from quintet.messages.paths import Path as EventPath
from quintet.messages.paths import child, episode_path
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.runtime.spec import RunSpec
from tests.deploy import samples
from tests.simulation.scenes import Fetcher, spec_of


class NoOptions(BaseModel):
    """Nothing to set."""


async def _expand(episode: Episode, node: int) -> Session:
    """Branch 1 makes one call, so it leads by more than a call at every moment."""
    session = (await episode.ask(Fork(session=episode.session))).session
    await episode.ask(Step(session=session, action=f"get {node} bamboo"))
    episode.journal_node(
        node=node, parent=0, action=f"get {node} bamboo", session=session, value=1 / node, confidence=0.25 * node
    )
    await episode.ask(
        Execute(session=session, setting="A forest.", goal=episode.goal, max_calls=2 * node - 1, patience=9)
    )
    return session


class Grow(Method[NoOptions]):
    """Grows a tree of five nodes at depth 1, and one of two nodes at depth 2."""

    name = "grow"
    version = "1"
    requests = (Execute,)
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        episode.journal_node(node=0, parent=None, action="", session=episode.session, visits=1)
        if episode.depth > 1:
            episode.journal_node(node=1, parent=0, action="inventory", session=None, confidence=1.0, adjusted=True)
            return Solved(session=episode.session, reward=0.0, done=False)
        async with episode.branches() as race:
            runners = [race.start(_expand, episode, node) for node in (1, 2, 3)]
            won = await race.first()
        session = runners[won - 1].result()
        await episode.recurse("look around", session)
        await episode.ask(Step(session=session, action="get 1 bamboo"))
        last = await episode.ask(Step(session=session, action="craft 1 stick using 2 bamboo"))
        episode.journal_node(node=4, parent=won, action="wait", session=None, value=0.0, standing="pruned")
        episode.journal_node(
            node=won,
            parent=0,
            action=f"get {won} bamboo",
            session=session,
            value=0.75,
            confidence=0.25 * won,
            visits=2,
            reward=last.reward,
            standing="chosen",
        )
        return Solved(session=session, reward=last.reward, done=last.done)


def grow() -> RunSpec:
    """One episode of the task `stick` is enough."""
    return spec_of(Grow(NoOptions()), {"execute": "Act."}, Fetcher())


EPISODE = episode_path("beehive", 0, 0)


def node(number: int, parent: int | None, action: str = "look", *, standing: NodeStanding = "open") -> NodeGrown:
    """A node of a tree of `EPISODE`."""
    return NodeGrown(
        path=child(EPISODE, number + 1),
        tree=EPISODE,
        node=number,
        parent=parent,
        action="" if parent is None else action,
        session=f"{EPISODE}/{number + 1}/1",
        standing=standing,
    )


def chain(depth: int) -> list[NodeGrown]:
    """A tree of one line."""
    return [node(number, number - 1 if number else None) for number in range(depth)]


def comb(depth: int) -> list[NodeGrown]:
    """A tree in which each node of a line has one more child."""
    leaves = [node(depth + number, number, "wait") for number in range(depth)]
    return [*chain(depth), *leaves]


def write_events(path: Path, events: Iterable[AnyEvent], episode: EventPath = EPISODE) -> Path:
    """A run folder of which one episode has begun, with these events."""
    with WritableRun.create(path, samples.record("react", ("beehive", "cake"))) as folder:
        asyncio.run(_write(folder.journal, events, episode))
    return path


async def _write(file: Path, events: Iterable[AnyEvent], episode: EventPath) -> None:
    journal = SqliteJournal(file)
    incarnation = journal.begin(episode)
    await journal.append(Record(event=event, incarnation=incarnation) for event in events)
    journal.close()
