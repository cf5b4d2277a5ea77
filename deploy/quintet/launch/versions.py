"""The versions of what a run is made of, as its record keeps them: packages, parts, and the user's own code."""

import importlib.metadata
import platform
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from quintet.config.resolve import Resolved
from quintet.errors import UsageError
from quintet.models.local.gguf import ModelFile
from quintet.models.local.model import Local
from quintet.plugins import catalogue
from quintet.plugins.brought import FROM_PYTHON, BroughtObject
from quintet.plugins.entry_points import Kind
from quintet.plugins.objects import find_object
from quintet.ports.model import PlaysExpert
from quintet.runs.record import CodeRecord, RunRecord
from quintet.runtime.spec import RunSpec

_PACKAGES = ("quintet-agents", "msgspec", "pydantic", "openai", "gymnasium", "ray", "wordllama")


def package_versions() -> dict[str, str]:
    """Versions of the packages that results may depend on."""
    versions = {"python": platform.python_version()}
    return versions | {package: found for package in _PACKAGES if (found := _version(package)) is not None}


@cache
def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def catalogue_names(run: Resolved) -> list[tuple[Kind, str]]:
    """The names of the methods, the environment, the models and the embedder that a run has from the catalogue."""
    config = run.config
    models = [each.model.of(role) for each in run.methods for role in each.model_roles]
    embeds = None if config.memory is None else config.memory.embeds
    named: list[tuple[Kind, str]] = [
        *(("method", each.section.name) for each in run.methods),
        ("environment", config.environment.name),
        *(("model", model.name) for model in models if model.url is None),
    ]
    if embeds is not None and embeds.url is None:
        named.append(("embedder", embeds.name))
    return named


def plug_in_versions(run: Resolved) -> dict[str, str]:
    """Versions of the other distributions whose plug-ins a run names."""
    found = (catalogue.origin(kind, name) for kind, name in catalogue_names(run))
    return {plug_in.distribution: plug_in.version for plug_in in found if plug_in is not None}


@cache
def git_commit() -> str | None:
    """The commit of the checkout that this code runs from; None outside a checkout."""
    checkout = Path(__file__).parents[3]
    return commit_of(checkout) if (checkout / ".git").exists() else None


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


def model_assumptions(spec: RunSpec) -> tuple[str, ...]:
    """What the figures of models depend on that are none, each once."""
    found = (model.assumption for model in spec.models.values() if isinstance(model, PlaysExpert))
    return tuple(dict.fromkeys(text for text in found if text))


def model_files(spec: RunSpec) -> dict[str, ModelFile]:
    """The files of local models, by the actors that call them."""
    return {actor: model.file for actor, model in spec.models.items() if isinstance(model, Local)}


def _refuse_other(what: str, kind: str, begun: str, now: str, run: Path) -> None:
    if begun != now:
        raise UsageError(f"{what}: expected {kind} {begun}, under which the run was begun, got {now} ({run})")


def _digests(files: Mapping[str, ModelFile]) -> dict[str, str]:
    return {role: f"{file.sha256} ({file.name}, {file.size:,} bytes)" for role, file in files.items()}


def record_code(objects: Sequence[BroughtObject]) -> tuple[CodeRecord, ...]:
    """What a record keeps of objects."""
    folders = dict.fromkeys(each.folder for each in objects)
    commits = {folder: None if folder is None else commit_of(folder) for folder in folders}
    return tuple(
        CodeRecord(
            kind=each.kind,
            name=each.name,
            origin=each.origin,
            sha256=each.sha256,
            texts=each.digests,
            git_commit=commits[each.folder],
        )
        for each in objects
    )


def find_recorded(code: Sequence[CodeRecord], given: Sequence[object], run: Path) -> tuple[BroughtObject, ...]:
    """The objects that a run was begun with, unchanged: found in their files, or among those given from Python."""
    return tuple(_find(each, given, run) for each in code)


def _find(recorded: CodeRecord, given: Sequence[object], run: Path) -> BroughtObject:
    places = [*given, *([] if recorded.origin == FROM_PYTHON else [recorded.origin])]
    found = next((each for place in places if (each := _at(place, recorded, run)) is not None), None)
    if found is None:
        expected = f"expected the object that was {recorded.origin} when the run was begun, got none"
        remedy = "resume it from Python: quintet.api.resume(FOLDER, objects=[...])"
        raise UsageError(f"{recorded.kind} {recorded.name}: {expected}; {remedy} ({run})")
    _refuse_changed(recorded, found.origin, run, found.digests)
    return found


def _at(place: object, recorded: CodeRecord, run: Path) -> BroughtObject | None:
    """The object that is given, or found at its origin; None if it is of another kind or name."""
    refuse = partial(_refuse_changed, recorded, recorded.origin, run)
    try:
        found = find_object(recorded.kind, place, refuse)
    except UsageError:
        if place == recorded.origin:
            raise
        return None
    return None if found is None or found.name != recorded.name else found.brought


def _refuse_changed(recorded: CodeRecord, origin: str, run: Path, now: Mapping[str, str]) -> None:
    for text in sorted(recorded.texts.keys() | now.keys()):
        begun = recorded.texts.get(text, "none")
        if begun != now.get(text, "none"):
            what = f"code of {recorded.kind} {recorded.name}, {text} ({origin})"
            got = now.get(text, "none")
            remedy = "changed code is another run: begin a new one"
            expected = f"expected SHA-256 {begun}, under which the run was begun, got {got}"
            raise UsageError(f"{what}: {expected}; {remedy} ({run})")


def commit_of(folder: Path) -> str | None:
    """The commit of the git checkout that a folder lies in, with `+changes` if it had any; None outside a checkout."""
    asked = ("git", "status", "--porcelain=v2", "--branch", "--untracked-files=no")
    try:
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    commit, *lines = done.stdout.removeprefix("# branch.oid ").splitlines()
    changed = any(not line.startswith("#") for line in lines)
    return None if commit == "(initial)" else commit + "+changes" * changed
