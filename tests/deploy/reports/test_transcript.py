"""Transcripts."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

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
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs
from quintet.reports.transcript import call_text, find_episode, transcript
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

EPISODE = EpisodePath("beehive/0/0")
EventT = TypeVar("EventT", bound=AnyEvent)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[JournalReader]:
    went = {"beehive": Went(calls=2), "cake": Went("faulted")}
    path = samples.write(tmp_path / "run", samples.record("adapt", ["beehive", "cake"]), went)
    folder = RunFolder.open_to_read(path)
    samples.journal(folder, {"cake": Went(None)}, attempt=1)
    with closing(JournalReader.open(folder.journal)) as found:
        yield found


def texts(*events: AnyEvent) -> list[str]:
    """The lines of a transcript of these events."""
    return [line.text for line in transcript([Record(event=event, incarnation=1) for event in events])]


def events_of(reader: JournalReader, *kinds: type[EventT]) -> list[EventT]:
    return [record.event for record in reader.records(EPISODE) if isinstance(record.event, kinds)]


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
    assert transcript(reader.records(EpisodePath("cake/0/0")))[-1].text == "WorldFault: it broke"


@pytest.mark.parametrize(
    ("said", "steps", "shown"),
    [
        ("Action: get 1 log", 1, 0),
        ("I will not get 1 log yet.\nAction: inventory", 1, 1),
        ("What about get 1 log?", 1, 1),
        pytest.param("Action: get 1 log", 2, 1, id="a second step after it"),
        pytest.param("", 1, 1, id="no completion"),
    ],
)
def test_an_action_is_left_out_only_where_the_completion_chose_it(
    said: str, steps: int, shown: int, reader: JournalReader
) -> None:
    call, step = events_of(reader, CallMade)[0], events_of(reader, StepTaken)[0]
    made: list[AnyEvent] = [replace(call, completion=replace(call.completion, text=said))] * bool(said)
    taken = (replace(step, path=EpisodePath(f"{EPISODE}/2/{number}")) for number in range(8, 8 + steps))
    assert texts(*made, *taken).count("> get 1 log") == shown


def test_a_plan_is_shown_where_its_reading_was_not_obvious_and_else_counted(reader: JournalReader) -> None:
    (made_out,) = (event for event in events_of(reader, Exchanged) if '"decomposed"' in event.reply)
    assert "Step 1: fetch a log" in texts(made_out)
    clear = replace(made_out, reply=made_out.reply.replace('"ambiguous":true', '"ambiguous":false'))
    assert texts(clear) == ["decompose: craft beehive -> plan"]
    plan = PlanMade(steps=(PlanStep(number=1, text="fetch a log"), PlanStep(number=2, text="craft planks")))
    steps = replace(made_out, request="make_plan", reply=msgspec.json.encode(plan).decode())
    assert texts(steps) == ["make_plan: craft beehive -> a plan of 2 steps"]


@pytest.mark.parametrize(
    ("phase", "begin"), [("other/alignment", "[1] (alignment) "), ("other/execute", "[1] Think"), ("", "[1] Think")]
)
def test_a_call_says_what_it_is_for_where_no_request_does(phase: str, begin: str, reader: JournalReader) -> None:
    call = replace(events_of(reader, CallMade)[0], phase=phase)
    (said,) = (line for line in texts(call, *events_of(reader, Exchanged)) if line.startswith("[1]"))
    assert said.startswith(begin)


def test_the_words_of_a_world_that_opens_again_are_shown_once(reader: JournalReader) -> None:
    (opened,) = events_of(reader, SessionOpened)
    again = replace(opened, path=EpisodePath(f"{EPISODE}/9"), session=f"{EPISODE}/9")
    assert texts(opened, again) == ["Goal: craft beehive.", f"session {EPISODE}/9: opens as one before did"]


@pytest.mark.parametrize(
    ("run", "wanted", "found"),
    [
        ("reader", "beehive", "beehive/0/0"),
        ("reader", "beehive/0", "beehive/0/0"),
        ("reader", "cake", "cake/0/1"),
        ("reader", "cake/0/0", "cake/0/0"),
        pytest.param("learner", "beehive", "beehive/2/0", id="of the newest version"),
        ("learner", "beehive/0", "beehive/0/0"),
        ("learner", "stick", "stick/0/0"),
        ("learner", "~learn", "~learn/0/0"),
    ],
)
def test_an_episode_is_found_by_its_task_or_its_path(
    run: str, wanted: str, found: str, request: pytest.FixtureRequest
) -> None:
    assert find_episode(request.getfixturevalue(run), wanted) == found


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
    with closing(JournalReader.open(RunFolder.open_to_read(path).journal)) as found:
        yield found


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


@pytest.mark.parametrize(
    ("reply", "subject", "said"),
    [
        (LookedBack(reflection="Fetch a log first."), "craft stick", "look_back: craft stick -> reflection"),
        (Unanswered(reason="mute"), "craft stick", "look_back: craft stick -> no reflection: mute"),
        (Unanswered(reason="mute"), "", "look_back -> no reflection: mute"),
    ],
)
def test_a_look_back_says_whether_there_is_a_reflection(
    reply: LookedBack | Unanswered, subject: str, said: str
) -> None:
    here, text = child(episode_path("stick", 0, 0), 2), msgspec.json.encode(reply).decode()
    assert texts(Exchanged(path=here, request="look_back", subject=subject, reply=text)) == [said]


HERE = episode_path("stick", 0, 1)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Requeued(path=HERE, repeats=episode_path("stick", 0, 0)), "requeued by operator, in place of stick/0/0"),
        (Decided(path=HERE, question="which", answer="3"), "decided: which: 3"),
        (BranchEnded(path=child(HERE, 2), place=1), "branch 2 ended, number 1 of its group"),
        (BranchStopped(path=child(HERE, 3)), "branch 3 was stopped"),
        (Refused(path=HERE, reason="too long"), "the model refused: too long"),
        (CutShort(path=HERE, reason="time limit"), "cut short: time limit"),
        (Cancelled(path=HERE), "cancelled by operator"),
        (EpisodeReported(path=LEARNER, attempt=episode_path("stick", 1, 0)), None),
        (EpisodeReported(path=LEARNER, attempt=HERE), "reported to the learner: stick/0/1"),
        (
            TrialEnded(path=child(HERE, 2), solve=HERE, number=1, actions=1, reward=0.5),
            "trial 1 ended: 1 action, reward 0.5",
        ),
        (
            TrialEnded(path=HERE, solve=HERE, number=2, actions=12, reward=1.0, steps=6, revised=True),
            "trial 2 ended: 12 actions, reward 1, a revised plan of 6 steps",
        ),
    ],
)
def test_what_is_not_said_elsewhere_is_noted(event: AnyEvent, said: str | None) -> None:
    assert texts(event) == ([] if said is None else [said])


def test_a_step_says_what_came_of_it_beside_its_observation(reader: JournalReader) -> None:
    step = replace(events_of(reader, StepTaken)[0], observation="Bought: tea.", lasting=True, reward=0.5)
    assert texts(step) == ["> get 1 log", "Bought: tea.  (lasting, reward 0.5)"]


@pytest.mark.parametrize(("wanted", "near"), [("behive", "beehive"), ("beehive/0/7", "beehive/0/0")])
def test_an_unknown_episode_is_refused_with_the_nearest(reader: JournalReader, wanted: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"episode: expected '{near}', got '{wanted}'"):
        find_episode(reader, wanted)


def test_pictures_are_numbered_beside_what_the_world_showed(tmp_path: Path) -> None:
    went = {"beehive": Went(calls=2, pictures=True)}
    path = samples.write(tmp_path / "seen", samples.record("adapt", ["beehive"]), went)
    with closing(JournalReader.open(RunFolder.open_to_read(path).journal)) as found:
        records, taken = found.records(EPISODE), found.pictures(EPISODE)
    lines = [line.text for line in transcript(records, taken)]
    at = [place for place, text in enumerate(lines) if text.startswith("picture ")]
    sizes = enumerate(taken.values(), 1)
    assert [lines[place] for place in at] == [f"picture {number}: {size} bytes" for number, size in sizes]
    assert [lines[place - 1] for place in at] == ["Goal: craft beehive.", "Got 1 log", "Got 1 log  (rejected)"]
    assert [text for text in lines if not text.startswith("picture ")] == [line.text for line in transcript(records)]


def test_the_prompt_of_a_call_is_exact(reader: JournalReader) -> None:
    lines = [line.text for line in call_text(reader, reader.records(EPISODE), 2)]
    assert lines == [
        "call 2 of 2, beehive/0/0/2/3, sim-weak (simulated)",
        "temperature 0, top_p 1, max_tokens 512, stop [], seed 7",
        *("--- system", "You craft."),
        *("--- user", "Goal: craft beehive."),
        *("--- assistant", "Think: 0.", "Action: get 1 log"),
        *("--- user", "Got 1 log"),
        "--- completion (stop; 100 prompt tokens, 10 completion tokens)",
        *("Think: 1.", "Action: get 1 log"),
    ]
    for number in (0, 3):
        with pytest.raises(UsageError, match=f"--call: expected 1 to 2, the calls of this episode, got {number}"):
            call_text(reader, reader.records(EPISODE), number)


def test_a_call_says_how_many_token_ids_it_has(reader: JournalReader) -> None:
    call = events_of(reader, CallMade)[0]
    tokens = CallTokens(prompt=pack_ids([7, 70_000]), completion=pack_ids([9]), logprobs=pack_logprobs([-0.5]))
    record = Record(event=replace(call, completion=replace(call.completion, tokens=tokens)), incarnation=1)
    lines = [line.text for line in call_text(reader, [record], 1)]
    assert "token ids: 2 of the prompt; 1 of the completion, with log-probabilities" in lines
