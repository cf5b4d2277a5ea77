"""The episodes that an SQL condition over the view `episodes` chooses, and what is said of a wrong one."""

from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.journal.writer import SqliteJournal
from quintet.launch.shards import begin_sharded, open_shard
from quintet.messages.paths import LEARNER
from quintet.runs.chosen_episodes import choose_episodes
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.journal.records import changed
from tests.deploy.samples import Went

TASKS = ("beehive", "barrel", "ladder", "torch", "bowl", "chest")
WENT = {
    "bowl": Went(state="unsolved", reward=0.5, calls=3),
    "beehive": Went(),
    "barrel": Went(state="unsolved", reward=0.0, calls=2),
    "ladder": Went(state="faulted", reward=0.0),
    "torch": Went(state=None),
}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    samples.write(tmp_path / "run", samples.record("react", TASKS), WENT)
    return RunFolder.open_to_read(tmp_path / "run")


def chosen(run: RunFolder, where: str = "") -> list[str]:
    return [row.path for row in choose_episodes(run, where)]


def test_without_a_condition_every_result_is_chosen_in_the_order_of_the_tasks(run: RunFolder) -> None:
    assert chosen(run) == ["beehive/0/0", "barrel/0/0", "bowl/0/0"]


@pytest.mark.parametrize(
    ("where", "tasks"),
    [
        ("reward < 1", ["barrel", "bowl"]),
        ("unsolved", ["barrel", "bowl"]),
        (" solved ", ["beehive"]),
        ("reward < 1 AND steps > 2", ["bowl"]),
        ("task LIKE 'b%' -- all that begin so", ["beehive", "barrel", "bowl"]),
        ("1) OR (1", ["beehive", "barrel", "bowl"]),
    ],
)
def test_a_condition_is_over_the_columns_of_the_view(run: RunFolder, where: str, tasks: list[str]) -> None:
    assert chosen(run, where) == [f"{task}/0/0" for task in tasks]


def test_only_the_newest_attempt_counts_and_only_if_it_has_a_result(run: RunFolder) -> None:
    samples.journal(run, {"barrel": Went(), "beehive": Went(state=None)}, attempt=1)
    assert chosen(run) == ["barrel/0/1", "bowl/0/0"]
    assert chosen(run, "unsolved") == ["bowl/0/0"]


def test_a_learner_is_no_episode(run: RunFolder) -> None:
    journal = SqliteJournal(run.journal)
    journal.begin(LEARNER)
    journal.close()
    assert len(chosen(run)) == 3


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("rewrd < 1", r"got 'rewrd < 1': no such column: rewrd"),
        ("reward <", "syntax error"),
        ("max(reward)", "misuse of aggregate"),
        ("1); DELETE FROM _episodes; SELECT (1", "one statement at a time"),
        ("path = json_extract('{', '$')", "malformed JSON"),
    ],
)
def test_a_wrong_condition_is_refused_with_the_columns_and_changes_nothing(
    run: RunFolder, where: str, problem: str
) -> None:
    before = run.journal.read_bytes()
    wanted = "expected an SQL condition over the columns id, path, task, .*, figures"
    with pytest.raises(UsageError, match=rf"{wanted}; .*{problem}"):
        choose_episodes(run, where)
    assert run.journal.read_bytes() == before


def test_a_condition_that_nothing_meets_is_refused(run: RunFolder) -> None:
    with pytest.raises(UsageError, match=r"solved or not and that meets 'reward > 1', got none"):
        choose_episodes(run, "reward > 1")


def test_episodes_of_all_shards_are_chosen(tmp_path: Path) -> None:
    run = begin_sharded(tmp_path / "run", samples.prepared("react", TASKS, runtime={"shards": 2}))
    for shard in range(2):
        with open_shard(run, shard) as own:
            samples.journal(own, {task.name: WENT[task.name] for task in own.record.tasks if task.name in WENT})
    assert chosen(run) == ["beehive/0/0", "barrel/0/0", "bowl/0/0"]
    assert chosen(run, "unsolved") == ["barrel/0/0", "bowl/0/0"]
    assert run.part_with("barrel/0/0").path != run.part_with("bowl/0/0").path


def test_a_damaged_journal_is_refused(run: RunFolder) -> None:
    changed(run.journal, "UPDATE _episodes SET reward = 'much' WHERE id = 1")
    with pytest.raises(UsageError, match="the choice would lack what cannot be read"):
        choose_episodes(run)
