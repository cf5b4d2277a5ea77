"""Transcripts."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.events import (
    AnyEvent,
    BranchEnded,
    BranchStopped,
    CallMade,
    Cancelled,
    CutShort,
    Decided,
    EpisodeReported,
    Exchanged,
    Record,
    Refused,
    Requeued,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.journal.reader import JournalReader
from quintet.messages.message import Unanswered
from quintet.messages.paths import LEARNER, child, episode_path
from quintet.messages.paths import Path as EpisodePath
from quintet.messages.planning import PlanMade, PlanStep
from quintet.messages.reflection import LookedBack, Reflected
from quintet.reports.transcript import find_episode, transcript
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

EPISODE = EpisodePath("beehive/0/0")


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[JournalReader]:
    path = samples.write(
        tmp_path / "run",
        samples.record("adapt", ["beehive", "cake"]),
        {"beehive": Went(calls=2), "cake": Went("faulted")},
    )
    folder = RunFolder.open_to_read(path)
    samples.journal(folder, {"cake": Went(None)}, attempt=1)
    found = JournalReader.open(folder.journal)
    yield found
    found.close()


def test_an_episode_is_shown_in_the_order_of_its_conversation(reader: JournalReader) -> None:
    lines = [f"{'  ' * line.depth}{line.text}" for line in transcript(reader.records(EPISODE))]
    assert lines == [
        "solve: craft beehive -> solved, reward 1, depth 1",
        "  Goal: craft beehive.",
        "  execute: craft beehive -> completed (claimed) after 2 calls, reward 1",
        "    [1] Think: 0.",
        "    Action: get 1 log",
        "    Got 1 log",
        "    [2] Think: 1.",
        "    Action: get 1 log",
        "    Got 1 log  (rejected)",
        "  decompose: craft beehive -> plan (ambiguous)",
        "  Step 1: fetch a log",
        "  Step 2: craft planks",
        "  Step 3: fetch planks",
        "  Execution Order: (Step 1 AND (Step 2 OR Step 3))",
        "solved, reward 1, claims success, depth 1",
    ]


def test_an_action_that_no_completion_names_is_shown(reader: JournalReader) -> None:
    steps = [record for record in reader.records(EPISODE) if record.event.kind == "step_taken"]
    assert transcript(steps)[0].text == "> get 1 log"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Action: get 1 log", []),
        ("I will not get 1 log yet.\nAction: inventory", ["> get 1 log"]),
        ("What about get 1 log?", ["> get 1 log"]),
    ],
)
def test_an_action_is_left_out_only_where_the_completion_chose_it(
    said: str, shown: list[str], reader: JournalReader
) -> None:
    records = [each for each in reader.records(EPISODE) if each.event.kind in ("call_made", "step_taken")][:2]
    call = records[0].event
    assert isinstance(call, CallMade)
    event = replace(call, completion=replace(call.completion, text=said))
    lines = transcript([replace(records[0], event=event), records[1]])
    assert [line.text for line in lines if line.style == "action"] == shown


def test_a_second_step_after_one_completion_is_shown(reader: JournalReader) -> None:
    call, step, *_ = (each for each in reader.records(EPISODE) if each.event.kind in ("call_made", "step_taken"))
    again = replace(step, event=replace(step.event, path=EpisodePath(f"{EPISODE}/2/9")))
    actions = [line.text for line in transcript([call, step, again]) if line.style == "action"]
    assert actions == ["> get 1 log"]


def test_a_plan_is_shown_once(reader: JournalReader) -> None:
    (made_out,) = (each for each in reader.records(EPISODE) if '"decomposed"' in getattr(each.event, "reply", ""))
    assert isinstance(made_out.event, Exchanged)
    clear = replace(made_out.event, reply=made_out.event.reply.replace('"ambiguous":true', '"ambiguous":false'))
    assert [line.text for line in transcript([replace(made_out, event=clear)])] == ["decompose: craft beehive -> plan"]
    assert "Step 1: fetch a log" in [line.text for line in transcript([made_out])]


def test_a_plan_of_steps_alone_is_counted_and_not_repeated(reader: JournalReader) -> None:
    (asked,) = (each for each in reader.records(EPISODE) if '"decomposed"' in getattr(each.event, "reply", ""))
    assert isinstance(asked.event, Exchanged)
    plan = PlanMade(steps=(PlanStep(number=1, text="fetch a log"), PlanStep(number=2, text="craft planks")))
    event = replace(asked.event, request="make_plan", reply=msgspec.json.encode(plan).decode())
    lines = [line.text for line in transcript([replace(asked, event=event)])]
    assert lines == ["make_plan: craft beehive -> a plan of 2 steps"]


def test_a_call_says_what_it_is_for_where_no_request_does(reader: JournalReader) -> None:
    records = reader.records(EPISODE)
    call = next(each for each in records if isinstance(each.event, CallMade))
    assert isinstance(call.event, CallMade)
    for phase, text in (("other/alignment", "[1] (alignment) "), ("other/execute", "[1] Think"), ("", "[1] Think")):
        said = [replace(call, event=replace(call.event, phase=phase)), *(each for each in records if each != call)]
        assert [line.text.startswith(text) for line in transcript(said) if line.text.startswith("[1] ")] == [True]


def test_the_words_of_a_world_that_opens_again_are_shown_once(reader: JournalReader) -> None:
    (opened,) = (each for each in reader.records(EPISODE) if isinstance(each.event, SessionOpened))
    assert isinstance(opened.event, SessionOpened)
    event = replace(opened.event, path=EpisodePath(f"{EPISODE}/9"), session=f"{EPISODE}/9")
    lines = [line.text for line in transcript([opened, replace(opened, event=event)])]
    assert lines == ["Goal: craft beehive.", f"session {EPISODE}/9: opens as one before did"]


def test_a_fault_is_shown_at_the_end(reader: JournalReader) -> None:
    last = transcript(reader.records(EpisodePath("cake/0/0")))[-1]
    assert last.text == "WorldFault: it broke"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("beehive", "beehive/0/0"),
        ("beehive/0", "beehive/0/0"),
        ("cake", "cake/0/1"),
        ("cake/0/0", "cake/0/0"),
    ],
)
def test_an_episode_is_found_by_its_task_or_its_path(reader: JournalReader, wanted: str, found: str) -> None:
    assert find_episode(reader, wanted) == found


@pytest.fixture
def learner(tmp_path: Path) -> Iterator[JournalReader]:
    reflections: dict[str, Reflected | Unanswered] = {
        "stick": Reflected(summary="It crafted nothing.", flaws="No log."),
        "torch": Unanswered(reason="mute"),
    }
    steps = [
        Step({"stick": LOST, "torch": LOST}, "Fetch a log.\nCraft.", reflections),
        Step({"bowl": LOST}, Unanswered(reason="no text")),
    ]
    record = learning_runs.record(("stick", "torch", "bowl"))
    measured = {0: {"beehive": LOST}, 2: {"beehive": Went()}}
    path = learning_runs.write(tmp_path / "learnt", record, steps, measured, start="Try.", chosen=2)
    found = JournalReader.open(RunFolder.open_to_read(path).journal)
    yield found
    found.close()


def test_a_learner_is_shown_in_the_order_of_its_conversation(learner: JournalReader) -> None:
    lines = [f"{'  ' * line.depth}{line.text}" for line in transcript(learner.records(find_episode(learner, "~learn")))]
    assert lines == [
        "learn: 4 tasks -> version 2",
        "  published: version 0",
        "  Try.",
        "      reflect: stick -> summary, flaws",
        "        [1] It crafted nothing.",
        "      reflect: torch -> no reflection: mute",
        "        [2] ",
        "  revise_plan: 2 jobs -> a plan of 2 lines",
        "    [3] Fetch a log.",
        "    Craft.",
        "  published: version 1",
        "  revise_plan: 1 jobs -> no plan: no text",
        "    [4] ",
        "  published: version 2",
        "solved, reward 0, no claim, depth 1",
    ]


def test_the_reported_attempt_is_noted_if_it_was_not_the_first(learner: JournalReader) -> None:
    first = next(each for each in learner.records(LEARNER) if isinstance(each.event, EpisodeReported))
    again = replace(first, event=replace(first.event, attempt=episode_path("stick", 0, 1)))
    assert [line.text for line in transcript([first, again])] == ["reported to the learner: stick/0/1"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (LookedBack(reflection="Fetch a log first."), "look_back: craft stick -> reflection"),
        (Unanswered(reason="mute"), "look_back: craft stick -> no reflection: mute"),
    ],
)
def test_a_look_back_says_whether_there_is_a_reflection(reply: LookedBack | Unanswered, said: str) -> None:
    here = child(episode_path("stick", 0, 0), 2)
    event = Exchanged(path=here, request="look_back", subject="craft stick", reply=msgspec.json.encode(reply).decode())
    assert [line.text for line in transcript([Record(event=event, incarnation=1)])] == [said]


def test_a_trial_and_a_step_that_lasts_are_shown() -> None:
    here = episode_path("stick", 0, 0)
    step = StepTaken(
        path=child(here, 1),
        session="s",
        action="order",
        observation="Bought: tea.",
        reward=0.5,
        done=False,
        rejected=False,
        lasting=True,
    )
    first = TrialEnded(path=child(here, 2), solve=here, number=1, actions=1, reward=0.5)
    other = TrialEnded(path=child(here, 3), solve=here, number=2, actions=12, reward=1.0, steps=6, revised=True)
    assert [
        line.text for line in transcript([Record(event=event, incarnation=1) for event in (step, first, other)])
    ] == [
        "> order",
        "Bought: tea.  (lasting, reward 0.5)",
        "trial 1 ended: 1 action, reward 0.5",
        "trial 2 ended: 12 actions, reward 1, a revised plan of 6 steps",
    ]


def test_what_a_replay_obeys_is_noted() -> None:
    here = episode_path("stick", 0, 1)
    below = child(here, 1)
    events: list[AnyEvent] = [
        Requeued(path=here, repeats=episode_path("stick", 0, 0)),
        Decided(path=below, question="which", answer="3"),
        BranchEnded(path=child(below, 2), place=1),
        BranchStopped(path=child(below, 3)),
        Refused(path=below, reason="too long"),
        CutShort(path=here, reason="time limit"),
        Cancelled(path=here),
    ]
    assert [transcript([Record(event=event, incarnation=1)])[0].text for event in events] == [
        "requeued by operator, in place of stick/0/0",
        "decided: which: 3",
        "branch 2 ended, number 1 of its group",
        "branch 3 was stopped",
        "the model refused: too long",
        "cut short: time limit",
        "cancelled by operator",
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("beehive", "beehive/2/0"), ("beehive/0", "beehive/0/0"), ("stick", "stick/0/0"), ("~learn", "~learn/0/0")],
)
def test_in_a_learning_run_a_task_means_its_episode_with_the_newest_version(
    learner: JournalReader, wanted: str, found: str
) -> None:
    assert find_episode(learner, wanted) == found


def test_an_unknown_episode_is_refused_with_the_nearest(reader: JournalReader) -> None:
    with pytest.raises(UsageError, match="episode: expected 'beehive', got 'behive'"):
        find_episode(reader, "behive")
    with pytest.raises(UsageError, match="episode: expected 'beehive/0/0', got 'beehive/0/7'"):
        find_episode(reader, "beehive/0/7")


def test_pictures_are_numbered_beside_what_the_world_showed(tmp_path: Path) -> None:
    path = samples.write(
        tmp_path / "seen", samples.record("adapt", ["beehive"]), {"beehive": Went(calls=2, pictures=True)}
    )
    found = JournalReader.open(RunFolder.open_to_read(path).journal)
    records, taken = found.records(EPISODE), found.pictures(EPISODE)
    found.close()
    lines = [line.text for line in transcript(records, taken)]
    at = [place for place, text in enumerate(lines) if text.startswith("picture ")]
    assert [lines[place] for place in at] == [
        f"picture {number}: {size} bytes" for number, size in enumerate(taken.values(), 1)
    ]
    assert [lines[place - 1] for place in at] == ["Goal: craft beehive.", "Got 1 log", "Got 1 log  (rejected)"]
    assert [text for text in lines if not text.startswith("picture ")] == [line.text for line in transcript(records)]
