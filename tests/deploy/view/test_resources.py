"""What a page is told of runs, episodes, trees, versions and memories."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from quintet.errors import UsageError
from quintet.events import Recalled
from quintet.launch.writable_run import WritableRun
from quintet.memory.ids import tuple_id
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.paths import child, episode_path
from quintet.view.folder import OutsideViewedFolder, ViewedFolder, ViewedRunGone
from quintet.view.resources import answer, request_key
from tests.deploy import learning_runs, samples, trees
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.memory.notebooks import EGG, a_notebook_of_versions
from tests.deploy.memory.samples import a_memory
from tests.deploy.samples import Went
from tests.deploy.studies.compared import went
from tests.deploy.studies.grids import grid, write_grid

EPISODE = "beehive/0/0"


def _ask(root: Path, name: str, **query: object) -> Any:
    return json.loads(answer(ViewedFolder(root), name, {key: str(value) for key, value in query.items()}))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    record = samples.record("adapt", ["beehive", "cake", "stick"])
    went = {"beehive": Went(calls=2), "cake": Went("unsolved", 0.0, finish="length"), "stick": Went("faulted", 0.0)}
    samples.write(folder / "ours", record, went)
    samples.write(folder / "theirs", samples.record("react", ["beehive", "cake"]), {"beehive": LOST, "cake": LOST})
    return folder


def test_the_runs_of_a_folder_are_listed_with_how_far_they_came(runs: Path) -> None:
    listed = {run["run"]: run for run in _ask(runs, "runs")["runs"]}
    assert set(listed) == {"ours", "theirs"}
    assert (listed["ours"]["state"], listed["ours"]["episodes"], listed["ours"]["faulted"]) == ("faulted", 3, 1)


def test_a_run_is_shown_with_its_figures_and_the_tables_of_its_report(runs: Path) -> None:
    run = _ask(runs, "run", run="ours")
    assert run["type"] == "run"
    assert run["success"][0] == 0.5
    assert run["states"] == {"solved": 1, "unsolved": 1, "faulted": 1}
    assert run["metadata"]["recipe depth"]
    assert run["tables"][0]["title"] == "Success in percent (95 % interval)"
    assert (run["learns"], run["remembers"], run["searches"]) == (False, False, False)


def test_episodes_come_in_pages_and_say_what_filters_ask(runs: Path) -> None:
    first = _ask(runs, "episodes", run="ours", most=2)
    rest = _ask(runs, "episodes", run="ours", first=2)
    assert (first["total"], len(first["episodes"]), len(rest["episodes"])) == (3, 2, 1)
    by_task = {each["task"]: each for each in first["episodes"] + rest["episodes"]}
    assert by_task["beehive"]["success"] is True
    assert by_task["cake"]["success"] is False
    assert "success" not in by_task["stick"]
    assert by_task["stick"]["state"] == "faulted"


def test_an_episode_is_cut_short_and_a_completion_is_cut_off(tmp_path: Path) -> None:
    went = {"beehive": Went("unsolved", 0.0, finish="length"), "cake": Went("unsolved", 0.0, cut_short=True)}
    samples.write(tmp_path / "run", samples.record("react", went), went)
    episodes = {each["task"]: each for each in _ask(tmp_path, "episodes", run="run")["episodes"]}
    assert [(each["cut_short"], each["cut_off"]) for each in episodes.values()] == [(False, True), (True, False)]


def test_a_conversation_comes_in_pages_with_prompts_apart(runs: Path) -> None:
    episode = _ask(runs, "episode", run="ours", episode="beehive")
    assert (episode["path"], episode["state"], episode["attempts"]) == (EPISODE, "solved", [EPISODE])
    assert episode["requests"][0]["request"] == "solve"
    pages = [_ask(runs, "blocks", run="ours", episode=EPISODE, first=first, most=2) for first in range(0, 10, 2)]
    blocks = [block for page in pages for block in page["blocks"]]
    assert len(blocks) == pages[0]["total"] == episode["blocks"]
    calls = [block for block in blocks if block.get("call")]
    assert [call["call"] for call in calls] == [1, 2]
    prompts = {each["address"]: each for each in _ask(runs, "prompts", run="ours", episode=EPISODE)}
    at, found = calls[1]["prompt"], list[str]()
    while at is not None:
        found.append(prompts[at]["content"])
        at = prompts[at]["parent"]
    assert found[::-1] == ["You craft.", "Goal: craft beehive.", "Think: 0.\nAction: get 1 log", "Got 1 log"]


def test_an_episode_names_the_turns_that_a_person_looks_for(runs: Path) -> None:
    def marks(task: str) -> list[tuple[str, str]]:
        episode = _ask(runs, "episode", run="ours", episode=task)
        blocks = _ask(runs, "blocks", run="ours", episode=task)["blocks"]
        return [(each["mark"], blocks[each["block"]]["kind"]) for each in episode["marks"]]

    assert marks("beehive") == [("rejected", "step_taken")]
    assert marks("cake") == [("cut off", "call_made")]
    assert marks("stick") == [("failed", "episode_ended")]


def test_a_timeline_has_all_calls_of_a_run_and_none_before_it_begins(runs: Path, tmp_path: Path) -> None:
    found = _ask(runs, "timeline", run="ours")
    assert (sum(found["tokens"]), len(found["in_flight"]), found["usd"]) == (440, 60, None)
    WritableRun.create(tmp_path / "run", samples.record("react", ["beehive"])).close()
    assert _ask(tmp_path, "timeline", run="run")["in_flight"] == []


def test_a_study_is_a_matrix_of_cells_with_their_runs(tmp_path: Path) -> None:
    runs = {f"react+sim-weak-seed-{seed}": went(1, -1, 1, 1) for seed in (0, 1)}
    write_grid(tmp_path / "study", grid(), {**runs, "standard+sim-weak-seed-1": went(1, 0, 1, 1)})
    study = _ask(tmp_path, "run", run="study")
    assert [(axis["name"], axis["levels"]) for axis in study["axes"]] == [
        ("method", ["react", "standard"]),
        ("model", ["sim-weak", "sim-strong"]),
    ]
    cells = {cell["name"]: cell for cell in study["cells"]}
    assert {name: (cell["state"], [run["run"] for run in cell["runs"]]) for name, cell in cells.items()} == {
        "react+sim-weak": ("done", [f"study/arms/{run}" for run in runs]),
        "react+sim-strong": ("not begun", []),
        "standard+sim-weak": ("unfinished", ["study/arms/standard+sim-weak-seed-1"]),
        "standard+sim-strong": ("not begun", []),
    }
    assert cells["react+sim-weak"]["success"][0] == 0.75
    assert study["tables"]


def test_two_runs_are_compared_on_the_tasks_that_ended_in_both(runs: Path) -> None:
    compared = _ask(runs, "compare", ours="ours", theirs="theirs")
    assert compared["differences"][0] == {"group": "all", "tasks": 2, "points": compared["differences"][0]["points"]}
    assert compared["differences"][0]["points"][0] == 0.5


def test_a_tree_has_its_nodes_in_order_with_values_and_standings(tmp_path: Path) -> None:
    nodes = [trees.node(0, None), trees.node(1, 0, standing="pruned"), trees.node(2, 0, standing="chosen")]
    trees.write_events(tmp_path / "run", nodes)
    (tree,) = _ask(tmp_path, "trees", run="run", episode=EPISODE)
    shown = [(node[0], node[1], node[9]) for node in tree["nodes"]]
    assert shown == [(0, 0, "open"), (1, 1, "pruned"), (2, 1, "chosen")]
    assert (tree["pruned"], tree["chosen"]) == (1, [2])
    assert _ask(tmp_path, "run", run="run")["searches"]
    assert _ask(tmp_path, "episode", run="run", episode=EPISODE)["searches"]


def test_versions_are_shown_with_what_changed_between_any_two(tmp_path: Path) -> None:
    record = learning_runs.record(["stick", "map", "bowl", "torch"])
    first, second = {"stick": Went(), "map": LOST}, {"bowl": Went(), "torch": Went()}
    steps = [Step(first, "1. Look."), Step(second, "1. Look.\n2. Craft.")]
    learning_runs.write(tmp_path / "run", record, steps)
    found = _ask(tmp_path, "versions", run="run")
    assert (found["kind"], [version["number"] for version in found["versions"]]) == ("plan", [0, 1, 2])
    changes = _ask(tmp_path, "changes", run="run", before=0, after=2)
    assert [line["text"].strip() for line in changes if line["style"] == "added"] == ["+ 1. Look.", "+ 2. Craft."]
    uses = {each["task"]: each.get("use", "test") for each in _ask(tmp_path, "episodes", run="run")["episodes"]}
    assert uses["stick"] == "training"
    with pytest.raises(UsageError, match=r"version: expected one of \[0, 1, 2\], got 9"):
        _ask(tmp_path, "changes", run="run", before=0, after=9)


def test_a_tuple_says_where_it_comes_from_and_where_it_was_recalled(tmp_path: Path) -> None:
    path = child(episode_path("beehive", 0, 0), 7)
    recalled = Recalled(path=path, version=1, batch=1, ids=(tuple_id(1, 0, 0), tuple_id(1, 0, 1)))
    trees.write_events(tmp_path / "run", [recalled])
    a_memory(tmp_path / "run" / MEMORY_FILE).close()
    memory = _ask(tmp_path, "memory", run="run")
    assert memory["types"][0]["name"] == "heat things"
    page = _ask(tmp_path, "tuples", run="run", most=3)
    assert [(each["recalls"], each["paths"]) for each in page["tuples"]] == [(1, [path]), (1, [path]), (0, [])]
    assert page["tuples"][0]["shown"]["tuple"]["source"] == "heat/0/0"
    assert page["more"]
    (block,) = _ask(tmp_path, "blocks", run="run", episode=EPISODE)["blocks"]
    shown = _ask(tmp_path, "recalled", run="run", version=block["version"], ids=",".join(block["tuples"]))
    assert [each["id"] for each in shown["tuples"]] == block["tuples"]


def test_a_recalled_note_is_shown_as_it_was_in_the_version_that_was_recalled_from(tmp_path: Path) -> None:
    trees.write_events(tmp_path / "run", [])
    store, ids = a_notebook_of_versions(tmp_path / "run" / MEMORY_FILE)
    store.close()
    for version, text in (
        (1, EGG.text),
        (2, "Open it, heat the egg, close it."),
        (-1, "Open it, heat the egg, close it."),
    ):
        (shown,) = _ask(tmp_path, "recalled", run="run", version=version, ids=str(ids[0]))["tuples"]
        assert shown["note"]["stored"]["note"]["text"] == text


@pytest.mark.parametrize("run", ["..", "../outside", "/etc", "ours/../../outside", "link", "a\0b"])
def test_nothing_outside_the_folder_is_shown(run: str, runs: Path, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    shutil.copytree(runs, inside)
    shutil.copytree(runs / "ours", tmp_path / "outside")
    (inside / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(OutsideViewedFolder, match="run: expected a run in "):
        _ask(inside, "run", run=run)


def test_what_was_written_since_is_read_and_a_run_that_was_deleted_is_gone(tmp_path: Path) -> None:
    folder = samples.write(tmp_path / "run", samples.record("react", ["beehive", "cake"]), {"beehive": Went()})
    assert _ask(tmp_path, "run", run="run")["states"]["not begun"] == 1
    with WritableRun.open(folder) as run:
        samples.journal(run, {"cake": Went()})
    assert _ask(tmp_path, "run", run="run")["states"] == {"solved": 2}
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(ViewedRunGone, match="it was removed or renamed"):
        _ask(tmp_path, "run", run="run")


@pytest.mark.parametrize(
    ("name", "query", "expected"),
    [
        ("passwords", {}, "view: expected one of runs, run, .*, got 'passwords'"),
        ("episodes", {"run": "ours", "first": "many"}, "view: episodes: Expected `int`"),
        ("episodes", {"run": "ours", "file": "x"}, "view: episodes: Object contains unknown field `file`"),
        ("versions", {"run": "ours"}, "versions: expected a run that learns, got one that does not"),
        ("memory", {"run": "ours"}, "memory: expected a run that has one, got one without"),
        ("trees", {"run": "ours", "episode": EPISODE}, "--tree: expected an episode with a search tree"),
        ("recalled", {"run": "ours", "ids": "a"}, "ids: expected whole numbers, separated by commas, got 'a'"),
        ("recalled", {"run": "ours", "ids": str(2**63)}, "ids: expected whole numbers, separated by commas, got '92"),
        ("blocks", {"run": "ours", "episode": EPISODE, "first": "-1"}, "view: blocks: Expected `int` >= 0"),
    ],
)
def test_a_wrong_question_says_what_was_expected(name: str, query: dict[str, str], expected: str, runs: Path) -> None:
    with pytest.raises(UsageError, match=expected):
        _ask(runs, name, **query)


def test_a_key_is_the_same_in_any_order() -> None:
    keys = {request_key("run", query) for query in ({"b": "é", "a": '"'}, {"a": '"', "b": "é"})}
    assert keys == {'["run",["a","\\""],["b","é"]]'}
