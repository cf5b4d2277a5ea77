"""What decided an episode, by the chances that were measured."""

from collections.abc import Mapping

import pytest

from quintet.blame.chances import Chance
from quintet.blame.outcomes import Outcomes
from quintet.blame.verdicts import StepVerdict, verdict_on
from quintet.runs.blame_record import BlamedEpisode


def _judge(searched: Mapping[int, int], fresh: Mapping[int, int] | None = None, *, ended: bool = True) -> StepVerdict:
    """The verdict of an episode of four steps; by place, how many of eight continuations succeeded."""
    about = BlamedEpisode(path="a/0/0", places=(0, 10, 20, 30, 40))
    before, after = ({place: Chance(each, 8) for place, each in (of or {}).items()} for of in (searched, fresh))
    return verdict_on(Outcomes(about, before, after), every_step=False, ended=ended)


FOUND = {0: 8, 4: 0, 2: 8, 3: 0}
"""The search came to step 3."""


def test_a_step_decided_it_if_fresh_continuations_prove_the_fall() -> None:
    verdict = _judge(FOUND, {2: 7, 3: 0})
    assert (verdict.kind, verdict.step, verdict.before, verdict.after) == ("step", 3, Chance(7, 8), Chance(0, 8))
    assert verdict.p is not None
    assert verdict.p < 0.001


def test_what_the_search_saw_is_no_proof_and_more_continuations_are_proposed() -> None:
    verdict = _judge(FOUND, {2: 3, 3: 1})
    assert (verdict.kind, verdict.step) == ("gradual", 3)
    assert verdict.enough is not None
    assert verdict.enough > 8


@pytest.mark.parametrize(
    ("searched", "kind"),
    [
        ({0: 0, 4: 0}, "never"),
        ({0: 8, 4: 8}, "end"),
        ({0: 0, 4: 8}, "end"),
        ({0: 3, 4: 0}, "few"),
        ({0: 0, 4: 2}, "few"),
        ({0: 2, 4: 2}, "few"),
    ],
)
def test_where_no_fall_is_proven_from_the_start_to_the_end_it_says_why(searched: Mapping[int, int], kind: str) -> None:
    verdict = _judge(searched)
    assert (verdict.kind, verdict.step) == (kind, None)


def test_what_is_not_proven_is_named_with_what_could_prove_it() -> None:
    assert _judge({0: 3, 4: 0}).unproven == "a fall from 37.5 to 0.0 over the episode"
    assert _judge({0: 3, 4: 3}).unproven == "a chance of 37.5 behind the last step"
    assert _judge({0: 8, 4: 3}).unproven == "", "the fall is proven, and a step is searched"
    for verdict in (_judge({0: 3, 4: 0}), _judge({0: 3, 4: 3})):
        assert verdict.enough is not None
        assert verdict.enough > 8


def test_an_unfinished_search_has_no_verdict() -> None:
    assert _judge({}, ended=False).kind == "open"
    assert _judge({0: 8, 4: 0}, ended=False).kind == "open"
    assert _judge(FOUND, ended=False).kind == "open"
