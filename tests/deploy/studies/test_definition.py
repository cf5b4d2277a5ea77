"""The studies that are defined."""

import pytest

from deploy.config.settings import from_assignments
from deploy.studies.catalogue import STUDIES, study
from protocols.errors import UsageError


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_resolves_and_has_its_reference_among_its_arms(name: str) -> None:
    arms = study(name).configurations([])
    assert study(name).reference in arms
    assert {config.run.split for config in arms.values()} <= {"test", "valid_unseen"}
    assert {config.model.name for config in arms.values()} == {"sim-weak"}


def test_the_demo_is_adapt_against_react() -> None:
    arms = study("demo").configurations([])
    assert [config.method.name for config in arms.values()] == ["react", "adapt"]


def test_dmax_goes_from_one_to_four_beside_both_budgets_of_react() -> None:
    arms = study("adapt-dmax").configurations([])
    assert [arms[f"adapt-{dmax}"].method.options["max_depth"] for dmax in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert [arms[f"react-{calls}"].method.options["max_steps"] for calls in (20, 80)] == [20, 80]


def test_alfworlds_arms_stand_between_floor_and_ceiling_on_the_unseen_games() -> None:
    arms = study("alfworld").configurations([])
    assert list(arms) == ["random", "react", "adapt", "expert"]
    assert {(config.environment.name, config.run.split) for config in arms.values()} == {("alfworld", "valid_unseen")}


def test_a_users_settings_are_for_all_arms() -> None:
    arms = study("demo").configurations([from_assignments(["run.seed=5", "model.name=sim-strong", "run.split=dev"])])
    assert {(config.run.seed, config.model.name, config.run.split) for config in arms.values()} == {
        (5, "sim-strong", "dev")
    }


def test_what_the_arms_differ_in_cannot_be_set() -> None:
    with pytest.raises(UsageError, match=r"method\.max_depth: expected what study adapt-dmax sets for each arm, got 2"):
        study("adapt-dmax").configurations([from_assignments(["method.max_depth=2"])])


def test_a_setting_that_one_arm_cannot_take_names_the_arm() -> None:
    with pytest.raises(UsageError, match=r"^arm react: method\.rollback: expected .*, got an unknown key \(--set"):
        study("demo").configurations([from_assignments(["method.rollback=true"])])


def test_an_unknown_study_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="study: expected 'adapt-dmax', got 'adapt-dmx'"):
        study("adapt-dmx")
