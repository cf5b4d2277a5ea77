"""Refuses to go on with a folder that would run, import or contact what this user neither started nor approved."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from quintet.config.sections import EnvironmentSection
from quintet.config.settings import Setting, Settings
from quintet.errors import UsageError
from quintet.runs.files import refuse_links
from quintet.runs.folder import CHANGES, read_changes, shell_command
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, StudyRecord
from quintet.trust.approvals import approve, is_approved, why_not_kept
from quintet.trust.side_effects import (
    SideEffect,
    embedder_effects,
    environment_effects,
    run_effects,
    study_effects,
)


def refuse_untrusted(found: RunFolder | StudyFolder, *, trust: bool, command: str = "resume") -> None:
    """Refuse a folder of somebody else, before anything that it names is touched.

    Args:
        trust: the user approves all that it would do, which is kept.
        command: what the user asked for.

    Raises:
        UsageError: it would do what is not approved, with all of that; or it has links, through which it would write.
    """
    try:
        needed = [effects for effects in _effects_of(found) if not is_approved(effects)]
    except UsageError as error:  # a record that names options which are none
        raise error if str(found.path) in str(error) else UsageError(f"{error} ({found.path})") from error
    if needed and not trust:
        raise UsageError(_refusal(found.path, [each for effects in needed for each in effects], command))
    for effects in needed:
        approve(effects)


def refuse_untrusted_environment(record: RunRecord, run: Path) -> None:
    """Refuse to make the environment of somebody else's run, if that would do more than read."""
    effects = environment_effects(record.configuration.environment)
    if not is_approved(effects):
        raise UsageError(_refusal(run, effects))


def refuse_untrusted_embedder(record: RunRecord, run: Path) -> None:
    """Refuse to recall by the embedder of somebody else's run, if that would do more than embed here."""
    effects = embedder_effects(record.configuration.memory)
    if not is_approved(effects):
        raise UsageError(_refusal(run, effects))


def refuse_untrusted_world(section: EnvironmentSection) -> None:
    """Refuse to make a world that a client asks a server for, if that would do more than read."""
    effects = environment_effects(section)
    if not is_approved(effects):
        raise UsageError(f"environment: expected one of a run that the server's user started, {_got(effects)}")


def approve_run(record: RunRecord, changes: Settings) -> None:
    """Keep that this user started a run, or goes on with it under these changes."""
    approve(run_effects(record, changes))
    approve(environment_effects(record.configuration.environment))
    approve(embedder_effects(record.configuration.memory))


def approve_study(record: StudyRecord, changes: Settings) -> None:
    """The same of a study."""
    approve(study_effects(record.configurations, record.code, changes))


def _effects_of(found: RunFolder | StudyFolder) -> Iterator[Sequence[SideEffect]]:
    """Of a folder, and of each arm and shard in it, none of which may write elsewhere."""
    refuse_links(found.path)
    changes = _changes(found.path)
    if isinstance(found, RunFolder):
        yield run_effects(found.record, changes)
        yield environment_effects(found.record.configuration.environment)  # by itself: `refuse_untrusted_environment`
        yield embedder_effects(found.record.configuration.memory)
        for part in found.parts if found.record.sharded else ():
            yield from _effects_of(part)
        return
    yield study_effects(found.record.configurations, found.record.code, changes)
    for arm in found.arms().values():
        yield from _effects_of(arm)


def _changes(folder: Path) -> Settings:
    """The settings that hold after all changes that can be read; a resume refuses the others."""
    sound = read_changes(folder).sound
    return {
        key: Setting(value, f"{CHANGES}, line {number}")
        for number, change in enumerate(sound, 1)
        for key, value in change.settings.items()
    }


def _got(effects: Sequence[SideEffect]) -> str:
    return "got one that would" + "".join(f"\n  {line}" for line in dict.fromkeys(map(str, effects)))


def _refusal(folder: Path, effects: Sequence[SideEffect], command: str = "resume") -> str:
    kept = f"; approvals cannot be kept here: {why}" if (why := why_not_kept()) else ""
    wanted = "expected a run that you started here or have approved"
    trusted = shell_command(command, folder, "--trust")
    return f"{command}: {wanted}, {_got(effects)}\nif you want all of that: {trusted}{kept}"
