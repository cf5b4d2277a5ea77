"""What a recorded run and its episodes began with, for a fork of it."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from quintet.config import plugins
from quintet.config.resolve import as_tables
from quintet.config.sections import ModelSettings
from quintet.config.settings import MODEL_NAME, Settings, from_table
from quintet.messages.paths import Path, attempt_of
from quintet.methods.base.method import LearnerSpec
from quintet.plugins import catalogue
from quintet.roles.question_roles import JUDGE_ROLE
from quintet.runs.fork_record import Begun
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder

_KEPT: Final = ("split", "seed", "sampling_seed", "keep_going")
"""Of `[run]`."""


def newest(layers: Iterable[Settings]) -> Mapping[str, Any]:
    """The value of each setting in the last layer that has it."""
    return {key: each.value for layer in layers for key, each in layer.items()}


def recorded_settings(
    run: RunFolder, continuations: Mapping[str, int], version: int, changed: Mapping[str, Any]
) -> Settings:
    """What a run was configured to, for another one that goes on from its episodes.

    Args:
        continuations: how many there are of each task.
        version: of what the run learnt, if it did, that its episodes were given.
        changed: the settings that the other run changes.
    """
    tables = as_tables(run.record.configuration)
    tables.pop("learning", None)
    tables["method"].pop("plan", None)
    own = {name: tables["run"][name] for name in _KEPT}
    tables["run"] = {**own, "tasks": list(continuations), "epochs": max(continuations.values())}
    tables["runtime"]["shards"] = 1
    if run.record.memory is not None or (run.record.learns and run.record.learnt != "plan"):
        tables.setdefault("memory", {})["source"] = f"{run.memory.parent.absolute()}@{version}"
    for key, name in changed.items():
        if MODEL_NAME.fullmatch(key):
            _give_model(tables, key.split(".")[:-1], str(name), changed.get(f"{key.removesuffix('name')}url"))
    return from_table(tables, str(run.path))


def recorded_plan(run: RunFolder, version: int) -> str:
    """The plan that the recorded episodes followed; of a run that learnt plans, that of a version."""
    if not run.record.learns or run.record.learnt != "plan":
        return run.record.plan
    with run.read_journals() as found:
        contents = (each.reader.version(version) for each in found.journals)
        return next((content for content in contents if content is not None), "")


def recorded_beginning(record: RunRecord, learner: LearnerSpec[Any] | None, episode: Path) -> Begun:
    """What a recorded attempt was begun with.

    Args:
        learner: that of the run, if it learnt.
    """
    task, epoch, _ = attempt_of(episode)
    if record.fork is not None:
        return record.fork.by_episode[task, epoch].begun
    if learner is None:
        return Begun(world=epoch, epoch=epoch)
    begun = Begun(world=0, epoch=epoch)  # its versions play the same worlds
    if all(task != each.name for each in record.learnt_from):
        return begun
    sampling = None if learner.stream else learner.exploration()
    explores = {} if sampling is None else {"temperature": sampling.temperature, "top_p": sampling.top_p}
    return begun.model_copy(update={"purpose": learner.purpose(epoch), **explores})


def _give_model(tables: Mapping[str, Any], section: Iterable[str], name: str, url: str | None) -> None:
    """Give a table of a model another one, and the tables of roles within it that have the same.

    A recorded table has every setting, so those that only the recorded model takes are dropped.
    """
    table: dict[str, Any] | None = dict(tables)
    for part in section:
        table = None if table is None else table.get(part)
    if table is None:
        return
    begun = table["name"]
    tables_within = {key: cast("dict[str, Any]", each) for key, each in table.items() if isinstance(each, dict)}
    roles = {role: each for role, each in tables_within.items() if "name" in each}
    same = [each for role, each in roles.items() if role != JUDGE_ROLE.name and each["name"] == begun]
    for each in (table, *same):
        each["name"] = name
        if catalogue.is_known("model", name):
            each.pop("url", None)
        options = plugins.model_options(name, url or each.get("url")).model_fields
        for key in [key for key in each if key not in roles]:
            if key not in ModelSettings.model_fields and key not in options:
                del each[key]
