"""Studies written by hand, with known results: comparisons on four tasks, and others; and packages that lack."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.reports.load import load_report
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms
from quintet.studies.comparison_arms import define_comparison
from quintet.studies.findings import StudyFindings, part_report
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went

TASKS = ("beehive", "cake", "lantern", "painting")


def write_comparison(
    path: Path,
    arms: Mapping[str, list[Mapping[str, Went]]],
    *,
    budget: str | None = "calls=5",
    world: str = "textcraft",
    tasks: Sequence[str] = TASKS,
) -> StudyFolder:
    """A comparison in a new folder.

    Args:
        path: its folder.
        arms: by method, the results of its tasks in each epoch; an arm with none has not begun.
        budget: of every episode.
        world: its name.
        tasks: of that world.
    """
    definition = define_comparison(list(arms), budget=budget)
    given = [f"run.tasks={','.join(tasks)}", f"environment.name={world}", f"run.epochs={max(map(len, arms.values()))}"]
    configs = prepare_arms(definition, [from_assignments(given)])
    with create(definition, configs, path) as folder:
        for arm, epochs in arms.items():
            if epochs:
                with folder.create_arm(arm) as run:
                    for epoch, went in enumerate(epochs):
                        samples.journal(run, went, epoch=epoch)
    return StudyFolder.open_to_read(path)


def went(*calls: int) -> dict[str, Went]:
    """Each task with so many calls: solved, or if negative failed; 0 faulted."""
    return {task: _went(number) for task, number in zip(TASKS, calls, strict=True)}


def _went(calls: int) -> Went:
    if calls == 0:
        return Went("faulted")
    return Went(calls=calls) if calls > 0 else Went("unsolved", 0.0, calls=-calls)


def hide_packages(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Let modules find no optional package."""

    def nothing(_name: str) -> None:
        return None

    for module in modules:
        monkeypatch.setattr(f"quintet.{module}.find_spec", nothing)


def findings_of(path: Path) -> StudyFindings:
    """Those of the one study in a folder, all of whose runs they are of."""
    rest, found = part_report(load_report([path]))
    assert (rest.runs, rest.compared) == ((), ())
    (study,) = found.values()
    return study
