"""Refuses runs whose parts do not fit together, before any call."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quintet.config.complaints import with_origin
from quintet.config.method_config import MethodConfig, unmet_need
from quintet.config.settings import Settings
from quintet.config.tasks import TaskEntry
from quintet.errors import UsageError
from quintet.models.local.gguf import ModelFile
from quintet.models.local.model import Local
from quintet.runs.record import RunRecord
from quintet.runtime.spec import RunSpec


def refuse_local_models(spec: RunSpec, configs: Sequence[MethodConfig], settings: Settings) -> None:
    """Refuse model files on Ray, where every host would load them."""
    for each, made in zip(configs, spec.methods, strict=True):
        for role, model in made.models.items():
            if isinstance(model, Local):
                with with_origin(settings, each.model_keys(role, "file", "name")):
                    raise UsageError(
                        f"model: expected one behind an endpoint for a run on Ray, got {model.name}, which every host "
                        "would load; serve the file to all of them with llama-server, and name its address by model.url"
                    )


def refuse_without_forks(spec: RunSpec) -> None:
    """Refuse a method that copies sessions, or goes back, in a world that cannot."""
    if needed := unmet_need([each.method for each in spec.methods], spec.world):
        raise UsageError(f"environment: expected {needed}")


def refuse_wrong_judge(spec: RunSpec) -> None:
    """Refuse a judge in a world without answers to grade, and a world whose reward needs one without it."""
    needed = spec.world.needs_judge
    if spec.judged and needed is None:
        got = f"{spec.world.name}, whose answers no model grades"
        raise UsageError(f"model.judge: expected an environment with answers for a judge, got {got}")
    if needed and not spec.judged:
        why = f"a model whose verdict is the reward on {spec.world.name}"
        raise UsageError(f"model.judge: expected {why} (--set model.judge.name=MODEL), got none")


def refuse_missing_demonstrations(spec: RunSpec, tasks: Sequence[TaskEntry]) -> None:
    """Refuse a set of demonstrations that the world does not have for these tasks."""
    for number, each in enumerate(spec.methods):
        asked = {name for task in tasks for name in each.method.demonstrations(task.metadata) or ()}
        for name in sorted(asked.difference(each.prompts)):
            key = f"method{'.inner' * number}.demonstrations"
            has = f"demonstrations that {each.name} has for {spec.world.name}"
            raise UsageError(f"{key}: expected {has}, got a set that needs the prompt {name!r}")


def refuse_unknown_further_tasks(spec: RunSpec) -> None:
    """Refuse a method that opens tasks which the world does not have."""
    for each in spec.methods:
        for name in each.method.further_tasks():
            try:
                spec.world.metadata(name)
            except UsageError as error:
                raise UsageError(f"method {each.name}: further tasks: {error}") from error


def refuse_other_versions(record: RunRecord, spec: RunSpec, prompts: Mapping[str, str], run: Path) -> None:
    """Refuse to go on with another method, environment, model, model file or prompt; an endpoint may have moved."""
    _refuse_other(f"environment {spec.world.name}", "version", record.world_version, spec.world.version, run)
    for what, kind, begun, now in (
        ("method", "version", record.method_versions, method_versions(spec)),
        ("model file of", "SHA-256", _digests(record.files), _digests(model_files(spec))),
        ("model of", "name", record.models, model_names(spec)),
        ("prompt", "SHA-256", record.prompts, prompts),
    ):
        for name in sorted(begun.keys() | now.keys()):
            _refuse_other(f"{what} {name}", kind, begun.get(name, "none"), now.get(name, "none"), run)


def method_versions(spec: RunSpec) -> dict[str, str]:
    """The versions of the methods, by their names in the run."""
    return {each.name: each.method.version for each in spec.methods}


def model_names(spec: RunSpec) -> dict[str, str]:
    """The names of the models, by the actors that call them."""
    return {actor: model.name for actor, model in spec.models.items()}


def model_files(spec: RunSpec) -> dict[str, ModelFile]:
    """The files of local models, by the actors that call them."""
    return {actor: model.file for actor, model in spec.models.items() if isinstance(model, Local)}


def _refuse_other(what: str, kind: str, begun: str, now: str, run: Path) -> None:
    if begun != now:
        raise UsageError(f"{what}: expected {kind} {begun}, under which the run was begun, got {now} ({run})")


def _digests(files: Mapping[str, ModelFile]) -> dict[str, str]:
    return {role: f"{file.sha256} ({file.name}, {file.size:,} bytes)" for role, file in files.items()}
