"""A schedule that breaks a promise is shrunk to the shortest one that does, which is replayed by its text."""

import pytest

from quintet.ports.transport import Answer, Envelope, HostName
from quintet.runtime.host import Host
from tests.soak.schedules.schedule import Command, Kill, Schedule, Start, as_text, from_text
from tests.soak.schedules.shrink import broken_promises, promise, shrink

LONG = Schedule(
    seed=1,
    scene="spread contest",
    goals=("beehive", "lantern"),
    placement="per-role",
    calls=2,
    starts=(
        Start(
            kills=(Kill(at=3.7, host=HostName("executor-2")), Kill(at=9.1, host=HostName("environment-2"))),
            delay=0.5,
            loss=0.03,
            commands=(Command(at=2.3, action="pause", number=3), Command(at=4.1, action="concurrency", number=1)),
        ),
    ),
)


@pytest.fixture
def _answers_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect: a host whose answer was lost on the way tells nobody."""
    real = Host._not_delivered  # pyright: ignore[reportPrivateUsage]

    def forget(self: Host, to: HostName, envelope: Envelope, lost: Exception) -> None:
        if not isinstance(envelope, Answer):
            real(self, to, envelope, lost)  # type: ignore[arg-type]

    monkeypatch.setattr(Host, "_not_delivered", forget)


@pytest.mark.usefixtures("_answers_are_forgotten")
def test_a_lost_answer_is_what_is_left_of_a_long_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    shortest = shrink(LONG, most=250)
    (start,) = shortest.starts
    assert start.script is not None
    assert len(start.script) == 1, shortest.words()
    assert next(iter(start.script)).endswith("lost")
    assert (start.kills, start.commands, len(shortest.goals)) == ((), (), 1)
    again = from_text(as_text(shortest))
    assert again == shortest
    assert broken_promises(again)
    monkeypatch.undo()
    assert broken_promises(again) == []


def test_the_same_schedule_breaks_nothing_without_the_defect() -> None:
    assert broken_promises(LONG) == []


def test_a_schedule_that_breaks_nothing_is_not_shrunk() -> None:
    with pytest.raises(ValueError, match="expected one that breaks a promise"):
        shrink(Schedule(seed=0, scene="contest", goals=("beehive",)))


def test_a_schedule_is_told_in_words() -> None:
    words = LONG.words()
    assert "start 1: at 3.7 s host executor-2 dies" in words
    assert "messages take up to 0.5 s, and 3.0% are lost" in words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "calls: expected no committed call to be asked again, got 2",
            "calls: expected no committed call to be asked again, got 17",
        ),
        ("beehive/0/0: expected no fault, got A: b", "cyan banner/0/1: expected no fault, got C: d"),
        ("expected a run that ends, got Deadlock: at 7.1 s", "expected a run that ends, got Deadlock: at 9 s"),
    ],
)
def test_a_promise_is_the_same_whatever_the_paths_and_numbers(one: str, other: str) -> None:
    assert promise(one) == promise(other)


def test_runs_that_end_by_different_errors_break_different_promises() -> None:
    assert promise("expected a run that ends, got Deadlock: x") != promise("expected a run that ends, got KeyError: y")
