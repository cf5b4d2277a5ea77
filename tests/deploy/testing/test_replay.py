"""What a kill can leave of a journal."""

from quintet.events import BranchEnded, BranchStopped, Record
from quintet.messages.paths import child, episode_path
from quintet.testing.replay import left_by_kill
from tests.deploy.journal.records import decided

GROUP = child(episode_path("beehive", 0, 0), 2)


def test_events_that_are_committed_together_are_left_together() -> None:
    records = [
        decided(1),
        Record(event=BranchEnded(path=child(GROUP, 2), place=1), incarnation=1),
        *(Record(event=BranchStopped(path=child(GROUP, number)), incarnation=1) for number in (1, 3)),
        decided(3),
    ]
    assert [len(left_by_kill(records, most)) for most in range(6)] == [0, 1, 1, 1, 4, 5]
