import pytest

from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate


def test_the_budget_is_its_actions() -> None:
    assert DevilsAdvocate(DevilsAdvocateConfig()).describe().budget == "30 actions"
    config = DevilsAdvocateConfig(limit_per="trial", trials=3, max_actions=20)
    assert DevilsAdvocate(config).describe().budget == "3 x 20 actions"


def test_it_says_which_trial_it_answers_with() -> None:
    assert "judges to be completed" in DevilsAdvocate(DevilsAdvocateConfig()).describe().best_of
    assert DevilsAdvocate(DevilsAdvocateConfig(trials=1)).describe().best_of == ""


def test_it_uses_no_reward() -> None:
    assert DevilsAdvocate(DevilsAdvocateConfig()).describe().oracle == ""


@pytest.mark.parametrize(
    ("remedies", "trials", "alone", "inside"), [(2, 1, True, True), (0, 7, False, True), (0, 1, False, False)]
)
def test_it_takes_snapshots_to_go_back_and_as_an_inner_method_to_begin_again(
    remedies: int, trials: int, alone: bool, inside: bool
) -> None:
    method = DevilsAdvocate(DevilsAdvocateConfig(remedies=remedies, trials=trials))
    assert (method.needs_snapshots(), method.needs_snapshots_as_inner()) == (alone, inside)
    assert not method.needs_forks_as_inner()


def test_it_copies_sessions_only_to_try_remedies_ahead_of_need() -> None:
    assert DevilsAdvocate(DevilsAdvocateConfig(remedies=2, speculate=True)).needs_forks()
    assert not DevilsAdvocate(DevilsAdvocateConfig(remedies=2)).needs_forks()
