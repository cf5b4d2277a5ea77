"""Run folders of ALFWorld written by hand: as if of the papers' content, or of generated households."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from quintet.launch.prepare import prepare_config
from quintet.ports.world import TASK_TYPE
from quintet.reports.load import Report, load_report
from quintet.reports.world_tasks import WorldTasks, world_tasks
from quintet.runs.record import RunRecord
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went

TASK_TYPES = world_tasks("alfworld").labels[TASK_TYPE]
LANGUAGE_MODEL = "gpt-4.1-mini"
LOST = Went("unsolved", 0.0, claimed=None)


def generated_record(method: str = "react", /, **sections: Any) -> RunRecord:
    return samples.record(method, None, **{"environment": {"name": "alfworld"}, **sections})


def official(method: str = "react", /, **sections: Any) -> RunRecord:
    """Treat the content as the papers', and the models as a language model."""
    record = with_official_content(generated_record(method, **sections))
    return record.model_copy(update={"models": dict.fromkeys(record.models, LANGUAGE_MODEL), "assumptions": ()})


def with_official_content(record: RunRecord) -> RunRecord:
    """Treat the content of a run as the papers'; what nobody knows of it is as in `all_known`."""
    run = record.configuration.run
    split = all_known(record.configuration.environment.name).splits.get(run.split or "")
    return record if split is None else record.model_copy(update={"content": split.content})


def all_known(environment: str) -> WorldTasks:
    """A world's `tasks.toml` as it would be if every digest were known: what is not is `known`."""
    found = world_tasks(environment)
    splits = {
        name: replace(split, content={**split.content, **dict.fromkeys(split.unknown, "known")}, unknown={})
        for name, split in found.splits.items()
    }
    return replace(found, splits=splits)


def asked(record: RunRecord, model: str) -> RunRecord:
    """The same run, with another model in all roles."""
    return record.model_copy(update={"models": dict.fromkeys(record.models, model)})


def solve_half(path: Path, record: RunRecord, first: int = 0) -> Report:
    """Every other task of a type was solved, and of the first two the one with this number."""
    by_type = sorted(record.tasks, key=lambda task: (task.metadata["task type"], task.name))
    went = {task.name: (Went(), LOST)[(number + first) % 2] for number, task in enumerate(by_type)}
    return load_report([samples.write(path, record, went)])


def write_comparison(path: Path) -> Report:
    """ReAct and ADaPT, each solving the tasks that the other does not."""
    arms = {"react": official("react"), "adapt": official("adapt")}
    with create(
        find_study("demo"), {arm: prepare_config(record.configuration, arm) for arm, record in arms.items()}, path
    ) as folder:
        for first, (arm, record) in enumerate(arms.items()):
            solve_half(folder.arm_path(arm), record, first)
    return load_report([path])
