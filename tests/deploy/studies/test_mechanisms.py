"""In how many episodes mechanisms acted, counted by hand, each beside an arm in which it never does."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.events import (
    AnyEvent,
    CallMade,
    EpisodeEnded,
    Exchanged,
    Recalled,
    Record,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.launch.prepare import prepare
from quintet.messages.message import Message, Unanswered
from quintet.messages.paths import Path as EpisodePath
from quintet.messages.paths import episode_path
from quintet.messages.planning import Decomposed, PlanStep
from quintet.messages.prompts import Prompt, user
from quintet.messages.reflection import LookedBack
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.ports.model import Completion, Sampling, Usage
from quintet.studies.arms import prepare_arms, with_seeds
from quintet.studies.comparison_arms import define_comparison
from quintet.studies.mechanisms import MECHANISMS
from quintet.studies.run import create
from tests.command import printed
from tests.deploy.studies.compared import findings_of

TASKS = ("beehive", "cake", "lantern", "painting", "stick", "torch")
E = episode_path("beehive", 0, 0)
GO = Prompt(user("Go."))


def at(number: int | str) -> EpisodePath:
    return EpisodePath(f"{E}/{number}")


def opened(number: int) -> SessionOpened:
    return SessionOpened(path=at(number), session=at(number), observation="Goal.")


def copied(number: int | str, origin: int | str) -> SessionForked:
    return SessionForked(path=at(number), session=at(number), origin=at(origin))


def step(number: int | str, session: int | str) -> StepTaken:
    return StepTaken(
        path=at(number), session=at(session), action="go", observation="Gone.", reward=0.0, done=False, rejected=False
    )


def asked(number: str, phase: str) -> CallMade:
    return CallMade(
        path=at(number),
        model="m",
        prompt=GO.node.address,
        sampling=Sampling(),
        completion=Completion(text="go", finish="stop", usage=Usage(prompt_tokens=1)),
        phase=phase,
    )


def exchanged(number: int, request: str, reply: Message) -> Exchanged:
    return Exchanged(path=at(number), request=request, subject="goal", reply=msgspec.json.encode(reply).decode())


def trial(number: int, *, revised: bool = False) -> TrialEnded:
    return TrialEnded(path=at(10 + number), solve=E, number=number, actions=1, reward=0.0, revised=revised)


PLAN = Decomposed(plan=PlanStep(number=1, text="go"))
NONE = set[str]()
NOTHING = Unanswered(reason="unclear")
BEGUN = (opened(1), step(2, 1))


def journal(file: Path, episodes: Mapping[EpisodePath, tuple[float, Sequence[AnyEvent]]]) -> None:
    """Write episodes with these rewards and events, which are those of `beehive/0/0` elsewhere."""

    async def write() -> None:
        with closing(SqliteJournal(file)) as found:
            for path, (reward, events) in episodes.items():
                incarnation = found.begin(path)
                end = EpisodeEnded(path=path, state="solved" if reward >= 1 else "unsolved", reward=reward)
                moved = msgspec.json.encode(list(events)).decode().replace(E, path)
                for event in [*msgspec.json.decode(moved, type=list[AnyEvent]), end]:
                    prompts = GO.nodes_since(()) if isinstance(event, CallMade) else ()
                    await found.append([Record(event=event, incarnation=incarnation, prompts=prompts)])

    asyncio.run(write())


def acting(tmp_path: Path, *events: AnyEvent, further: Mapping[str, str] | None = None) -> set[str]:
    """The mechanisms that acted in an episode with these events."""
    journal(tmp_path / "journal.sqlite", {E: (1.0, events)})
    with closing(JournalReader.open(tmp_path / "journal.sqlite")) as reader:
        every = {**MECHANISMS, **(further or {})}
        return {name for name, condition in every.items() if reader.episodes_where(condition)}


@pytest.mark.parametrize(
    ("events", "mechanisms"),
    [
        (BEGUN, NONE),
        ((*BEGUN, exchanged(3, "decompose", PLAN)), {"decomposed"}),
        ((*BEGUN, exchanged(3, "decompose", NOTHING)), NONE),
        ((*BEGUN, exchanged(3, "look_back", LookedBack(reflection="Go."))), {"reflected"}),
        ((*BEGUN, exchanged(3, "look_back", NOTHING), exchanged(4, "reflect", NOTHING)), NONE),
        ((*BEGUN, exchanged(3, "revise_plan", NOTHING), trial(1)), NONE),
        ((*BEGUN, trial(1), trial(2, revised=True)), {"further trial", "plan revised"}),
        ((*BEGUN, trial(1), trial(2)), {"further trial"}),
        ((*BEGUN, Recalled(path=at(3), version=0, ids=())), NONE),
        ((*BEGUN, Recalled(path=at(3), version=0, ids=(4,))), {"recalled"}),
    ],
)
def test_what_events_show_is_a_mechanism(tmp_path: Path, events: Sequence[AnyEvent], mechanisms: set[str]) -> None:
    assert acting(tmp_path, *events) == mechanisms


@pytest.mark.parametrize(
    ("events", "mechanisms"),
    [
        ((opened(1), copied(2, 1)), NONE),
        ((opened(1), copied("2/1", 1), step("2/2", "2/1"), copied("3/1", 1), step("3/2", "3/1")), {"acted in a copy"}),
        ((*BEGUN, copied("3/1", 1), step("3/2", "3/1")), {"acted in a copy"}),
        ((*BEGUN, copied(3, 1), step(4, 3)), {"acted in a copy", "went back"}),
        ((opened(1), copied(2, 1), step("3/1", 1), step("4/1", 2)), {"acted in a copy", "went back"}),
        ((opened(1), copied(2, 1), step("3/1", 1)), NONE),
    ],
    ids=["unused copy", "branches", "a branch later", "opened instead", "a checkpoint returned to", "kept checkpoint"],
)
def test_acting_in_copies_is_no_going_back_unless_one_takes_the_place_of_what_was_done(
    tmp_path: Path, events: Sequence[AnyEvent], mechanisms: set[str]
) -> None:
    assert acting(tmp_path, *events) == mechanisms


_CHOSEN = (opened(1), asked("2/1", "actions"), asked("3/1", "remedies"), step(4, 1))


@pytest.mark.parametrize(
    ("events", "used"),
    [
        (_CHOSEN, False),
        ((*_CHOSEN, asked("5/1", "alignment"), step(6, 1)), True),
        ((*_CHOSEN, asked("5/1", "actions"), asked("6/1", "remedies"), step(7, 1)), False),
        ((*_CHOSEN, asked("5/1", "judgements"), asked("6/1", "give_answer"), step(7, 1)), False),
        ((opened(1), asked("2/1", "actions"), step(3, 1), asked("4/1", "actions"), step(5, 1)), False),
    ],
    ids=["chosen", "remedy", "chosen again", "answer", "without remedies"],
)
def test_a_remedy_is_used_where_an_action_follows_another_without_a_choice(
    tmp_path: Path, events: Sequence[AnyEvent], used: bool
) -> None:
    found = acting(tmp_path, *events, further=DevilsAdvocate.mechanisms)
    assert ("remedies used" in found) is used


def _write(
    path: Path, arms: Mapping[str, Mapping[str, tuple[float, Sequence[AnyEvent]]]], seeds: int | None = None
) -> Path:
    study = with_seeds(define_comparison(["react", "adapt"], noise=True), seeds)
    given = [f"run.tasks={','.join(TASKS)}", "environment.name=textcraft"]
    with create(study, prepare_arms(study, [from_assignments(given)]), path) as folder:
        for arm, episodes in arms.items():
            with folder.create_arm(arm) as run:
                journal(run.journal, {episode_path(task, 0, 0): each for task, each in episodes.items()})
    return path


def _effect(path: Path, mechanism: str, arm: str) -> Any:
    found = findings_of(path).findings.content["mechanisms"]
    (effect,) = (each for each in found if (each["mechanism"], each["arm"]) == (mechanism, arm))
    return effect


SPLIT = (*BEGUN, exchanged(3, "decompose", PLAN))
ARMS: Mapping[str, Mapping[str, tuple[float, Sequence[AnyEvent]]]] = {
    "react": {task: (float(task in ("beehive", "cake")), BEGUN) for task in TASKS},
    "adapt": {task: (0.5 if task == "cake" else 1.0, SPLIT if task != "torch" else BEGUN) for task in TASKS},
    "react again": dict.fromkeys(TASKS, (0.0, BEGUN)),
}


def test_the_difference_is_that_of_the_episodes_in_which_it_acted(tmp_path: Path) -> None:
    path = _write(tmp_path / "study", ARMS)
    found = _effect(path, "decomposed", "adapt")
    assert (found["acted"], found["episodes"], found["tasks"]) == (5, 6, 5)
    assert found["reward"] == {"arm": pytest.approx(4.5 / 5), "reference": pytest.approx(2 / 5)}
    assert found["success"] == {"arm": pytest.approx(4 / 5), "reference": pytest.approx(2 / 5)}
    assert found["points"] == pytest.approx(2 / 5)
    low, high = found["interval"]
    assert low < 2 / 5 < high
    for arm in ("react", "react again"):
        off = _effect(path, "decomposed", arm)
        assert (off["acted"], off["episodes"], off["points"], off["interval"]) == (0, 6, None, None)
    (table,) = (each for each in findings_of(path).findings.tables if each.title.startswith("Mechanisms"))
    assert [row[:-1] for row in table.rows] == [
        ("decomposed", "adapt", "5 of 6", "5", "90.0", "40.0", "80.0", "40.0"),
    ]
    assert table.rows[0][-1].startswith("+40 (")


def test_below_a_handful_of_tasks_there_is_no_interval(tmp_path: Path) -> None:
    few = {task: (1.0, SPLIT if task in ("stick", "torch") else BEGUN) for task in TASKS}
    path = _write(tmp_path / "study", {**ARMS, "adapt": few})
    found = _effect(path, "decomposed", "adapt")
    assert (found["acted"], found["points"], found["interval"]) == (2, 1.0, None)
    (table,) = (each for each in findings_of(path).findings.tables if each.title.startswith("Mechanisms"))
    assert table.rows[0][-1] == "+100"


def test_runs_of_several_seeds_are_counted_together(tmp_path: Path) -> None:
    arms = {f"{arm}-seed-{seed}": episodes for arm, episodes in ARMS.items() for seed in (0, 1)}
    path = _write(tmp_path / "study", arms, seeds=2)
    found = _effect(path, "decomposed", "adapt")
    assert (found["acted"], found["episodes"], found["tasks"]) == (10, 12, 5)


def test_without_the_equal_arm_nothing_is_counted(tmp_path: Path) -> None:
    path = _write(tmp_path / "study", {arm: ARMS[arm] for arm in ("react", "adapt")})
    assert "mechanisms" not in findings_of(path).findings.content


def test_compare_counts_what_the_method_declares(tmp_path: Path) -> None:
    words = ("compare", "react", "devils_advocate", "textcraft", "--tasks", 10, "--model", "sim-weak")
    printed(*words, "--noise", "--no-picture", "--out", tmp_path / "study")
    (study,) = json.loads(printed("report", tmp_path / "study", "--json"))["studies"].values()
    acted = {(each["mechanism"], each["arm"]): each["acted"] for each in study["mechanisms"]}
    assert acted["remedies used", "devils_advocate"] >= acted["went back", "devils_advocate"] > 0
    assert acted["remedies used", "react"] == acted["went back", "react"] == 0


def test_a_declared_mechanism_that_is_no_condition_is_refused() -> None:
    class Wrong(DevilsAdvocate):
        name = "wrong"
        mechanisms = {"nods": "nodded"}

    layer = from_table({"method": {"name": Wrong}, "environment": {"name": "textcraft"}}, "a test")
    said = r"method wrong, mechanism 'nods': .* over the columns .* no such column: nodded"
    with pytest.raises(UsageError, match=said):
        prepare([layer])
