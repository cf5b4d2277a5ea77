"""What a page is told of forks: where one can begin, what an episode goes on from, and what goes on from it."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate, fork
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.forks.places import RecordedEpisode
from quintet.journal.codes import event_range
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.run_folder import RunFolder
from quintet.view.folder import ViewedFolder
from quintet.view.resources import answer

METHODS = ("react", "adapt", "lats", "reflexion")
EPISODE = "polished granite stairs/0/0"
SECOND = "hopper minecart/0/0"


def _ask(root: Path, name: str, **query: object) -> Any:
    return json.loads(answer(ViewedFolder(root), name, {key: str(value) for key, value in query.items()}))


def _blocks(root: Path, run: str, episode: str = EPISODE) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = _ask(root, "blocks", run=run, episode=episode)["blocks"]
    return found


def _fork(
    folder: Path, name: str, at: str, *, observe: str | None = None, say: str | None = None
) -> list[EpisodeEnded]:
    return fork(folder / "react", at=at, episode=EPISODE, observe=observe, say=say, journal=folder / name)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for method in METHODS:
        evaluate(method, "textcraft", model="sim-fallible", tasks=2, journal=folder / method)
    made = [
        fork(folder / "react", at="step:3", times=2, journal=folder / "draws"),
        _fork(folder, "observed", "step:2", observe="Nothing here."),
        _fork(folder, "said", "call:4", say="Think: no.\nAction: inventory"),
        _fork(folder, "begun anew", "start"),
        fork(folder / "observed", at="step:5", episode=EPISODE, journal=folder / "below" / "again"),
    ]
    assert {episode.state for episodes in made for episode in episodes} <= {"solved", "unsolved"}
    return folder


@pytest.mark.parametrize("method", METHODS)
def test_every_place_that_a_block_names_is_found_and_is_that_of_the_block(runs: Path, method: str) -> None:
    reader = RunFolder.open_to_read(runs / method).read_journal()
    assert reader is not None
    with closing(reader):
        row = reader.episode(EpisodePath(EPISODE))
        assert row is not None
        recorded = RecordedEpisode(reader, row)
        for block in _blocks(runs, method):
            if block["kind"] == "episode_ended":
                assert "at" not in block
                continue
            place, path = recorded.find(block["at"]), block["path"]
            if block["kind"] == "trial_ended":
                ended = next(event for event in recorded.events if f"{EPISODE}/{event.path}" == path)
                assert place.before > ended.id
            elif block["at"] == "start":
                assert place.before == event_range(row.number)[0]
            else:
                assert f"{EPISODE}/{place.at}/".startswith(f"{path}/")


def test_steps_calls_and_trials_are_named_by_their_numbers_and_other_places_by_their_paths(runs: Path) -> None:
    named = {(block["kind"], block["at"]) for block in _blocks(runs, "react") if "at" in block}
    assert {("step_taken", "step:1"), ("call_made", "call:2"), ("exchanged", "2"), ("exchanged", "start")} <= named
    trials = [block["at"] for block in _blocks(runs, "reflexion") if block["kind"] == "trial_ended"]
    assert trials == [f"trial:{number + 2}" for number in range(len(trials))]
    assert trials


@pytest.mark.parametrize(
    ("run", "at", "begins", "copied"),
    [("observed", "step:2", "step:2", 4), ("said", "call:4", "call:4", 7), ("begun anew", "start", "1", 0)],
)
def test_an_episode_of_a_fork_says_what_it_goes_on_from_and_where_its_live_part_begins(
    run: str, at: str, begins: str, copied: int, runs: Path
) -> None:
    origin = _ask(runs, "episode", run=run, episode=EPISODE)["origin"]
    assert (origin["run"], origin["episode"], origin["at"]) == ("react", EPISODE, at)
    assert origin["folder"] == str(runs / "react")
    blocks = _blocks(runs, run)
    live = [place for place, block in enumerate(blocks) if block.get("origin") == "begins"]
    assert live == [origin["block"]]
    assert blocks[origin["block"]]["at"] == begins
    told = [place for place, block in enumerate(blocks) if block.get("origin") == "copied"]
    assert len(told) == copied
    assert all(place < origin["block"] for place in told)
    recorded = _blocks(runs, "react")
    assert [blocks[place]["text"] for place in told] == [recorded[place]["text"] for place in told]


def test_an_episode_that_began_by_itself_goes_on_from_none(runs: Path) -> None:
    assert _ask(runs, "episode", run="react", episode=EPISODE)["origin"] is None
    assert {block.get("origin", "") for block in _blocks(runs, "react")} == {""}


def test_a_tree_has_one_place_where_its_live_part_begins(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "lats", tmp_path / "lats")
    fork(tmp_path / "lats", at="step:3", episode=EPISODE, observe="Nothing here.", journal=tmp_path / "other")
    origins = [(block["at"], block["text"]) for block in _blocks(tmp_path, "other") if block.get("origin") == "begins"]
    assert origins == [("step:3", "Nothing here.")]


def test_the_forks_of_an_episode_are_listed_by_their_places_with_how_they_ended(runs: Path) -> None:
    forks = _ask(runs, "forks", run="react", episode=EPISODE)
    named = [(each["run"], each["path"], each["at"], each["draw"]) for each in forks]
    assert named == [
        ("begun anew", EPISODE, "start", 0),
        ("observed", EPISODE, "step:2", 0),
        ("draws", EPISODE, "step:3", 1),
        ("draws", "polished granite stairs/1/0", "step:3", 2),
        ("said", EPISODE, "call:4", 0),
    ]
    ended = _ask(runs, "episode", run="observed", episode=EPISODE)
    assert (forks[1]["state"], forks[1]["reward"]) == (ended["state"], ended["reward"])
    assert forks[1]["steps"] == sum(block["kind"] == "step_taken" for block in _blocks(runs, "observed"))
    assert forks[1]["changes"] == ["observe 'Nothing here.'"]
    assert [each["at"] for each in _ask(runs, "forks", run="react", episode=SECOND)] == ["step:3", "step:3"]
    assert _ask(runs, "forks", run="adapt", episode=EPISODE) == []


def test_a_fork_of_a_fork_is_found_in_a_folder_below(runs: Path) -> None:
    forks = _ask(runs, "forks", run="observed", episode=EPISODE)
    assert [(each["run"], each["at"]) for each in forks] == [("below/again", "step:5")]
    copied = [block for block in _blocks(runs, "below/again") if block.get("origin") == "copied"]
    assert "Nothing here." in [block["text"] for block in copied]


def test_a_recorded_episode_elsewhere_is_named_but_no_link(runs: Path) -> None:
    origin = _ask(runs / "observed", "episode", run=".", episode=EPISODE)["origin"]
    assert (origin["run"], origin["folder"]) == (None, str(runs / "react"))
    assert _ask(runs / "react", "forks", run=".", episode=EPISODE) == []


def test_a_fork_and_its_run_are_found_after_a_move_but_not_one_that_cannot_be_read(runs: Path, tmp_path: Path) -> None:
    for name in ("react", "observed", "said"):
        shutil.copytree(runs / name, tmp_path / "moved" / name)
    (tmp_path / "moved" / "said" / "run.json").write_text("{")
    viewed = tmp_path / "moved"
    assert [each["run"] for each in _ask(viewed, "forks", run="react", episode=EPISODE)] == ["observed"]
    assert _ask(viewed, "episode", run="observed", episode=EPISODE)["origin"]["run"] == "react"
    shutil.copytree(runs / "adapt", tmp_path / "other" / "react")
    shutil.copytree(runs / "observed", tmp_path / "other" / "observed")
    assert _ask(tmp_path / "other", "forks", run="react", episode=EPISODE) == []
    assert _ask(tmp_path / "other", "episode", run="observed", episode=EPISODE)["origin"]["run"] is None


def test_a_task_that_has_not_begun_has_no_forks_to_list(runs: Path) -> None:
    with pytest.raises(UsageError, match=r"episode: expected .*, got 'beehive'"):
        _ask(runs, "forks", run="react", episode="beehive")


def test_the_episodes_of_a_fork_name_those_that_they_go_on_from(runs: Path) -> None:
    of = {each["path"]: each["of"] for each in _ask(runs, "episodes", run="draws")["episodes"]}
    assert of == {
        EPISODE: EPISODE,
        "polished granite stairs/1/0": EPISODE,
        SECOND: SECOND,
        "hopper minecart/1/0": SECOND,
    }
    assert all("of" not in each for each in _ask(runs, "episodes", run="react")["episodes"])
