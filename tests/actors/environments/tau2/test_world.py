import pytest

from quintet.environments.tau2.package import tau2_version
from quintet.environments.tau2.scenarios import DOMAINS, TASK_SPLITS
from quintet.environments.tau2.world import Tau2, Telecom
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.tau2.installed import needs_package, opened

pytestmark = needs_package


@pytest.mark.parametrize(("domain", "telecom"), [*((each, "ticket") for each in DOMAINS), ("telecom", "user")])
@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_the_actions_of_the_package_earn_the_reward_of_every_task(domain: str, telecom: Telecom, every: int) -> None:
    for name in Tau2(telecom).tasks(domain)[::every]:
        state = opened(name, telecom)
        outcomes = [state.step(action) for action in state.expert() or ()]
        assert not any(outcome.rejected for outcome in outcomes), name
        assert [outcome.done for outcome in outcomes] == [False] * (len(outcomes) - 1) + [True], name
        assert (outcomes[-1].reward, set(outcomes[-1].figures.values())) == (1.0, {1.0}), name


def test_the_splits_are_the_packages_three_domains_and_their_parts() -> None:
    sizes = {split: len(Tau2().tasks(split)) for split in TASK_SPLITS}
    assert sizes == {
        "airline": 50,
        "airline-train": 30,
        "airline-test": 20,
        "retail": 114,
        "retail-train": 74,
        "retail-test": 40,
        "telecom": 114,
        "telecom-train": 74,
        "telecom-test": 40,
    }


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_domains_parts_have_each_of_its_tasks_once(domain: str) -> None:
    parts = [name for part in ("train", "test") for name in Tau2().tasks(f"{domain}-{part}")]
    assert sorted(parts) == sorted(Tau2().tasks(domain))


def test_a_task_is_of_the_type_of_its_domain_or_of_what_does_not_work() -> None:
    types = {Tau2().metadata(name)["task type"] for name in Tau2().tasks("telecom")}
    assert types == {"mms", "mobile data", "service"}
    assert Tau2().metadata("airline_0") == {"task type": "airline"}


def test_an_unknown_task_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="airline_0"):
        Tau2().open(Task(name="airlin_0", seed=0))


def test_the_content_of_each_split_is_its_own_and_names_the_package() -> None:
    content = [Tau2().content(split) for split in TASK_SPLITS]
    assert len({each["tasks"] for each in content}) == len(TASK_SPLITS)
    assert {each["package"] for each in content} == {tau2_version()}
    with pytest.raises(UsageError, match="split: expected airline or"):
        Tau2().content("all")


def test_the_seed_changes_nothing() -> None:
    first, second = (Tau2().open(Task(name="retail_3", seed=seed)) for seed in (0, 1))
    assert (first.opening, first.expert()) == (second.opening, second.expert())
