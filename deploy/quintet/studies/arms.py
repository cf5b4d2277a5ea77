"""The arms of a study, prepared: repeated over a setting and over seeds, under a user's settings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace as with_fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from quintet.config.method_names import with_method_names
from quintet.config.methods import find_methods
from quintet.config.objects import bring, take_objects
from quintet.config.resolve import combine_layers
from quintet.config.sections import METHOD_MODEL_ROLES, RunConfig
from quintet.config.settings import Settings, flatten, from_table, nest
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared, prepare_named
from quintet.launch.refusals import refuse_sharded
from quintet.plugins.brought import BroughtObject, bringing
from quintet.runs.study_folder import ArmVersion
from quintet.studies.axes import axis_levels
from quintet.studies.definition import Study, TransferFindings
from quintet.studies.given_arms import GivenSource, given_configs
from quintet.studies.transfer import refuse_unpaired

_T = TypeVar("_T")

_MOST_SEEDS = 1_000
"""Of a study; each repeats all arms."""


_SOURCE = "memory.source"
"""What an arm with a memory sets."""

_SHARED = ("limits.budget_usd", "limits.budget_tokens")
"""What all arms of a study spend together."""


class _Arm(NamedTuple):
    name: str
    settings: Mapping[str, Any]
    """By dotted key."""
    one_model: bool = False
    """Whether all its roles share `[model]`."""
    repeats: str = ""
    """The arm that it repeats with a seed; empty: none."""


def take_study_objects(study: Study, layers: Sequence[Settings]) -> tuple[Study, list[Settings], list[BroughtObject]]:
    """Replace the objects in a study, and in a user's settings, by their names, and return the objects too.

    Raises:
        UsageError: an object cannot be used, or two have the same name.
    """
    objects: list[BroughtObject] = []

    def named(table: Mapping[str, Any], where: str) -> dict[str, Any]:
        (layer,), found = take_objects([from_table(table, where)])
        bring(found, objects)
        return nest(layer) if found else dict(table)

    common = named(study.common, f"study {study.name}")
    arms = {name: named(table, f"study {study.name}, arm {name}") for name, table in study.arms.items()}
    grid = {
        name: {
            level: named(settings, f"study {study.name}, grid.{name}, {level}")
            for level, settings in axis_levels(name, axis).items()
        }
        for name, axis in study.grid.items()
    }
    taken, found = take_objects(layers)
    bring(found, objects)
    return replace(study, common=common, arms=arms, grid=grid), taken, objects


def prepare_arms(
    study: Study,
    layers: Sequence[Settings],
    *,
    objects: Sequence[BroughtObject] = (),
    refused: dict[str, str] | None = None,
) -> dict[str, Prepared]:
    """Prepare every arm, by name, under a user's settings; each is prepared once.

    Args:
        layers: the settings, later ones overriding earlier ones.
        refused: is given, by arm, why arms cannot be prepared, which are left out; None: the first such arm raises.

    Raises:
        UsageError: a setting is what the arms differ in, does not validate, or is missing.
    """
    for key in study.needs:
        if not any(key in layer for layer in layers):
            raise UsageError(f"{key}: expected a value for study {study.name} (--set {key}=...), got none")
    arms = list(_arms(study))
    fixed = {key for arm in arms for key in with_method_names(from_table(arm.settings, study.name))}
    for layer in layers:
        for key, setting in layer.items():
            if key in fixed:
                expected = f"what study {study.name} sets for each arm"
                raise UsageError(f"{key}: expected {expected}, got {setting.value!r} ({setting.where})")
    for arm in arms:
        for key in _SHARED:
            if key in arm.settings:
                raise UsageError(f"arm {arm.name}: {key}: expected in [common] or by a flag, since all arms share it")
    below = [from_table(study.common, f"study {study.name}"), *layers]
    remembers = bool(study.given) or any(_SOURCE in arm.settings for arm in arms)
    brought = {arm.name: _brought_roles(study, arm, below, objects) for arm in arms}
    found: dict[str, Prepared] = {}
    once: dict[str, RunConfig] = {}
    for arm in _with_seeds(study, arms, below):
        own = _brought_roles(study, arm, below, objects)
        of_others = frozenset[str]().union(*brought.values()) - own
        without = of_others | own | {*METHOD_MODEL_ROLES} if arm.one_model else of_others
        tables = [f"model.{role}." for role in without] + [f"runtime.roles.{role}." for role in of_others]
        try:
            unread = ["learning."] + ["memory."] * (remembers and _SOURCE not in arm.settings)
            found[arm.name] = _prepare(study, arm, _without(below, tuple(tables)), unread, objects)
            once[arm.repeats or arm.name] = found[arm.name].config
        except UsageError as error:
            if refused is None:
                raise UsageError(f"arm {arm.name}: {error}") from error
            refused[arm.repeats or arm.name] = str(error)
    for name, config in given_configs(given_to_each(study, found), found, Path(study.name), objects).items():
        if config.memory is not None:  # what recalls may ask a model, so no bound on its calls is known
            recollection = config.memory.recollection(config.run.seed)
            found[name] = with_fields(found[name], spec=with_fields(found[name].spec, recollection=recollection))
    if isinstance(study.findings, TransferFindings) and study.findings.is_of_arms and not refused:
        refuse_unpaired(study, study.findings, once)
    return found


def given_to_each(study: Study, arms: Mapping[str, Prepared]) -> dict[str, GivenSource]:
    """What the arms are given that an earlier one learns, by their names with a seed, as is that one's."""
    given = {arm: GivenSource(learner, study.controls.get(arm, "none")) for arm, learner in study.given.items()}
    if not study.seeds:
        return given
    seeds = dict.fromkeys(arm.config.run.seed for arm in arms.values())
    return {
        seeded(arm, seed): each._replace(learner=seeded(each.learner, seed))
        for arm, each in given.items()
        for seed in seeds
    }


def versions(study: Study) -> dict[str, ArmVersion]:
    """The versions that are shown as arms, by name; those of an arm that is repeated over a setting too."""
    over = study.over
    found: dict[str, ArmVersion] = {}
    for name, learnt in study.versions.items():
        if over is not None and name in study.compared:
            for value in over.values:
                found[over.arm(name, value)] = ArmVersion(arm=over.arm(learnt.arm, value), version=learnt.version)
        else:
            found[name] = ArmVersion(arm=learnt.arm, version=learnt.version)
    return found


def _arms(study: Study) -> Iterator[_Arm]:
    over = study.over
    for name, table in study.settings.items():
        settings, alone = dict(flatten(table)), name in study.one_model
        if over is not None and (not over.arms or name in over.arms):
            yield from (_Arm(over.arm(name, value), {**settings, over.setting: value}, alone) for value in over.values)
        else:
            yield _Arm(name, settings, alone)


def with_seeds(study: Study, seeds: int | None) -> Study:
    """The study, each of whose arms runs with so many seeds; None: as it says itself.

    Raises:
        UsageError: there are too few or too many, or it cannot be repeated by seed.
    """
    if seeds is None:
        return study
    if not 1 <= seeds <= _MOST_SEEDS:
        raise UsageError(f"--seeds: expected 1 to {_MOST_SEEDS:,}, got {seeds:,}")
    try:
        return replace(study, seeds=seeds)
    except ValueError as error:
        raise UsageError(f"--seeds: {error}") from error


def _with_seeds(study: Study, arms: list[_Arm], layers: Sequence[Settings]) -> list[_Arm]:
    if not study.seeds:
        return arms
    seeds: Sequence[int]
    if isinstance(study.seeds, int):
        given = [layer["run.seed"].value for layer in layers if "run.seed" in layer]
        first = given[-1] if given else 0
        if not isinstance(first, int) or isinstance(first, bool):
            return arms  # resolving the arms refuses it
        seeds = range(first, first + study.seeds)
    else:
        seeds = study.seeds
    return [
        arm._replace(name=seeded(arm.name, seed), repeats=arm.name, settings={**arm.settings, "run.seed": seed})
        for seed in seeds  # so that a study that ends early has all arms with some seeds
        for arm in arms
    ]


def _brought_roles(
    study: Study, arm: _Arm, layers: Sequence[Settings], objects: Sequence[BroughtObject]
) -> frozenset[str]:
    """The roles that an arm's methods bring; a user's tables of such a role are for the arms that have it."""
    own = from_table(arm.settings, _place(study, arm))
    with bringing(objects), suppress(UsageError):  # preparing the arm says what is wrong
        methods = find_methods(combine_layers([*layers, own]))
        return frozenset(role.name for method in methods.values() for role in method.roles)
    return frozenset()


def _place(study: Study, arm: _Arm) -> str:
    """Where the settings of an arm are written: in one place for all cells of a grid, whose levels share them."""
    return f"study {study.name}, " + ("grid" if study.grid else f"arm {arm.repeats or arm.name}")


def _prepare(
    study: Study,
    arm: _Arm,
    layers: Sequence[Settings],
    unread: Sequence[str],
    objects: Sequence[BroughtObject],
) -> Prepared:
    """Prepare an arm; what begins with `unread` in a user's settings is for other arms, unless this one learns."""
    own = from_table(arm.settings, _place(study, arm))
    if not any(setting.value is True for layer in [*layers, own] if (setting := layer.get("run.learn"))):
        layers = _without(layers, tuple(unread))
    prepared = prepare_named([*layers, own], objects)
    refuse_sharded(prepared.record)
    return prepared


def _without(layers: Sequence[Settings], prefixes: tuple[str, ...]) -> list[Settings]:
    return [{key: setting for key, setting in layer.items() if not key.startswith(prefixes)} for layer in layers]


def seeded(name: str, seed: int) -> str:
    """The name of an arm's run with a seed, in a study that repeats its arms."""
    return f"{name}-seed-{seed}"


def by_arm(runs: Iterable[tuple[str, int, _T]]) -> dict[str, list[_T]]:
    """What belongs to the runs of each arm, by its name without a seed; given with their names and seeds, in order."""
    found: dict[str, list[_T]] = {}
    for name, seed, each in runs:
        found.setdefault(name.removesuffix(seeded("", seed)), []).append(each)
    return found
