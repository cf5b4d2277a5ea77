"""The contract along a stream: a good learner keeps it, and every clause is broken by one that breaks it."""

import re

import pytest

from quintet.plugins import catalogue
from quintet.testing import stream
from quintet.testing.contract import clauses
from quintet.testing.stream import stream_cases
from tests.deploy.testing import broken_learners, broken_streams
from tests.deploy.testing.verdicts import clause_of, unbroken_clauses, verdicts_on


@pytest.fixture
def registered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "METHODS", {"pupil": f"{broken_streams.__name__}:{request.param}"})


@pytest.mark.parametrize("registered", ["Follower"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_learner_that_keeps_the_contract_keeps_every_clause() -> None:
    verdicts = verdicts_on({stream: stream_cases("pupil")})
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(stream))


def test_a_learner_that_follows_no_stream_has_no_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "METHODS", {"pupil": f"{broken_learners.__name__}:Good"})
    assert stream_cases("pupil") == []


BROKEN = [
    ("Backwards", "along a stream every task", "expected the tasks in the order of their versions[0] to be "),
    (
        "Stale",
        "along a stream every task",
        "expected the versions that tasks were played with, all but the last, to be [",
    ),
    ("Rewarded", "along a stream nothing", "expected what it learns, rewarded, at "),
    ("Counting", "along a stream a kill", "killed after event 1 and resumed, at "),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: str, said: str) -> None:
    (case,) = stream_cases("pupil")
    with pytest.raises(pytest.fail.Exception, match=re.escape(said)):
        clause_of(clause, stream)(case)


def test_every_clause_is_broken_above() -> None:
    assert unbroken_clauses((clause for _, clause, _ in BROKEN), stream) == set()
