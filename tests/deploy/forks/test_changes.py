"""What a fork changes at a place, beside the same fork without it; and what cannot be changed there."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.events import StepTaken
from quintet.forks.begin import begin_fork
from quintet.forks.fork import Changes, with_action
from quintet.launch.prepare import prepare
from quintet.messages.paths import Path as EpisodePath
from quintet.messages.paths import order_of
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.forks.forked import UNCHANGED, calls, copied, end, layers, play, recorded_run, records
from tests.deploy.samples import Went

pytestmark = pytest.mark.real_time


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("recorded") / "run"
    return recorded_run(folder, "react", "textcraft", 'run.tasks=["beehive", "torch"]')


Fork = Callable[..., RunFolder]


@pytest.fixture
def fork(run: RunFolder, tmp_path: Path) -> Fork:
    made = 0

    def go_on(changes: Changes = UNCHANGED, *, at: str = "step:3", of: RunFolder = run, **which: Any) -> RunFolder:
        nonlocal made
        made += 1
        which = which or {"episode": "beehive"}
        return play(tmp_path / f"fork {made}", begin_fork(of, at, changes, **which).run)

    return go_on


def steps(run: RunFolder, episode: str = "beehive/0/0") -> list[StepTaken]:
    found = [each.event for each in records(run, EpisodePath(episode)) if isinstance(each.event, StepTaken)]
    return sorted(found, key=lambda event: order_of(event.path))


def completions(run: RunFolder, episode: str = "beehive/0/0") -> list[str]:
    found = sorted(calls(records(run, EpisodePath(episode))), key=lambda event: order_of(event.path))
    return [call.completion.text for call in found]


def shown(run: RunFolder, number: int, episode: str = "beehive/0/0") -> str:
    """The prompt of a call, by its number from 1."""
    reader = run.read_journal()
    assert reader is not None
    with closing(reader):
        found = sorted(calls(reader.records(EpisodePath(episode))), key=lambda event: order_of(event.path))
        return "\n".join(message.content for message in reader.prompt(found[number - 1].path))


def changing(**settings: Any) -> Changes:
    return Changes([from_table(settings, "a test")])


def test_without_a_change_nothing_is(run: RunFolder, fork: Fork) -> None:
    same = fork()
    assert steps(same) == steps(run)
    assert completions(same) == completions(run)
    assert len(copied(records(same, EpisodePath("beehive/0/0")))) > 3


def test_what_is_said_stands_in_place_of_the_completion_of_the_step(run: RunFolder, fork: Fork) -> None:
    said = fork(Changes(say="Thought: I look first.\nAction: inventory"))
    assert completions(said)[:2] == completions(run)[:2]
    assert completions(said)[2] == "Thought: I look first.\nAction: inventory"
    assert steps(said)[2].action == "inventory"
    assert "I look first." in shown(said, 4)
    assert "I look first." not in shown(fork(), 4)


def test_what_is_said_at_a_call_is_said_there(run: RunFolder, fork: Fork) -> None:
    said = fork(Changes(say="Action: inventory"), at="call:2")
    assert [step.action for step in steps(said)[:2]] == [steps(run)[0].action, "inventory"]


def test_an_action_replaces_the_recorded_one_and_keeps_the_thought(run: RunFolder, fork: Fork) -> None:
    acted = fork(Changes(act="get 1 bamboo"))
    recorded = steps(run)[2].action
    assert completions(acted)[2] == completions(run)[2].replace(f"Action: {recorded}", "Action: get 1 bamboo")
    assert steps(acted)[2].action == "get 1 bamboo"
    assert steps(acted)[2].observation != steps(run)[2].observation
    assert steps(acted)[:2] == steps(run)[:2]


@pytest.mark.parametrize(
    ("completion", "changed"),
    [
        ("Think: take it.\nAction: take it", "Think: take it.\nAction: leave"),
        ('{"thought": "so", "action": "take it"}', '{"thought": "so", "action": "leave"}'),
        ("Action: look", None),
        ("", None),
    ],
)
def test_an_action_is_replaced_where_it_is_said_last(completion: str, changed: str | None) -> None:
    assert with_action(completion, "take it", "leave") == changed


@pytest.mark.parametrize("quoted", ['{"action": "say \\"hi\\" to \\u00e9"}', '{"action": "say \\"hi\\" to é"}'])
def test_an_action_is_replaced_in_json_as_json(quoted: str) -> None:
    changed = with_action(quoted, 'say "hi" to é', 'say "no"')
    assert changed == '{"action": "say \\"no\\""}'


def test_what_is_observed_is_said_once_and_the_world_has_done_the_step(run: RunFolder, fork: Fork) -> None:
    observed = fork(Changes(observe="Nothing happens."))
    assert steps(observed)[2].action == steps(run)[2].action
    assert steps(observed)[2].observation == "Nothing happens."
    assert steps(observed)[2].reward == steps(run)[2].reward
    assert "Nothing happens." in shown(observed, 4)
    assert [step.observation for step in steps(observed)].count("Nothing happens.") == 1


def test_a_note_is_shown_beside_the_task_from_the_place_on(run: RunFolder, fork: Fork) -> None:
    noted = fork(Changes(note="Planks come from logs."))
    texts = [shown(noted, number) for number in range(1, 6)]
    assert ["Planks come from logs." in text for text in texts] == [False, False, False, True, True]
    assert "Planks come from logs." not in shown(fork(), 4)


def test_another_model_answers_from_the_place_on(run: RunFolder, fork: Fork) -> None:
    other = fork(changing(model={"name": "sim-strong"}), episode="torch")
    models = [call.model.split()[0] for call in calls(records(other, EpisodePath("torch/0/0")))]
    assert {*models} == {"sim-weak", "sim-strong"}
    assert models.count("sim-weak") == 3
    assert completions(other, "torch/0/0")[:3] == completions(run, "torch/0/0")[:3]


def test_an_option_of_the_method_counts_from_the_place_on(run: RunFolder, fork: Fork) -> None:
    shorter = fork(changing(method={"max_steps": 5}))
    assert len(steps(shorter)) == 5 < len(steps(run))


def test_a_plan_is_shown_from_the_place_on(run: RunFolder, fork: Fork, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("First fetch the logs.")
    planned = fork(changing(method={"plan": str(tmp_path / "plan.md")}))
    assert "First fetch the logs." not in shown(planned, 3)
    assert "First fetch the logs." in shown(planned, 4)


def test_a_budget_counts_live_calls_alone(run: RunFolder, fork: Fork) -> None:
    short = fork(changing(limits={"episode_calls": 2}))
    made = records(short, EpisodePath("beehive/0/0"))
    assert len(calls(made)) - len(calls(copied(made))) == 2
    assert results(short).cost.calls == 2


def test_draws_differ_from_each_other_and_repeat(run: RunFolder, fork: Fork) -> None:
    two = [fork(episode="beehive", times=3) for _ in range(2)]
    said = [[tuple(completions(each, f"beehive/{number}/0")) for number in range(3)] for each in two]
    assert said[0] == said[1]
    seeds = {
        tuple(call.sampling.seed for call in calls(records(two[0], EpisodePath(f"beehive/{number}/0"))))[-1]
        for number in range(3)
    }
    assert len(seeds) == 3


def test_a_fork_of_a_fork_repeats_what_was_said_drawn_and_noted_there(run: RunFolder, fork: Fork) -> None:
    first = fork(Changes(observe="Nothing happens.", note="Be careful."), episode="beehive", times=2)
    for number in range(2):
        path = f"beehive/{number}/0"
        again = fork(at="step:5", of=first, episode=path)
        assert steps(again) == [_renamed(step, number) for step in steps(first, path)]
        assert completions(again) == completions(first, path)
        assert "Be careful." in shown(again, 6)
        assert end(again, EpisodePath("beehive/0/0")).reward == end(first, EpisodePath(path)).reward
    drawn = fork(at="step:5", of=first, episode="beehive/1/0", times=2)
    seeds = {calls(records(drawn, EpisodePath(f"beehive/{number}/0")))[-1].sampling.seed for number in range(2)}
    seeds |= {calls(records(first, EpisodePath(f"beehive/{number}/0")))[-1].sampling.seed for number in range(2)}
    assert len(seeds) == 4


def _renamed(step: StepTaken, number: int) -> StepTaken:
    """The step, as one of the first continuation."""
    path, session = (name.replace(f"beehive/{number}/", "beehive/0/") for name in (step.path, step.session))
    return structs.replace(step, path=EpisodePath(path), session=session)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"run": {"seed": 3}}, r"run\.seed: expected the recorded run's, .* got 3 \(a test\)"),
        ({"run": {"tasks": 3}}, r"run\.tasks: expected the recorded run's"),
        ({"environment": {"name": "alfworld"}}, r"environment\.name: expected the recorded run's"),
        ({"method": {"name": "adapt"}}, r"method\.name: expected the recorded run's"),
        ({"method": {"inner": {"name": "react"}}}, r"method\.inner\.name: expected the recorded run's"),
        ({"learning": {"batch": 3}}, r"learning\.batch: expected the recorded run's"),
        ({"runtime": {"shards": 2}}, r"runtime\.shards: expected the recorded run's"),
    ],
)
def test_what_was_recorded_cannot_be_changed(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        changing(**settings)


@pytest.mark.parametrize(
    ("changes", "at", "said"),
    [
        ({"act": "look", "say": "look"}, "step:1", "--act: expected one of --say, --act and --observe, got --say too"),
        ({"act": "look"}, "call:1", "--act: expected --at to name a step, such as step:3, got 'call:1'"),
        ({"observe": "So."}, "start", "--observe: expected --at to name a step, such as step:3, got 'start'"),
        ({"say": "look"}, "step:99", "--at: expected a step of beehive/0/0, which has .* got step:99"),
    ],
)
def test_a_change_that_fits_no_place_is_refused(fork: Fork, changes: dict[str, Any], at: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        fork(Changes(**changes), at=at)


def test_a_change_of_the_model_keeps_what_both_take_and_drops_what_one_takes(run: RunFolder) -> None:
    other = changing(model={"name": "their-model", "url": "http://127.0.0.1:9/v1"})
    prepared = begin_fork(run, "step:2", other, episode="beehive").run
    assert "draw" in run.record.configuration.model.options
    assert "draw" not in prepared.config.model.options
    assert prepared.record.model == "their-model"


def test_the_tables_of_roles_take_another_model_with_the_run_and_keep_their_settings(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", "run.tasks=1", "model.executor.temperature=0.5")
    prepared = begin_fork(run, "step:2", changing(model={"name": "sim-strong"})).run
    executor = prepared.config.model.of("executor")
    assert (executor.name, executor.temperature) == ("sim-strong", 0.5)


def test_a_model_here_takes_none_of_the_settings_of_an_endpoint(tmp_path: Path) -> None:
    endpoint = ["model.name=theirs", "model.url=http://127.0.0.1:9/v1", 'model.extra={"top_k" = 3}']
    record = prepare(layers("react", "textcraft", "run.tasks=1", *endpoint)).record
    samples.write(tmp_path / "run", record, {record.tasks[0].name: Went(calls=2)})
    run = RunFolder.open_to_read(tmp_path / "run")
    moved = begin_fork(run, "call:2", changing(model={"name": "others"})).run.config.model
    assert (moved.name, moved.url, moved.options["extra"]) == ("others", "http://127.0.0.1:9/v1", {"top_k": 3})
    here = begin_fork(run, "call:2", changing(model={"name": "sim-strong"})).run.config.model
    assert (here.name, here.url, [*here.options]) == ("sim-strong", None, ["draw"])
