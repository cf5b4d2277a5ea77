"""The arms of the studies that are defined, as configurations."""

from pathlib import Path

import pytest

from quintet.config.sections import RunConfig
from quintet.config.settings import from_assignments
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.studies.arms import prepare_arms, with_seeds
from quintet.studies.definition import OverFindings, find_study, known_studies
from tests.command import printed

ERRING = ("demo", "devils-advocate-layers", "errors", "lats-values", "lats-workers", "reflexion-reflections")
REMEMBERING = ("ldm2", "ldm2-batches", "ldm2-retrieval", "ldm2-steps", "memories", "transfer", "transfer-worlds")

EXAMPLES = Path(__file__).parents[3] / "examples"
SHUFFLING = "ldm2-shuffled"
BRIEF = {
    "adapt-table5": ["model.executor.name=sim-weak"],
    "autoplan-table3b": ["model.judge.name=sim-weak"],
    "ldm2-table1": ["learning.tasks=24", "learning.batch=5", "learning.goals=4"],
    "ldm2-table2": ["learning.tasks=24", "learning.batch=5", "learning.goals=4"],
}
"""What a study needs without further models and official games."""
NEEDS = {"ldm2-retrieval": ["wordllama"], "adaplanner-miniwob": ["miniwob"]}
"""Packages that no arm is prepared without."""


def _configurations(study: str, *settings: str, seeds: int | None = None) -> dict[str, RunConfig]:
    arms = prepare_arms(with_seeds(find_study(study), seeds), [from_assignments(settings)])
    return {name: arm.config for name, arm in arms.items()}


@pytest.mark.parametrize(
    "name",
    sorted({study.name for study in known_studies().values()} - {"ldm2-figure3", "ldm2-figure3-webshop", SHUFFLING}),
)
def test_every_study_resolves_and_has_its_reference_among_its_arms(name: str) -> None:
    for needs in NEEDS.get(name, ()):
        pytest.importorskip(needs)
    study = find_study(name)
    arms = _configurations(name, *BRIEF.get(name, []))
    if isinstance(study.findings, OverFindings):
        assert study.reference in {*study.compared, ""}
    else:
        assert study.reference in {*arms, *study.versions, ""}
        says = study.findings is not None or study.reference or study.reproduces
        assert says, "each says something of its arms"
    model = "sim-fallible" if name in (*ERRING, *REMEMBERING) else "sim-weak"
    assert {config.model.name for config in arms.values()} == {model}


def test_a_shuffled_memory_is_one_that_is_learnt_already_and_the_same_as_the_one_it_is_beside(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^memory\.source: expected a value for study ldm2-shuffled"):
        _configurations(SHUFFLING)
    file = tmp_path / "kitchens.sqlite"
    printed("memory", "import", str(EXAMPLES / "kitchens.jsonl"), "--out", str(file))
    arms = _configurations(SHUFFLING, f"memory.source={file}")
    assert [config.run.learn for config in arms.values()] == [False, False]
    memories = [config.memory for config in arms.values() if config.memory is not None]
    assert [(memory.source, memory.control) for memory in memories] == [
        (str(file), "none"),
        (str(file), "shuffled"),
    ]


_NEEDED = r"^model\.executor\.name: expected a value for study adapt-table5 \(--set"
_FIXED = r"method\.max_depth: expected what study adapt-figure4 sets for each"
_UNKNOWN = r"^arm react: method\.rollback: expected .*, got an unknown key \(--set"


@pytest.mark.parametrize(
    ("name", "setting", "seeds", "said"),
    [
        ("ldm2-table2", "", None, r"learning\.tasks: expected at most 24, .*got 210"),
        ("ldm2-figure3", "", None, r"learning\.tasks: expected at most 24, .*got 60"),
        ("ldm2-table1", "", None, r"learning\.tasks: expected at most 200, .*got 600"),
        ("ldm2-figure3-webshop", "", None, r"learning\.tasks: expected at most 200, .*got 300"),
        ("adapt-table5", "model.name=sim-strong", None, _NEEDED),
        ("adapt-figure4", "method.max_depth=2", None, _FIXED),
        ("demo", "method.rollback=true", None, _UNKNOWN),
        ("demo", "runtime.shards=2", None, r"^arm \w+: runtime\.shards: expected 1 for one driver, got 2"),
        ("ldm2", "", 3, r"--seeds: versions\.\w+: expected .*, without seeds"),
        ("autoplan-figure3", "", 0, "--seeds: expected 1 to 1,000, got 0"),
        ("autoplan-figure3", "run.seed=many", None, r"run\.seed: expected"),
    ],
)
def test_what_a_study_cannot_be_run_with_is_refused(name: str, setting: str, seeds: int | None, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        prepare_arms(with_seeds(find_study(name), seeds), [from_assignments([setting] * bool(setting))])


def test_a_study_whose_world_is_not_installed_is_refused_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found(_module: str) -> None:
        """No module is installed."""

    monkeypatch.setattr("quintet.plugins.extras.find_spec", found)
    with pytest.raises(UsageError, match=r"^arm adaplanner: miniwob: expected miniwob, got none; install it with pip"):
        _configurations("adaplanner-miniwob")


def test_the_demo_is_adapt_with_and_without_the_inventory_against_react_under_a_users_settings() -> None:
    arms = _configurations("demo")
    settings = [(config.method.name, config.method.options.get("hand_on")) for config in arms.values()]
    assert settings == [("react", None), ("adapt", "inventory"), ("adapt", "nothing")]
    assert {config.model.options["error_rate"] for config in arms.values()} == {0.1}
    own = _configurations("demo", "run.seed=5", "model.name=sim-strong", "run.split=dev").values()
    assert {(config.run.seed, config.model.name, config.run.split) for config in own} == {(5, "sim-strong", "dev")}


def test_every_method_meets_every_error_rate_and_no_other_difference_in_any_world() -> None:
    arms = _configurations("errors")
    assert len(arms) == 6 * 6
    for method in ("react", "try-again", "reflexion", "lats", "adapt", "adapt-nothing"):
        of_method = [config for name, config in arms.items() if name.rpartition("-")[0] == method]
        assert [config.model.options["error_rate"] for config in of_method] == [0, 0.02, 0.05, 0.1, 0.2, 0.3]
        assert len({config.model_copy(update={"model": None}).model_dump_json() for config in of_method}) == 1
    arms = _configurations("errors", "environment.name=alfworld", "run.split=valid_unseen")
    handed_on = [arms[f"{arm}-0.1"].method.options["hand_on"] for arm in ("adapt", "adapt-nothing")]
    assert handed_on == ["last_action", "nothing"]


def test_dmax_goes_from_one_to_three_on_the_dev_splits_of_two_worlds() -> None:
    arms = _configurations("adapt-figure4")
    for world, split in (("alfworld", "valid_seen"), ("textcraft", "dev")):
        of_world = [arms[f"{world}-{dmax}"] for dmax in (1, 2, 3)]
        assert {(arm.environment.name, arm.run.split) for arm in of_world} == {(world, split)}
        assert [arm.method.options["max_depth"] for arm in of_world] == [1, 2, 3]
    assert {arm.run.per_type for name, arm in arms.items() if name.startswith("alfworld")} == {10}


def test_the_controls_of_values_differ_in_marks_and_self_consistency_alone() -> None:
    arms = _configurations("lats-values")
    assert {config.limits.episode_calls for config in arms.values()} == {80, 160, 320}
    options = {
        name: arms[f"{name}-80"].method.options for name in ("lats", "marks", "shuffled", "consistency", "random")
    }
    assert {name: (each["values"], each["value_weight"]) for name, each in options.items()} == {
        "lats": ("model", 0.5),
        "marks": ("model", 1.0),
        "shuffled": ("shuffled", 0.5),
        "consistency": ("none", 0.5),
        "random": ("shuffled", 1.0),
    }


def test_reflections_are_swapped_with_tasks_that_are_not_measured() -> None:
    swapped = _configurations("reflexion-reflections")["swapped"]
    others = swapped.method.options["other_tasks"]
    assert len(others) == 24
    assert set(others) <= set(TextCraft().tasks("dev"))


def test_arms_of_one_model_leave_out_the_models_that_a_user_names_for_roles() -> None:
    arms = _configurations("adapt-table5", "model.name=sim-strong", "model.executor.name=sim-weak")
    executors = {arm: config.model.of("executor").name for arm, config in arms.items()}
    assert executors == {"gpt": "sim-strong", "gpt-gpt": "sim-strong", "llama": "sim-weak", "llama-gpt": "sim-weak"}
    assert {config.model.of("planner").name for config in arms.values()} == {"sim-strong"}


def test_an_arm_is_run_once_for_each_seed_from_the_users_own_on() -> None:
    arms = _configurations("autoplan-figure3", "run.seed=7", seeds=2)
    names = ("batch-2", "batch-4", "batch-8", "summary", "none")
    assert list(arms) == [f"{name}-seed-{seed}" for seed in (7, 8) for name in names]
    assert [config.run.seed for config in arms.values()] == [7] * 5 + [8] * 5
    batches = [config.learning.options["batch"] for config in arms.values() if config.learning]
    assert batches == [2, 4, 8, 4, 4] * 2


def test_learning_settings_apply_only_to_arms_that_learn() -> None:
    arms = _configurations("autoplan-table4", "learning.batch=2")
    assert arms["react-0"].learning is None
    learning = arms["autoplan-heat"].learning
    assert learning is not None
    assert (learning.options["batch"], learning.options["eval_every"]) == (2, 0)
    assert {config.environment.options["causes"] for config in arms.values()} == {True}
