"""Which recorded episodes a fork goes on from, and what stands in the way."""

import asyncio
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from quintet.api import fork as fork_from_python
from quintet.config.settings import from_table
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import JournalFault, UsageError
from quintet.events import Recalled, Record, StepTaken
from quintet.forks.begin import PreparedFork, begin_fork
from quintet.forks.fork import Changes
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import prepare
from quintet.launch.shards import begin_sharded, open_shard
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import Path as EpisodePath
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from tests.deploy import samples
from tests.deploy.forks.forked import UNCHANGED, calls, copied, end, layers, play, recorded_run, records
from tests.deploy.samples import Went

pytestmark = pytest.mark.real_time

TASKS = ("beehive", "barrel", "ladder", "torch", "chest")
WENT = {
    "beehive": Went(calls=4),
    "barrel": Went(state="unsolved", reward=0.5, calls=2),
    "ladder": Went(state="faulted", reward=0.0, calls=2),
    "torch": Went(state=None, calls=2),
    "chest": Went(calls=1),
}


@pytest.fixture
def written(tmp_path: Path) -> RunFolder:
    """A run whose journal was written by hand, to be looked at."""
    samples.write(tmp_path / "run", samples.record("react", TASKS), WENT)
    return RunFolder.open_to_read(tmp_path / "run")


def of(fork: PreparedFork) -> list[str]:
    assert fork.run.record.fork is not None
    return [each.of for each in fork.run.record.fork.episodes]


def test_all_results_are_gone_on_with_unless_a_condition_or_an_episode_says_which(written: RunFolder) -> None:
    assert of(begin_fork(written, "call:1", UNCHANGED)) == ["beehive/0/0", "barrel/0/0", "chest/0/0"]
    assert of(begin_fork(written, "call:1", UNCHANGED, where="unsolved")) == ["barrel/0/0"]
    assert of(begin_fork(written, "call:1", UNCHANGED, episode="bee" + "hive")) == ["beehive/0/0"]


@pytest.mark.parametrize(("episode", "state"), [("ladder", "faulted"), ("torch/0/0", "unfinished")])
def test_an_episode_that_is_named_may_have_faulted_or_not_ended(written: RunFolder, episode: str, state: str) -> None:
    fork = begin_fork(written, "call:2", UNCHANGED, episode=episode).run.record.fork
    assert fork is not None
    assert [each.state for each in fork.episodes] == [state]


def test_episodes_without_such_a_place_are_left_out_and_counted(written: RunFolder) -> None:
    fork = begin_fork(written, "call:2", UNCHANGED)
    assert of(fork) == ["beehive/0/0", "barrel/0/0"]
    assert fork.notes == ["left out, since they have no such place: 1 of the recorded episodes"]
    with pytest.raises(UsageError, match=r"which has 4 of them, got call:9; nor has any of 2 others such a place"):
        begin_fork(written, "call:9", UNCHANGED)


def test_times_make_continuations_of_each_with_other_draws(written: RunFolder) -> None:
    fork = begin_fork(written, "call:1", UNCHANGED, where="reward < 1", times=3)
    assert fork.run.record.fork is not None
    assert [(each.epoch, each.draw) for each in fork.run.record.fork.episodes] == [(0, 1), (1, 2), (2, 3)]
    assert "the executor's temperature is 0, so the continuations of an episode may be the same" in fork.notes
    warmer = Changes([from_table({"model": {"temperature": 0.7}}, "a test")])
    assert begin_fork(written, "call:1", warmer, times=3).notes == []


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ({"episode": "beehive", "where": "solved"}, "--where: expected no EPISODE beside it, got 'beehive'"),
        ({"times": 0}, "--times: expected 1 to 10,000, got 0"),
        ({"where": "reward > 7"}, "expected one that was solved or not and that meets 'reward > 7', got none"),
        ({"episode": "bowl"}, "episode: expected .*'barrel'.* got 'bowl'"),
    ],
)
def test_what_chooses_no_episode_is_refused(written: RunFolder, which: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        begin_fork(written, "call:1", UNCHANGED, **which)


def test_a_run_over_several_drivers_is_read_from_its_parts(tmp_path: Path) -> None:
    whole = begin_sharded(tmp_path / "run", prepare([*layers("react", "textcraft", "run.tasks=4", "runtime.shards=2")]))
    for number in range(2):
        with open_shard(whole, number) as shard:
            asyncio.run(run_left(shard, RunCounters()))
    run = RunFolder.open_to_read(tmp_path / "run")
    fork = play(tmp_path / "fork", begin_fork(run, "step:2", UNCHANGED).run)
    assert fork.record.fork is not None
    assert len(fork.record.fork.episodes) == 4
    assert not fork.record.sharded
    for each in fork.record.fork.episodes:
        assert end(fork, each.episode).reward == end(run, EpisodePath(each.of)).reward
    assert results(fork).copied == 8


def recorded_in(world: type[TextCraft], folder: Path, *, tasks: int) -> RunFolder:
    tables = {"method": {"name": "react"}, "environment": {"name": world}, "run": {"tasks": tasks}}
    return play(folder, prepare([from_table(tables, "a test")]))


class Kept(TextCraft):
    """A world that keeps what is done to it, and has no way back."""

    name = "kept"
    repeats = False


def test_a_world_that_keeps_what_is_done_to_it_and_cannot_be_reset_is_refused(tmp_path: Path) -> None:
    run = recorded_in(Kept, tmp_path / "run", tasks=1)
    with pytest.raises(UsageError, match="or can be reset to its beginning, got kept, which keeps what is done to it"):
        begin_fork(run, "step:2", UNCHANGED, objects=[Kept])


class Reset(Kept):
    """The same, with a way back."""

    name = "reset"
    resets = 0

    async def reset(self) -> None:
        Reset.resets += 1


def test_a_world_that_can_be_reset_is_reset_and_played_up_to_the_place(tmp_path: Path) -> None:
    settings = [
        from_table({"method": {"name": "react"}, "environment": {"name": Reset}, "run": {"tasks": 2}}, "a test")
    ]
    run = play(tmp_path / "run", prepare(settings))
    Reset.resets = 0
    ends = fork_from_python(tmp_path / "run", at="step:2", objects=[Reset])
    assert Reset.resets == 1
    recorded = [end(run, EpisodePath(f"{path.path.split('/')[0]}/0/0")).reward for path in ends]
    assert [each.reward for each in ends] == recorded


def test_a_prompt_that_was_changed_by_hand_diverges_and_says_where(tmp_path: Path) -> None:
    shutil.copytree(Path("actors/quintet/methods/react/prompts"), tmp_path / "prompts")
    own = f"method.prompts={tmp_path / 'prompts'}"
    run = recorded_run(tmp_path / "run", "react", "textcraft", "run.tasks=1", own)
    for file in (tmp_path / "prompts").rglob("*.txt"):
        file.write_text(f"Be quick.\n{file.read_text()}")
    fork = play(tmp_path / "fork", begin_fork(run, "step:3", UNCHANGED).run)
    (task,) = (each.name for each in fork.record.tasks)
    ended = end(fork, EpisodePath(f"{task}/0/0"))
    assert ended.fault is not None
    assert ended.fault.kind == "ReplayMismatch"
    assert f"{task}/0/0/2/1: prompt: line 1:" in ended.why
    assert ended.why.endswith("got 'system: Be quick.'")
    with WritableRun.open(tmp_path / "fork") as folder:
        asyncio.run(run_left(folder, RunCounters(), retry_faulted=True))
    again = records(fork, EpisodePath(f"{task}/0/1"))
    assert len(copied(again)) == len(copied(records(fork, EpisodePath(f"{task}/0/0")))) > 0
    given = Changes([from_table({"method": {"prompts": str(tmp_path / "prompts")}}, "a test")])
    changed = play(tmp_path / "changed", begin_fork(run, "step:3", given).run)
    assert end(changed, EpisodePath(f"{task}/0/0")).fault is None


def test_another_version_of_the_world_or_the_method_is_refused(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", "run.tasks=1")
    run.record = run.record.model_copy(update={"world_version": "0.1"})
    with pytest.raises(UsageError, match=r"textcraft: expected version 0\.1, as recorded, got "):
        begin_fork(run, "step:1", UNCHANGED)


def test_a_fork_whose_origin_is_gone_says_so_keeps_what_it_has_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive", "torch"]')
    prepared = begin_fork(run, "step:3", UNCHANGED).run
    (tmp_path / "run").rename(tmp_path / "away")
    with WritableRun.create(tmp_path / "fork", prepared) as folder, pytest.raises(JournalFault) as gone:
        asyncio.run(run_left(folder, RunCounters()))
    assert str(tmp_path / "run") in str(gone.value)
    assert results(RunFolder.open_to_read(tmp_path / "fork")).ended == "interrupted"
    (tmp_path / "away").rename(tmp_path / "run")
    with WritableRun.open(tmp_path / "fork") as folder:
        asyncio.run(run_left(folder, RunCounters()))
    for task in ("beehive", "torch"):
        path = EpisodePath(f"{task}/0/0")
        assert end(folder, path) == end(run, path)
        assert len(calls(records(folder, path))) == len(calls(records(run, path)))


def test_without_an_origin_a_fork_that_has_begun_goes_on(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive"]')
    prepared = begin_fork(run, "step:3", UNCHANGED).run
    with WritableRun.create(tmp_path / "fork", prepared) as folder:
        asyncio.run(_leave_early(folder))
    (tmp_path / "run").rename(tmp_path / "away")
    with WritableRun.open(tmp_path / "fork") as folder:
        asyncio.run(run_left(folder, RunCounters()))
    reader = folder.read_journal()
    assert reader is not None
    with closing(reader):
        assert [row.incarnation for row in reader.episodes()] == [2]


async def _leave_early(folder: WritableRun) -> None:
    from quintet.launch.evaluation import open_evaluation

    async with open_evaluation(folder) as evaluation:
        stream = evaluation.stream(evaluation.left())
        async for _ in stream:
            break
        await stream.aclose()


def test_an_episode_that_was_cut_short_goes_on_with_its_limit_from_the_place_on(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive"]', "limits.episode_calls=4")
    path = EpisodePath("beehive/0/0")
    fork = play(tmp_path / "fork", begin_fork(run, "step:4", UNCHANGED, episode="beehive").run)
    assert len(calls(records(run, path))) == 4
    assert len(calls(copied(records(fork, path)))) == 4
    assert len(calls(records(fork, path))) == 8


def test_the_answers_of_a_judge_are_copied_with_the_steps(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "hotpotqa", "run.tasks=1", "model.judge.name=sim-weak")
    (task,) = (each.name for each in run.record.tasks)
    path = EpisodePath(f"{task}/0/0")
    last = len([each for each in records(run, path) if isinstance(each.event, StepTaken)])
    fork = play(tmp_path / "fork", begin_fork(run, f"step:{last}", UNCHANGED).run)
    assert end(fork, path) == end(run, path)
    assert len(calls(records(fork, path))) == len(calls(records(run, path)))


def test_a_memory_that_is_given_from_the_place_on_is_recalled_there(tmp_path: Path) -> None:
    learns = ["run.learn=true", "run.tasks=1", "learning.tasks=2"]
    learnt = recorded_run(tmp_path / "learnt", "reasoning_bank", "textcraft", *learns)
    run = recorded_run(tmp_path / "run", "reasoning_bank", "textcraft", "run.tasks=1", f"memory.source={learnt.path}@1")
    other = Changes([from_table({"memory": {"source": f"{learnt.path}@2"}}, "a test")])
    fork = play(tmp_path / "fork", begin_fork(run, "step:2", other).run)
    assert fork.record.memory is not None
    assert fork.record.memory.version == 2
    (task,) = (each.name for each in run.record.tasks)
    found = records(fork, EpisodePath(f"{task}/0/0"))
    assert [each.incarnation for each in found if isinstance(each.event, Recalled)] == [1]
    assert end(fork, EpisodePath(f"{task}/0/0")).fault is None


def test_seconds_are_those_of_the_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["torch"]')
    read = JournalReader.beginning

    def slow(reader: JournalReader, *of: Any) -> list[Record]:
        """As if a thousand seconds had passed between what was recorded."""
        found = enumerate(read(reader, *of))
        return [structs.replace(each, at=each.at + 1000 * number) for number, each in found]

    monkeypatch.setattr(JournalReader, "beginning", slow)
    fork = play(tmp_path / "fork", begin_fork(run, "step:3", UNCHANGED).run)
    assert 0 < results(fork).seconds < 900
