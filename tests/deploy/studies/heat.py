"""Study folders of AutoPlan on a few heat tasks, written by hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quintet.config.settings import from_assignments
from quintet.runs.record import RunRecord
from quintet.studies.arms import prepare_arms, with_seeds
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.deploy import learning_runs
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

TASKS = 4


def write(path: Path, name: str, solved: Mapping[str, Sequence[int]], *, seeds: int = 2) -> Path:
    """A study with some finished arms.

    Args:
        path: of the folder.
        name: of the study.
        solved: by arm, how many of its tasks are solved with version 1, 2 and so on.
        seeds: how often every arm is repeated.
    """
    definition = with_seeds(find_study(name), seeds)
    arms = prepare_arms(definition, [from_assignments([f"run.tasks={TASKS}"])])
    with create(definition, arms, path) as folder:
        for arm, by_version in solved.items():
            write_learning_run(folder.arm_path(arm), arms[arm].record, by_version)
    return path


def write_learning_run(path: Path, record: RunRecord, solved: Sequence[int], *, whole: bool = True) -> None:
    """A finished learning run; every second update changes nothing.

    Args:
        path: of the folder.
        record: of the run.
        solved: with version 1, 2 and so on, how many of its tasks.
        whole: whether the last version was measured to the end.
    """
    batch = {record.training[0].name: LOST}
    steps = [Step(batch, f"Plan {version // 2}.") for version in range(2, len(solved) + 2)]
    names = [task.name for task in record.tasks]
    measured = {
        version: {name: Went() if place < number else LOST for place, name in enumerate(names)}
        for version, number in enumerate(solved, 1)
    }
    if not whole:
        measured[len(solved)][names[-1]] = Went(None)
    learning_runs.write(path, record, steps, measured, chosen=len(solved) if whole else None)
