"""What `show` and `report` print of a run that learns, and of a long one."""

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.messages.paths import episode_path
from quintet.messages.reflection import Reflected
from tests.actors.pictured import picture_at
from tests.command import command, printed, refused
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went
from tests.deploy.studies.grids import grid, write_grid
from tests.deploy.trees import EPISODE, comb, node, write_events


@pytest.fixture
def learning_run(tmp_path: Path) -> Path:
    reflected = Reflected(summary="It crafted nothing.", flaws="No log was fetched.", revision="Fetch a log first.")
    steps = [
        Step({"stick": LOST}, "Fetch a log.", {"stick": reflected}),
        Step({"torch": Went()}, "Fetch a log."),
    ]
    measured = {0: {"beehive": LOST, "cake": LOST}, 2: {"beehive": Went(), "cake": LOST}}
    return learning_runs.write(tmp_path / "learnt", learning_runs.record(("stick", "torch")), steps, measured, chosen=2)


def test_a_run_that_learns_shows_how_its_plan_changed_and_what_each_version_scores(learning_run: Path) -> None:
    lines = printed("show", learning_run).splitlines()
    assert lines[:5] == [
        "autoplan, sim-weak (simulated), version 2 of 6 chosen",
        "Version 0: empty",
        "Version 1: 1 line, from a batch that solved 0 of 1",
        "  + Fetch a log.",
        "Version 2: unchanged, from a batch that solved 1 of 1, chosen",
    ]
    assert lines[6] == "By version"
    assert lines[10].split() == ["2,", "chosen", "1", "line,", "unchanged", "-", "2", "50.0", "(9,", "91)"]
    assert lines[12] == "Training episodes"
    assert lines[14].split()[:4] == ["stick/0/0", "0", "1", "no"]
    assert lines[15].split()[:4] == ["torch/1/0", "1", "1", "yes"]
    assert lines[17] == "Episodes with the test tasks"
    assert [line.split()[0] for line in lines[19:21]] == ["beehive/2/0", "cake/2/0"]
    assert lines[-1] == f"the learner's own conversation: quintet show {learning_run} '~learn'"


def test_its_episodes_and_its_learner_are_shown_by_name(learning_run: Path) -> None:
    assert printed("show", learning_run, "beehive").startswith("beehive/2/0, autoplan, sim-weak (simulated)\n")
    assert printed("show", learning_run, "beehive/0").startswith("beehive/0/0, ")
    assert "reflect: stick -> summary, flaws, revision" in printed("show", learning_run, "~learn")
    assert "--- completion" in printed("show", learning_run, "~learn", "--call", 1)


def test_a_run_that_is_interrupted_shows_how_far_it_came(tmp_path: Path) -> None:
    step = Step({"stick": Went(None)}, None)
    learning_runs.write(tmp_path / "learnt", learning_runs.record(("stick",)), [step])
    shown = printed("show", tmp_path / "learnt")
    assert "still learning, version 0 of 6" in shown
    assert "Version 1: under way, from a batch that solved 0 of 1, 1 under way" in shown


def test_a_report_has_the_curve_and_what_a_question_took(learning_run: Path) -> None:
    shown = printed("report", learning_run)
    headings = ["Success in percent", "Per episode, mean", "By version", "Cost per question", "cost per question: "]
    assert sorted(headings, key=shown.index) == headings


def test_a_long_run_is_listed_page_by_page(tmp_path: Path) -> None:
    record = samples.record("react", ("beehive", "cake"), run={"epochs": 150})
    path = samples.write(tmp_path / "run", record, {"beehive": Went(), "cake": LOST})
    first = printed("show", path)
    assert [first.count(task) for task in ("beehive/", "cake/")] == [100, 100]
    assert "react, sim-weak (simulated), 2 of 300 done" in first
    more = f"the next: quintet show {path} --page 2; all: quintet report {path} --csv"
    assert f"episodes 1 to 200 of 300; {more}" in first
    second = printed("show", path, "--page", 2)
    assert [f"beehive/{epoch}/0" in second for epoch in (99, 100, 149)] == [False, True, True]
    assert f"episodes 201 to 300 of 300; all: quintet report {path} --csv" in second
    for page in (0, 3):
        assert f"--page: expected 1 to 2, got {page}" in refused("show", path, "--page", page)


def test_an_episode_of_several_phases_ends_with_what_each_spent(tmp_path: Path) -> None:
    went = {"beehive": Went(calls=3, phases=("candidates", "values")), "cake": Went(calls=2)}
    path = samples.write(tmp_path / "run", samples.record("react", tuple(went)), went)
    *_, title, _, candidates, values = printed("show", path, "beehive").strip().splitlines()
    assert title == "By phase"
    assert [candidates.split(), values.split()] == [["candidates", "2", "200", "20"], ["values", "1", "100", "10"]]
    assert "By phase" not in printed("show", path, "cake")
    assert "By phase" not in printed("show", path, "beehive", "--call", 1)


def test_a_tree_is_printed_with_the_run_unfinished(tmp_path: Path) -> None:
    nodes = [node(0, None), node(1, 0, "take \x1b[31mmug"), node(2, 0, standing="pruned")]
    path = write_events(tmp_path / "run", nodes)
    assert printed("show", path, "beehive", "--tree").splitlines() == [
        "beehive/0/0, react, sim-weak (simulated)",
        "tree beehive/0/0: 3 nodes, 1 pruned",
        "0 root",
        "├─ 1 take \\u001b[31mmug",
        "└─ 2 look  (pruned)",
    ]


def test_an_unfinished_episode_has_no_seconds(tmp_path: Path) -> None:
    went = {"beehive": Went(None, calls=3), "cake": Went()}
    path = samples.write(tmp_path / "run", samples.record("react", tuple(went)), went)
    rows = [line.split() for line in printed("show", path).splitlines() if line.startswith(("beehive", "cake"))]
    assert [row[-3:] for row in rows] == [["330", "-", "unfinished"], ["110", "1.50", "solved"]]


def test_a_printed_command_can_be_pasted(tmp_path: Path) -> None:
    episode = episode_path("polished granite stairs", 0, 0)
    events = [replace(event, path=event.path.replace(EPISODE, episode), tree=episode) for event in comb(150)]
    path = write_events(tmp_path / "a run", events, episode)
    note = printed("show", path, "polished granite stairs", "--tree").splitlines()[-1]
    program, *arguments = shlex.split(note.partition("the next: ")[2].partition(";")[0])
    assert program == "quintet"
    assert "lines 201 to 301 of 301" in printed(*arguments)


def test_a_large_tree_is_printed_page_by_page_and_whole_in_a_file(tmp_path: Path) -> None:
    path = write_events(tmp_path / "run", comb(300))
    first = printed("show", path, "beehive", "--tree").splitlines()
    command = f"quintet show {path} beehive/0/0 --tree"
    assert len(first) == 1 + 200 + 1
    assert first[-1] == f"lines 1 to 200 of 601; the next: {command} --page 2; all: {command} FILE.html"
    last = printed("show", path, "beehive", "--tree", "--page", 4).splitlines()
    assert last[1].endswith(" 300 wait")
    assert last[-1] == f"lines 601 to 601 of 601; all: {command} FILE.html"
    assert "--page: expected 1 to 4, got 5" in refused("show", path, "beehive", "--tree", "--page", "5")
    for name in ("tree.html", "tree.svg"):
        assert printed("show", path, "beehive", "--tree", tmp_path / name) == f"{tmp_path / name}\n"
        assert (tmp_path / name).read_text(encoding="utf-8").count("<circle") == 600


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("beehive --tree x.png", "--tree: expected a file named *.svg or *.html, got x.png"),
        ("beehive --tree missing/x.svg", "--tree: expected a folder that can be written, got No such file"),
        ("beehive --tree x.svg --page 2", "--page: expected no file, got x.svg (--page 2)"),
        ("--tree", "--tree: expected an episode before it, got none"),
        ("--call 1", "--call: expected an episode before it, got none"),
        ("--picture 1 page.jpg", "--picture: expected an episode before it, got none (--picture 1)"),
        ("beehive --tree --call 1", "expected one of --tree, --call and --picture, got --tree and --call"),
        ("beehive --call 1 --picture 1 page.jpg", "expected one of --tree, --call and --picture, got"),
        ("beehive --picture 1 page.jpg", "expected an episode with pictures, got 1"),
        ("cake --tree", "episode: expected "),
        ("beehive --call 1 --page 2", "--page: expected a run's episodes to list"),
        ("beehive --failed", "--failed: expected a run's episodes to list, got the episode 'beehive'"),
    ],
)
def test_what_cannot_be_shown_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    path = write_events(tmp_path / "run", comb(2))
    monkeypatch.chdir(tmp_path)
    assert said in refused("show", path, *words.split())


def test_of_a_study_failed_episodes_are_refused_with_the_command_that_lists_those_of_an_arm(tmp_path: Path) -> None:
    path = write_grid(tmp_path / "study", grid(), {}).path
    said = refused("show", path, "--failed")
    assert f"got the arms of a study; those of an arm: quintet show {path} react+sim-weak-seed-0 (--failed)" in said


def test_where_no_search_was_run_the_episodes_with_trees_are_named(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "run", samples.record("react", ("beehive",)), {"beehive": Went()})
    err = refused("show", path, "beehive", "--tree")
    assert "expected an episode with a search tree, got a run of which none has one" in err


def test_a_damaged_node_is_left_out_of_the_tree_and_named(tmp_path: Path) -> None:
    path = write_events(tmp_path / "run", [node(0, None), node(1, 0), node(2, 1, "wait")])
    with closing(sqlite3.connect(path / "journal.sqlite")) as vandal, vandal:
        vandal.execute("UPDATE _nodes SET standing = 9 WHERE node = 1")
    said = command("show", path, "beehive", "--tree", code=2)
    assert said.out.splitlines()[1:] == ["tree beehive/0/0: 2 nodes", "0 root", "2 wait"]
    assert "expected a row of this version" in said.err


def test_a_missing_call_of_a_damaged_episode_names_the_damage(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "run", samples.record("react", ("beehive",)), {"beehive": Went()})
    with closing(sqlite3.connect(path / "journal.sqlite")) as vandal:
        vandal.execute("UPDATE _starts SET incarnation = 'junk'")
        vandal.commit()
    assert "expected a row of this version" in refused("show", path, "beehive", "--call", "99")


def test_only_the_failed_episodes_are_listed_a_page_at_a_time(tmp_path: Path) -> None:
    went = {
        "beehive": Went(),
        "cake": Went("unsolved", 0.0),
        "stick": Went("faulted", 0.0),
        "torch": Went("solved", 0.5),
        "ladder": Went(None),
    }
    run = samples.write(tmp_path / "run", samples.record("react", went), went)
    lines = printed("show", run, "--failed").splitlines()
    assert lines[1] == "react, sim-weak (simulated), 4 of 5 done, 1 faulted, 3 of them failed"
    assert [line.split()[0] for line in lines[3:] if line] == ["cake/0/0", "stick/0/0", "torch/0/0"]
    assert " reward  claimed " in lines[2]  # since a part of one was earned
    assert " 0.50 " in lines[5]
    assert "--page: expected 1 to 1, got 2" in refused("show", run, "--failed", "--page", "2")
    run = samples.write(tmp_path / "other", samples.record(), {"beehive": Went()})
    assert "reward" not in printed("show", run)
    assert printed("show", run, "--failed").split("\n")[-2] == "no episode failed"


def test_a_picture_of_a_step_is_named_and_written_to_a_file(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record(), {"beehive": Went(pictures=True)})
    assert f"picture 2: {len(picture_at(1))} bytes" in printed("show", run, "beehive")
    file = tmp_path / "page.jpg"
    assert printed("show", run, "beehive", "--picture", 2, file).strip() == str(file)
    assert file.read_bytes() == picture_at(1)
    assert "--picture: expected 1 to 2, got 3" in refused("show", run, "beehive", "--picture", 3, file)
    assert "--picture: expected" in refused("show", run, "beehive", "--picture", 1, "/dev/null/page.jpg")
