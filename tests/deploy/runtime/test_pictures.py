"""Pictures through a whole run: journaled once, missed by no answer, and no part of what a replay compares."""

import asyncio
from collections.abc import Iterable, Sequence
from random import Random

from quintet.events import EpisodeEnded, Pictured, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Open, Opened, Step, Task
from quintet.messages.paths import Path, child, episode_path
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.ports.transport import Address, HostName
from quintet.roles.environment import Environment
from quintet.runtime.host import Host
from quintet.runtime.spec import RunSpec
from quintet.testing.content import content_of
from quintet.testing.replay import run_episode
from tests.actors.pictured import SeenStairs, picture_at
from tests.deploy.testing.broken_environments import Stairs
from tests.simulation.network import Network
from tests.simulation.scenes import spec_of

TASK = Task(name="high stairs", seed=0)
EPISODE = episode_path(TASK.name, 0, 0)
DRIVER, ASKER, WORLD = HostName("driver"), HostName("asker"), HostName("world")


def spec(world: Stairs) -> RunSpec:
    return spec_of(Expert(ExpertConfig()), {}, world=world)


def pictures(records: Sequence[Record]) -> dict[Path, bytes]:
    """By path; what is committed again at a path is not stored."""
    return {record.event.path: record.event.picture for record in records if isinstance(record.event, Pictured)}


def test_a_run_with_pictures_has_the_content_of_one_without() -> None:
    seen, unseen = run_episode(spec(SeenStairs()), TASK.name), run_episode(spec(Stairs()), TASK.name)
    assert content_of(seen) == content_of(unseen)
    (end,) = [each.event for each in seen if isinstance(each.event, EpisodeEnded)]
    assert (end.state, end.reward) == ("solved", 1.0)
    assert pictures(unseen) == {}
    assert [*pictures(seen).values()] == [picture_at(steps) for steps in range(5)]


def test_wherever_an_episode_is_killed_its_replay_needs_no_picture_and_journals_none_twice() -> None:
    whole = run_episode(spec(SeenStairs()), TASK.name)
    for most in range(1, len(whole)):
        left = whole[:most]
        resumed = run_episode(spec(SeenStairs()), TASK.name, left)
        assert content_of(resumed) == content_of(whole), most
        assert pictures(resumed) == pictures(whole), most
        without = [record for record in left if not isinstance(record.event, Pictured)]
        again = pictures(run_episode(spec(SeenStairs()), TASK.name, without))
        assert again.items() <= pictures(whole).items(), most


async def test_the_end_of_an_episode_finds_every_picture_of_another_host_committed() -> None:
    class Slow:
        """A journal in which a picture takes a while."""

        def __init__(self) -> None:
            self.journal = SqliteJournal(":memory:")
            self.journal.begin(EPISODE)

        async def append(self, records: Iterable[Record]) -> None:
            records = tuple(records)
            if any(isinstance(record.event, Pictured) for record in records):
                await asyncio.sleep(5)
            await self.journal.append(records)

    network, slow = Network(Random(1)), Slow()
    asker = Host(ASKER, network.transport(ASKER), slow)
    holder = Host(WORLD, network.transport(WORLD), slow)
    holder.spawn("environment", Environment(SeenStairs(), host=WORLD))
    to = Address(host=WORLD, role="environment")
    opened = await asker.ask(to, Open(task=TASK), path=child(EPISODE, 1), incarnation=1)
    assert isinstance(opened, Opened)
    await asker.ask(to, Step(session=opened.session, action="up"), path=child(EPISODE, 2), incarnation=1)
    assert [*slow.journal.reader.pictures(EPISODE)] == [child(EPISODE, 1), child(EPISODE, 2)]
