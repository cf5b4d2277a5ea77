"""What reports say of configured methods, and what methods need of a world."""

from typing import Any

import pytest

from quintet.methods.adapt.adapt import Adapt
from quintet.methods.base.method import Method
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig, PlanTrialConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.lats.config import LatsConfig
from quintet.methods.lats.lats import Lats
from quintet.methods.ldm2.config import Ldm2Config
from quintet.methods.ldm2.ldm2 import Ldm2
from quintet.methods.plan_act.plan_act import PlanAct
from quintet.methods.react.config import ReactConfig
from quintet.methods.reflexion.reflexion import Reflexion
from quintet.methods.search.config import SearchConfig
from quintet.methods.search.search import Search
from quintet.methods.standard.standard import Standard
from quintet.methods.try_again.try_again import TryAgain
from tests.actors.methods.over_react import ADAPTS, as_in, over_react


def advocate(**config: Any) -> DevilsAdvocate:
    return DevilsAdvocate(DevilsAdvocateConfig.model_validate(config))


def plan_act(**config: Any) -> PlanAct:
    return PlanAct(PlanTrialConfig.model_validate(config))


JUDGED = "trials, of which the first that its model judges to be completed"
DESCRIBED: list[tuple[Method[Any], str, str, str]] = [
    (Search(SearchConfig(nodes=4)), "4 nodes", "a full reward ends it", ""),
    (Search(SearchConfig(order="mcts")), "200 nodes", "rewards of done worlds are backed up", ""),
    (Search(SearchConfig(oracle=False)), "200 nodes", "", ""),
    (Lats(LatsConfig(iterations=2)), "2 iterations", "backed up", ""),
    (Lats(LatsConfig(oracle=False)), "30 iterations", "", ""),
    (Ldm2(Ldm2Config()), "40 a batch memory", "", "a process for each batch memory"),
    (over_react(TryAgain), "3 x 20", "it takes the trial with the greatest reward", ""),
    (over_react(Reflexion), "3 x 20", "a full reward ends its trials", ""),
    (Standard(ReactConfig(max_steps=7)), "7", "", ""),
    (advocate(), "30 actions", "", JUDGED),
    (advocate(limit_per="trial", trials=3, max_actions=20), "3 x 20 actions", "", JUDGED),
    (advocate(trials=1), "30 actions", "", ""),
    (plan_act(), "30 actions", "", JUDGED),
]


@pytest.mark.parametrize(("method", "budget", "oracle", "best_of"), DESCRIBED)
def test_it_says_its_bound_its_use_of_rewards_and_its_choice(
    method: Method[Any], budget: str, oracle: str, best_of: str
) -> None:
    said = method.describe()
    assert said.budget == budget
    for part, of_all in ((oracle, said.oracle), (best_of, said.best_of)):
        assert part in of_all
        assert bool(part) == bool(of_all)


@pytest.mark.parametrize(
    ("method", "forks", "snapshots", "inside"),
    [
        (Search(SearchConfig()), True, False, False),
        (advocate(remedies=2, trials=1), False, True, True),
        (advocate(remedies=2, speculate=True), True, True, True),
        (advocate(remedies=0, trials=7), False, False, True),
        (advocate(remedies=0, trials=1), False, False, False),
        (plan_act(), False, False, True),
        (plan_act(trials=1), False, False, False),
    ],
)
def test_it_says_whether_it_copies_sessions_or_takes_snapshots_alone_or_as_an_inner_method(
    method: Method[Any], forks: bool, snapshots: bool, inside: bool
) -> None:
    assert method.needs_forks() is forks
    assert (method.needs_snapshots(), method.needs_snapshots_as_inner()) == (snapshots, inside)


@pytest.mark.parametrize("method", [TryAgain, Reflexion])
@pytest.mark.parametrize(("world", "budget"), [*zip(ADAPTS, ("4 x 20", "3 x 20"), strict=True)])
def test_trials_are_as_many_and_of_the_same_size_as_adapt_has_levels(
    method: type[Method[Any]], world: str, budget: str
) -> None:
    ours, adapts = as_in(method, world), as_in(Adapt, world)
    assert ours.describe().budget == adapts.describe().budget == budget
    assert ours.inner is not None
    assert adapts.inner is not None
    assert ours.inner.config == adapts.inner.config
