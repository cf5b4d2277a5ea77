"""The learning report of a run, while it goes on and afterwards, and what the run learnt, in words."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from quintet.errors import UsageError
from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.launch.writable_run import WritableRun
from quintet.learned.iterations import JobReflection, PlanIteration, read_iterations
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from quintet.messages.curation import AttemptReviewed, NotesRevised
from quintet.messages.memory import Formed, Remembered
from quintet.messages.message import Message, Unanswered
from quintet.messages.parts import Recollection
from quintet.messages.paths import LEARNER, child, episode_path
from quintet.messages.planning import PlanRevised
from quintet.messages.reflection import Reflected
from quintet.quota.cost import Cost
from quintet.reports.episodes import RunResults, results
from quintet.reports.intervals import rate
from quintet.reports.learning.lessons import changes, document, failures, lessons_content, version_size, version_text
from quintet.reports.learning.report import LearningReport, VersionScore
from quintet.runs.run_folder import RunFolder
from quintet.runtime.episode_requests import learnt_parts
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, NO_LESSONS, Step
from tests.deploy.memory.samples import a_memory, a_tuple, request
from tests.deploy.samples import Went

LOOKED_BACK = Reflected(summary="It crafted nothing.", flaws="It fetched no log.", revision="Fetch a log first.")
FIRST = Step({"stick": LOST, "torch": Went()}, "Fetch a log first.", {"stick": LOOKED_BACK})
ALL = {"beehive": Went(), "cake": LOST}
RECORD = learning_runs.record(("stick", "torch", "bowl", "ladder"), ("chest",))


def _read(path: Path) -> tuple[RunResults, LearningReport]:
    found = results(RunFolder.open_to_read(path))
    assert found.learning is not None
    return found, found.learning


@pytest.mark.parametrize(
    ("measured", "chosen", "judging", "states", "ended"),
    [
        ({0: ALL, 1: ALL, 2: ALL}, 1, 1, ["solved", "unsolved"], "done"),
        # Before a choice the newest that was fully measured, or else the newest with a test task.
        ({0: ALL, 1: {"beehive": Went()}}, None, 0, ["solved", "unsolved"], "interrupted"),
        ({1: {"beehive": Went(None)}}, None, 1, ["unfinished", "not begun"], "interrupted"),
        # Its learner has not ended, whatever was measured; or it has, and never asks for the rest.
        ({0: ALL, 1: ALL}, None, 1, ["solved", "unsolved"], "interrupted"),
        ({1: {"beehive": Went()}}, 1, 1, ["solved", "not begun"], "done"),
        # A fault of a version that was not chosen counts.
        ({0: {"beehive": Went("faulted"), "cake": LOST}, 1: ALL}, 1, 1, ["solved", "unsolved"], "faulted"),
    ],
)
def test_a_run_is_judged_by_one_version_and_ends_with_its_learner(
    measured: dict[int, dict[str, Went]],
    chosen: int | None,
    judging: int,
    states: list[str],
    ended: str,
    tmp_path: Path,
) -> None:
    path = learning_runs.write(tmp_path, RECORD, [FIRST, Step({"bowl": Went()}, "Hope.")], measured, chosen=chosen)
    found, learning = _read(path)
    assert [row.state for row in found.rows] == states
    assert (learning.chosen, learning.judging_version, {row.epoch for row in found.rows}) == (
        chosen,
        judging,
        {judging},
    )
    assert (found.ended, found.finished) == (ended, ended != "interrupted")
    begun = sum(map(len, measured.values())) + sum(len(each.batch) for each in learning.iterations)
    assert sum(found.states.values()) == begun + states.count("not begun")


def test_a_run_with_a_repeated_test_episode_is_not_finished(tmp_path: Path) -> None:
    found, _ = _read(
        learning_runs.write(tmp_path, RECORD, [FIRST], {0: {"beehive": Went("faulted")}, 1: ALL}, chosen=1)
    )
    samples.journal(found.folder, {"beehive": Went(None)}, attempt=1)
    assert _read(found.folder.path)[0].ended == "interrupted"


def test_a_run_has_begun_as_soon_as_its_learner_has(tmp_path: Path) -> None:
    found, learning = _read(learning_runs.write(tmp_path / "begun", RECORD, []))
    assert (found.begun, learning.begun) == (True, True)
    with WritableRun.create(tmp_path / "new", RECORD) as folder:
        new = results(folder)
    assert not new.begun
    assert new.learning is not None
    assert (new.learning.versions, new.learning.iterations, new.ended) == ((), (), "interrupted")


def test_an_iteration_has_its_batch_and_reflections_also_while_it_is_collected(tmp_path: Path) -> None:
    steps = [
        FIRST,
        Step({"bowl": Went("faulted"), "ladder": LOST}, "Hope.", {"ladder": Unanswered(reason="mute")}),
        Step({"bowl": Went(None)}, None),
    ]
    _, learning = _read(learning_runs.write(tmp_path, RECORD, steps))
    assert [version.number for version in learning.versions] == [0, 1, 2]
    assert [{row.path: row.state for row in each.batch} for each in learning.iterations] == [
        {"stick/0/0": "unsolved", "torch/0/0": "solved"},
        {"bowl/1/0": "faulted", "ladder/1/0": "unsolved"},
        {"bowl/2/0": "unfinished"},
    ]
    lessons = [each.lessons for each in learning.iterations if isinstance(each.lessons, PlanIteration)]
    assert [each.reflections for each in lessons] == [
        (JobReflection("stick", "It crafted nothing.", "It fetched no log.", "Fetch a log first."),),
        (JobReflection("ladder", failed="mute"),),
        (),
    ]


def test_updates_without_change_have_different_outcomes(tmp_path: Path) -> None:
    steps = [
        FIRST,
        Step({"bowl": LOST}, f"{FIRST.plan}\n"),
        Step({"ladder": LOST}, Unanswered(reason="no text")),
        Step({"stick": Went("faulted")}, NO_LESSONS),
    ]
    _, learning = _read(learning_runs.write(tmp_path, RECORD, steps))
    outcomes = [version.outcome for version in learning.versions]
    assert outcomes == [None, "changed", "unchanged", "update failed", "no lessons"]
    assert [iteration.lessons.failed for iteration in learning.iterations] == ["", "", "no text", ""]
    assert (learning.updates, learning.count("unchanged"), learning.count("update failed")) == (4, 1, 1)


def test_a_batch_keeps_the_reported_attempt_after_later_repeats(tmp_path: Path) -> None:
    steps = [Step({"stick": Went("faulted"), "torch": Went()}, "Hope."), Step({"bowl": Went("faulted")}, None)]
    folder = RunFolder.open_to_read(learning_runs.write(tmp_path, RECORD, steps))
    samples.journal(folder, {"stick": Went()}, attempt=1)
    samples.journal(folder, {"bowl": Went()}, epoch=1, attempt=1)
    _, learning = _read(folder.path)
    assert [{row.path: row.state for row in each.batch} for each in learning.iterations] == [
        {"stick/0/0": "faulted", "torch/0/0": "solved"},
        {"bowl/1/0": "faulted"},
    ]


def test_every_version_has_its_scores(tmp_path: Path) -> None:
    measured = {0: {**ALL, "chest": LOST}, 1: {"beehive": Went("faulted"), "cake": Went()}}
    _, learning = _read(learning_runs.write(tmp_path, RECORD, [FIRST], measured))
    start, first = learning.versions
    assert start.held_out == VersionScore(rate([0.0]), ended=1, faulted=0, unfinished=0)
    assert start.test == VersionScore(rate([1.0, 0.0]), ended=2, faulted=0, unfinished=0)
    assert first.held_out is None
    whole = VersionScore(rate([1.0]), ended=1, faulted=1, unfinished=0)
    assert (first.test, whole.whole) == (whole, True)


def test_spending_is_split_into_training_inference_and_measuring(tmp_path: Path) -> None:
    measured = {0: {**ALL, "chest": Went(calls=5)}, 1: {"beehive": Went(calls=2), "cake": Went(calls=3)}}
    found, learning = _read(learning_runs.write(tmp_path, RECORD, [FIRST], measured, chosen=1))
    # Two episodes of the batch, five calls with the held-out task, a reflection and an update of 1,100 tokens each.
    assert learning.training == Cost(2 + 5 + 2, 100 * 7 + 2000, 10 * 7 + 200, None)
    assert learning.instances == 3
    assert learning.inference == Cost(5, 500, 50, None)
    assert learning.measuring == Cost(2, 200, 20, None)
    parts = (learning.training, learning.inference, learning.measuring)
    assert found.cost.calls == sum(part.calls for part in parts)
    assert {part.nanodollars for part in parts} == {None}, "the model has no price"


@pytest.fixture
def contents(tmp_path: Path) -> dict[int, str]:
    """What was published of the store in the run's folder."""
    store = a_memory(tmp_path / MEMORY_FILE)
    found = store.reader.versions()
    store.close()
    return {version: msgspec.json.encode(sealed).decode() for version, sealed in found.items()}


def test_a_version_is_described_with_its_size_its_types_and_what_came_in(
    contents: dict[int, str], tmp_path: Path
) -> None:
    sizes = [version_size("memory", content) for content in contents.values()]
    assert sizes == ["empty", "5 tuples, 2 goal types", "6 tuples, 2 goal types"]
    said = version_text("memory", 2, contents[2], tmp_path).splitlines()
    assert (said[0], said[2]) == (
        "# Version 2",
        "6 tuples, 1 of them new, 1 batch memory, 2 goal types, 3 observation types",
    )
    assert said[6:] == [
        *("## Batch memory 1", ""),
        "- Goal type 1: heat things (4 tuples)",
        "  - Observation type 1: at a closed thing (2 tuples)",
        "  - Observation type 2: in the open (2 tuples)",
        "- Goal type 2: cool things (2 tuples)",
        "  - Observation type 1: at a fridge (2 tuples)",
        *("", "## What came in", ""),
        "- heat/1/0: 1 tuple, reward 1, batch memory 1, heat an egg",
    ]
    # An episode recalls from its version, as the run says.
    how = Recollection(version=0, batches=0, batch=2, budget=7)
    for version in (0, 1):
        recalls = Recollection(version=version, batches=version, batch=2, budget=7)
        assert learnt_parts("memory", version, contents[version], how) == (recalls,)


def _answered(place: int, request: str, reply: Message) -> Exchanged:
    text = msgspec.json.encode(reply).decode()
    return Exchanged(path=child(LEARNER, place), request=request, subject="batch 1", session=None, reply=text, turns=())


def _records(contents: dict[int, str]) -> list[Record]:
    events: list[AnyEvent] = [
        Published(path=child(LEARNER, 1), version=0, content=contents[0]),
        EpisodeReported(path=child(LEARNER, 2), attempt=episode_path("heat", 0, 3)),
        Refused(path=child(LEARNER, 3), reason="the prompt is too long"),
        _answered(4, "form", Formed(tuples=3, goal_types=1, observation_types=1, asked_again=1, unassigned=2)),
        _answered(5, "form", Formed(tuples=2, goal_types=1, observation_types=1, invented=4)),
        _answered(6, "remember", Remembered(tuples=1, unreadable=1)),
        Exchanged(path=child(LEARNER, 7), request="form", subject="batch 3", session=None, reply="{}", turns=()),
        Published(path=child(LEARNER, 8), version=1, content=contents[1]),
    ]
    return [Record(event=event, incarnation=1, seconds=0.0) for event in events]


def test_an_iteration_has_the_processes_and_types_that_came_in(contents: dict[int, str], tmp_path: Path) -> None:
    found = read_iterations("memory", _records(contents), tmp_path)
    assert list(found) == [0, 1, 2]
    assert found[1].attempts == {("heat", 0): 3}
    assert list(failures(found[1])) == [
        "a request was refused: the prompt is too long",
        "2 texts that the model left out twice: put into the smallest type",
        "1 text without a readable type: put into the smallest type",
    ]
    counts = ("asked_again", "unassigned", "invented", "unreadable")
    assert [lessons_content(found[1])[name] for name in counts] == [1, 2, 4, 1]
    assert [line.text for line in changes(found[1], contents[1], contents[0])][:3] == [
        "+ 3 tuples of heat/0/0, reward 1, batch memory 1: heat an egg",
        "+ 2 tuples of cool/0/0, reward 1, batch memory 1: cool an apple",
        "+ batch memory 1, goal type 1: heat things",
    ]
    assert [each["source"] for each in lessons_content(found[1])["processes"]] == ["heat/0/0", "cool/0/0"]
    assert found[1].outcome(contents[1], contents[0]) == "changed"
    assert found[1].outcome(contents[0], "") == "unchanged"


def test_what_a_learner_of_notes_asked_in_vain_is_named(tmp_path: Path) -> None:
    events: list[AnyEvent] = [
        _answered(1, "write_notes", Unanswered(reason="no note in it")),
        _answered(2, "revise_notes", NotesRevised(revisions=(), refused=2)),
        _answered(3, "review_attempt", AttemptReviewed(mistake="", insight="Look.", invented=1)),
    ]
    records = [Record(event=event, incarnation=1, seconds=0.0) for event in events]
    assert list(failures(read_iterations("notebook", records, tmp_path)[0])) == [
        "no answer to write_notes (batch 1): no note in it",
        "3 operations on a note that was not shown, or not allowed: dropped",
    ]


def test_a_refusal_is_named_also_where_a_plan_was_rewritten(tmp_path: Path) -> None:
    revised = _answered(2, "revise_plan", PlanRevised(text="Look."))
    events: list[AnyEvent] = [Refused(path=child(LEARNER, 1), reason="the prompt is too long"), revised]
    records = [Record(event=event, incarnation=1, seconds=0.0) for event in events]
    assert list(failures(read_iterations("plan", records, tmp_path)[0])) == [
        "a request was refused: the prompt is too long"
    ]


def test_a_store_that_is_gone_is_said_and_not_raised(contents: dict[int, str], tmp_path: Path) -> None:
    (tmp_path / MEMORY_FILE).unlink()
    iteration = read_iterations("memory", _records(contents), tmp_path)[1]
    (line,) = changes(iteration, contents[1], contents[0])
    assert "memory: expected a file, found none" in line.text
    assert lessons_content(iteration)["processes"] == []
    with pytest.raises(UsageError, match="memory: expected a file, found none"):
        version_text("memory", 1, contents[1], tmp_path)


def test_a_long_list_of_what_came_in_ends_with_a_count(tmp_path: Path) -> None:
    with closing(Store(tmp_path / MEMORY_FILE, world="alfworld")) as store:
        processes = tuple((a_tuple(source=f"heat/0/{number}"),) * 2 for number in range(502))
        store.add(request(*processes, version=0))
        sealed = store.seal(0)
    said = version_text("memory", 0, msgspec.json.encode(sealed).decode(), tmp_path).splitlines()
    assert said[-2:] == [
        "- heat/0/499: 2 tuples, reward 1, batch memory 1, heat an egg",
        "- and 4 more tuples: `quintet memory show --tuples`",
    ]


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        (
            "Find it.\nUse the toaster.\nPut it down.",
            "Find it.\nUse the oven.\nPut it down.\nStop.",
            ["- Use the toaster.", "+ Use the oven.", "+ Stop."],
        ),
        ("", "Look.\nTake.", ["+ Look.", "+ Take."]),
        ("Look. \nTake.\n", "Look.\nTake.", []),
        pytest.param("1. Look.\n2. Wait.\n3. Take.", "1. Look.\n2. Take.", ["- 2. Wait."], id="another number"),
    ],
)
def test_the_changes_of_a_plan_are_its_lines_that_were_removed_and_added(
    before: str, after: str, changed: list[str]
) -> None:
    assert [line.text for line in changes(PlanIteration(), after, before)] == changed


def test_the_reflections_of_an_iteration_are_a_text() -> None:
    iteration = PlanIteration(
        reflections=(
            JobReflection("heat egg", "I looked for an egg.", "I never opened the fridge.", "Open things."),
            JobReflection("heat cup", "It went well."),
            JobReflection("heat pan", failed="there is no summary"),
        )
    )
    assert document(iteration, {"heat cup": True}).split("\n\n") == [
        "## heat egg: failed",
        "Summary: I looked for an egg.",
        "Flaws: I never opened the fridge.",
        "Suggested revision: Open things.",
        "## heat cup: succeeded",
        "Summary: It went well.",
        "## heat pan: failed",
        "No reflection: there is no summary",
    ]
