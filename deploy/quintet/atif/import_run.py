"""Makes a run folder of ATIF files: for reports and learners, and for nothing that would go on with it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import NamedTuple

from quintet.atif.foreign import UNKNOWN_MODEL
from quintet.atif.read import ReadEpisode, read_episode
from quintet.atif.write import RECORD_FILE, SUFFIX
from quintet.config import plugins
from quintet.config.sections import EnvironmentSection, MethodSection, RunConfig, RunSection
from quintet.config.tasks import TaskEntry
from quintet.errors import JournalFault, UsageError
from quintet.export.folder import export_folder
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.journal.writer import SqliteJournal
from quintet.launch.versions import package_versions
from quintet.messages.paths import Path, attempt_of, episode_path
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.files import refuse_network_file_system, usable_folder, write_whole
from quintet.runs.folder import read_record
from quintet.runs.record import RUN_RECORD, ImportedRun, RunRecord
from quintet.trust.approvals import approve
from quintet.trust.side_effects import environment_effects

_NO_WORLD = "imported"
"""The name of the environment and of its split, where none is named."""


class Imported(NamedTuple):
    """The result of an import."""

    episodes: int
    left_out: Mapping[str, int]
    """How many of what have no place in a run."""


def import_run(places: Sequence[FilePath], out: FilePath, environment: str | None = None) -> Imported:
    """Make a run of trajectories: of one that we exported the same again, else one of what other tools wrote.

    The name of another tool's file is that of the task; further files of the same name are further epochs of it.

    Args:
        places: files, or folders with them.
        out: a new or empty folder; it is written whole or not at all.
        environment: the world that other tools' agents acted in, whose tasks the files are named by; None: of ours
            none.

    Raises:
        UsageError: a file is no trajectory, or of another run than the one before, or two are of one episode; a task is
            none of the environment's; or `out` cannot be used.
    """
    files = _files(places)
    record = _own_record(files)
    refuse_network_file_system(out)
    read = _Files(record)
    with export_folder(out, "--out") as folder:
        with closing(SqliteJournal(folder / JOURNAL_FILE, prices={} if record is None else record.prices)) as journal:
            for file in files:
                store(journal, read.next(file), file)
        _check(folder / JOURNAL_FILE)
        made = read.foreign_record(environment) if record is None else _as_one(record)
        imported = ImportedRun(format=read.format, left_out=+read.left_out, foreign=record is None)
        made = RunRecord.model_validate({**made.model_dump(), "imported": imported})
        write_whole(folder / RUN_RECORD, made.model_dump_json(indent=2) + "\n")
    return Imported(len(files), imported.left_out)


def store(journal: SqliteJournal, episode: ReadEpisode, file: FilePath) -> None:
    """Store the episode of a file; a `UsageError` if a value of it cannot be stored."""
    try:
        journal.store(episode.path, episode.records, episode.began)
    except (JournalFault, ValueError, OverflowError) as error:
        raise UsageError(f"trajectory: expected what can be stored, got {error} ({file})") from error


def episode_in(file: FilePath, epoch: int = 0) -> ReadEpisode:
    """The episode of a file. One that another tool wrote is of the task that the file is named by."""
    try:
        path = episode_path(_task_of(file), epoch, 0)
    except ValueError as error:
        raise UsageError(f"import: {error} ({file})") from error
    return read_episode(file, path)


def _task_of(file: FilePath) -> str:
    return file.name.removesuffix(SUFFIX).removesuffix(".json")


def _files(places: Sequence[FilePath]) -> list[FilePath]:
    found: list[FilePath] = []
    for place in places:
        with usable_folder(place, "import", "read"):
            inside = sorted(place.glob("*.json")) if place.is_dir() else [place]
        found += [file for file in inside if file.name != RECORD_FILE]
    if not found:
        raise UsageError(f"import: expected files that end in .json, got none ({', '.join(map(str, places))})")
    return found


def _own_record(files: Sequence[FilePath]) -> RunRecord | None:
    """The record beside files that we exported; None: another tool wrote them."""
    file = files[0].parent / RECORD_FILE
    return read_record(file, RunRecord) if file.exists() else None


def _as_one(record: RunRecord) -> RunRecord:
    """The record of a run with one journal."""
    config = record.configuration
    one = config.model_copy(update={"runtime": config.runtime.model_copy(update={"shards": 1})})
    return record.model_copy(update={"configuration": one, "shard": None})


def _check(file: FilePath) -> None:
    """Read all that was stored: values that have their types may still not fit together."""
    with closing(JournalReader.open(file)) as reader:
        for row in reader.episodes():
            reader.records_of(row)
        if reader.damage:
            raise UsageError(f"import: expected trajectories that fit together: {reader.damage[0]}")


class _Files:
    """What is read so far.

    Args:
        record: of the run that all files are of; None: other tools wrote them.
    """

    def __init__(self, record: RunRecord | None) -> None:
        self._record = record
        self._read: dict[Path, FilePath] = {}
        self._epochs: Counter[str] = Counter()
        self._agents: dict[str, str] = {}
        self._models: dict[str, None] = {}
        self._began: list[float] = []
        self.left_out: Counter[str] = Counter()
        self.format = ""
        if record is not None:
            limits = record.configuration.limits
            self.left_out["charges of a budget"] += limits.budget_usd is not None or limits.budget_tokens is not None
            self.left_out["memories"] += record.configuration.memory is not None

    def next(self, file: FilePath) -> ReadEpisode:
        """Read a file."""
        task = _task_of(file)
        episode = episode_in(file, self._epochs[task])
        self._refuse_other_run(episode, file)
        if (earlier := self._read.setdefault(episode.path, file)) != file:
            raise UsageError(f"import: expected each episode once, got {episode.path!r} twice ({earlier}, {file})")
        self.left_out.update(episode.left_out)
        self.format = episode.trajectory.schema_version
        agent = episode.trajectory.agent
        self._epochs[task] += 1
        self._agents[agent.name] = agent.version
        self._models[agent.model_name or UNKNOWN_MODEL] = None
        self._began += [episode.began] if episode.began else []
        return episode

    def _refuse_other_run(self, episode: ReadEpisode, file: FilePath) -> None:
        own = episode.own
        if (own is None) != (self._record is None):
            one = "trajectories that other tools wrote" if self._record is None else "trajectories of one run"
            other = f"one that quintet wrote, without {RECORD_FILE} beside it" if own else "one that another tool wrote"
            raise UsageError(f"import: expected {one}, got {other} ({file})")
        if own is not None and self._record is not None and own.get("created") != self._record.created.isoformat():
            raise UsageError(f"import: expected one of the run of {RECORD_FILE}, got one of another run ({file})")

    def foreign_record(self, environment: str | None) -> RunRecord:
        """The record of a run of what other tools wrote."""
        tasks = [*dict.fromkeys(attempt_of(path).task for path in self._read)]
        section, split, version, entries = _world_tasks(environment, tasks)
        name = " + ".join(self._agents)
        models = [*self._models]
        names = [EXECUTOR_ROLE.name, *(f"{EXECUTOR_ROLE.name} {number}" for number in range(2, len(models) + 1))]
        return RunRecord(
            created=datetime.fromtimestamp(min(self._began), UTC) if self._began else datetime.now(UTC),
            packages=package_versions(),
            git_commit=None,
            configuration=RunConfig(
                method=MethodSection(name=name),
                environment=section,
                run=RunSection(split=split, epochs=max(self._epochs.values())),
            ),
            tasks=entries,
            method=name,
            method_versions=self._agents,
            world_version=version,
            models=dict(zip(names, models, strict=True)),
            prompts={},
        )


def _world_tasks(
    environment: str | None, tasks: Sequence[str]
) -> tuple[EnvironmentSection, str | None, str, tuple[TaskEntry, ...]]:
    """The environment's section, the split that has all of the tasks, its version, and their entries."""
    if environment is None:
        return (
            EnvironmentSection(name=_NO_WORLD),
            _NO_WORLD,
            "",
            tuple(TaskEntry(name=task, metadata={}) for task in tasks),
        )
    options = plugins.validate(plugins.world_options(environment), {}, "environment").model_dump(mode="json")
    section = EnvironmentSection.model_validate({"name": environment, **options})
    world = plugins.make_world(section)
    approve(environment_effects(section))
    for task in tasks:
        world.check_task(task)
    split = next((each for each in world.splits if {*tasks} <= {*world.tasks(each)}), None)
    return section, split, world.version, tuple(TaskEntry(name=task, metadata=world.metadata(task)) for task in tasks)
