"""Places in recorded episodes, by number, by kind and by path."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.events import CallMade, NodeGrown, StepTaken, TrialEnded
from quintet.forks.fork import branch
from quintet.forks.places import NoSuchPlace, RecordedEpisode
from quintet.messages.paths import Path as EpisodePath
from tests.deploy.forks.forked import UNCHANGED, end, fork_at, recorded_as, recorded_run, records, same_content
from tests.deploy.forks.forked import without_end as without_its_end

pytestmark = pytest.mark.real_time

TREE = 'run.tasks=["torch"]', "method.iterations=3"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedEpisode]:
    """An episode with calls, steps and nodes."""
    run = recorded_run(tmp_path_factory.mktemp("tree") / "run", "lats", "textcraft", *TREE)
    reader = run.read_journal()
    assert reader is not None
    with closing(reader):
        (row,) = reader.episodes()
        yield RecordedEpisode(reader, row)


def kinds(recorded: RecordedEpisode, kind: str) -> list[int]:
    return [event.id for event in recorded.events if event.kind == kind]


@pytest.mark.parametrize(("name", "kind"), [("step", StepTaken.kind), ("call", CallMade.kind)])
def test_a_number_means_the_event_of_that_kind_in_the_order_of_the_commits(
    tree: RecordedEpisode, name: str, kind: str
) -> None:
    found = kinds(tree, kind)
    assert [tree.find(f"{name}:{number}").before for number in range(1, len(found) + 1)] == found
    with pytest.raises(NoSuchPlace, match=f"a {name} of torch/0/0, which has {len(found)} of them, got {name}:"):
        tree.find(f"{name}:{len(found) + 1}")


def test_a_trial_begins_behind_the_end_of_the_one_before(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "reflexion", "textcraft", 'run.tasks=["beehive"]')
    reader = run.read_journal()
    assert reader is not None
    with closing(reader):
        (row,) = reader.episodes()
        recorded = RecordedEpisode(reader, row)
        ends = kinds(recorded, TrialEnded.kind)
        assert len(ends) > 1
        assert recorded.find("trial:1") == recorded.find("start")
        second = recorded.find("trial:2").before
        assert ends[0] < second <= ends[1]
        assert all(not ends[0] < event.id < second for event in recorded.events)
        branchings = [branch(recorded, "trial:2", UNCHANGED)]
        with pytest.raises(NoSuchPlace):
            recorded.find(f"trial:{len(ends) + 2}")
    fork = fork_at(run, tmp_path / "fork", branchings)
    first, of = EpisodePath("beehive/0/0"), EpisodePath("beehive/0/0")
    same_content(recorded_as(run, of, first), without_its_end(records(fork, first)), of)
    assert end(fork, first) == end(run, of)


def test_a_node_is_found_by_its_number_at_the_first_thing_of_it(tree: RecordedEpisode) -> None:
    grown = [event for event in tree.events if event.kind == NodeGrown.kind]
    place = tree.find("node:1")
    assert place.before <= grown[1].id
    assert place.at.startswith(grown[1].path) or grown[1].path.startswith(place.at)
    with pytest.raises(NoSuchPlace, match="expected a node of a search tree in torch/0/0, got node:999"):
        tree.find("node:999")


@given(data=st.data())
def test_a_path_means_the_first_event_at_or_below_it(tree: RecordedEpisode, data: st.DataObject) -> None:
    event = data.draw(st.sampled_from(tree.events))
    parts = event.path.split("/")
    path = "/".join(parts[: data.draw(st.integers(1, len(parts)))]) if event.path else "1"
    named = data.draw(st.sampled_from([path, f"torch/0/0/{path}"]))
    within = [each for each in tree.events if each.path == path or each.path.startswith(f"{path}/")]
    found = tree.find(named)
    assert (found.before, found.at) == (within[0].id, within[0].path)


@pytest.mark.parametrize("at", ["step:0", "9/9/9"])
def test_a_place_that_an_episode_lacks_is_named(tree: RecordedEpisode, at: str) -> None:
    with pytest.raises(NoSuchPlace, match=r"--at: expected .*torch/0/0"):
        tree.find(at)


@pytest.mark.parametrize("at", ["", "step", "step:x", "step:-1", "steps:3", "beehive/0/0/2", "2//1", "end"])
def test_what_is_no_place_is_refused_with_what_is_one(tree: RecordedEpisode, at: str) -> None:
    with pytest.raises(UsageError, match=r"--at: expected step:N, call:N, trial:N, node:N, a path") as refused:
        tree.find(at)
    assert not isinstance(refused.value, NoSuchPlace)
