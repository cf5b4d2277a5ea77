"""What a run learnt, in words."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from quintet.errors import UsageError
from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.learned.iterations import JobReflection, PlanIteration, read_iterations
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from quintet.messages.memory import Formed, Remembered
from quintet.messages.parts import Recollection
from quintet.messages.paths import LEARNER, child, episode_path
from quintet.reports.learning.lessons import changes, document, failures, lessons_content, version_size, version_text
from quintet.runtime.episode_requests import learnt_parts
from tests.deploy.memory.samples import a_memory, a_tuple, request


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


def _answered(place: int, request: str, reply: Formed | Remembered) -> Exchanged:
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
