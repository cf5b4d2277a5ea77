"""How runs ended; on any damaged folder, every command ends and names the file and what is wrong with it."""

import asyncio
import random
import shutil
import signal
import sqlite3
from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from quintet.errors import BudgetSpent, EndpointUnavailable, Fault, WorldFault
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import LEARNER, VISIT, episode_path
from quintet.messages.paths import Path as EpisodePath
from quintet.reports.episodes import results
from quintet.runs.ends import RUN_END, keep_end, newest_at_tasks, read_end, write_end
from quintet.runs.run_folder import RunFolder
from tests.command import Said, command
from tests.deploy import samples
from tests.deploy.runs import damage
from tests.deploy.runs.damage import Damage
from tests.deploy.samples import Went

_SECONDS = 120
"""In which a command must end, also on a busy machine; the slowest takes two alone."""

_CODES = (0, 1, 2, 3, 130)

_DRAWN = 3
"""Commands that meet a damage."""


class Hung(BaseException):
    """A command took too long."""


def within_seconds(*words: object) -> Said:
    """Run a command for a short while."""

    def end(*_: object) -> None:
        raise Hung(words)

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        return command(*words)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def commands(folder: Path, sound: "Sound") -> Iterator[tuple[object, ...]]:
    """Every command that reads a run or a study, those that write in it last."""
    beside, episode = folder.parent, sound.episode
    yield "report", folder
    yield "report", folder, "--json"
    yield "show", folder
    yield "show", folder, episode
    yield "show", folder, episode, "--call", 1
    yield "ls", beside
    yield "ls", beside, "--json"
    yield "view", folder, "--static", beside / "page.html"
    yield "ctl", folder, "status"
    yield "export", folder, "--parquet", beside / "tables"
    yield "export", folder, "--table", beside / "table.csv"
    yield "compare", folder, sound.path
    yield "memory", "trajectories", folder, "--jsonl", beside / "lines.jsonl"
    yield "rescore", folder, "--judge", "sim-strong", "--out", beside / "scores"
    yield from memory_commands(folder / sound.memory if sound.memory else folder, beside)
    yield "resume", folder


def memory_commands(place: Path, beside: Path) -> Iterator[tuple[object, ...]]:
    """Every command that reads a memory."""
    yield "memory", "show", place
    yield "memory", "show", place, "--tuples", "--json"
    yield "memory", "search", place, "egg"
    yield "memory", "merge", place, place, "--out", beside / "merged.sqlite"
    yield "memory", "export", place, "--jsonl", beside / "memory.jsonl"
    run = ("eval", "react", "textcraft", "--model", "sim-strong", "--tasks", "stick", "--memory")
    yield *run, place, "--out", beside / "run"


class Sound(NamedTuple):
    """An undamaged folder, of an unfinished run, so that a resume has work."""

    path: Path
    run: str
    """The run folder to damage, relative to the folder and with a slash at its end."""
    episode: str
    memory: str = ""
    """The memory's file, if that is damaged, too."""


KINDS = ("eval", "study", "optimize", "memory")
"""A run, a study, a run that learns plans, and one that learns a memory."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sound]:
    root = tmp_path_factory.mktemp("sound")
    learns = ("--train-tasks", "2", "--batch", "1", "--iterations", "2")
    forms = [word for each in ("tasks=4", "batch=2", "goals=1", "rounds=1") for word in ("--set", f"learning.{each}")]
    for name, made in {
        "eval": ("eval", "react", "textcraft", "--tasks", "beehive,stick", "--set", "limits.budget_tokens=1000000"),
        "study": ("study", "demo", "--tasks", "beehive", "--no-picture"),
        "optimize": ("optimize", "autoplan", "textcraft", "--tasks", "beehive", *learns),
        "memory": ("optimize", "ldm2", "textcraft", "--tasks", "beehive", *forms),
    }.items():
        command(*made, "--out", root / name, code=0)
    _without_end(root / "eval", "stick/0/0")
    command("resume", root / "eval", "--set", "runtime.concurrency=3", code=0)
    _without_end(root / "eval", "stick/0/0")
    for name in ("optimize", "memory"):
        _without_end(root / name, "~learn/0/0")
    return {
        "eval": Sound(root / "eval", "", "stick"),
        "study": Sound(root / "study", "arms/adapt/", "adapt/beehive"),
        "optimize": Sound(root / "optimize", "", "~learn"),
        "memory": Sound(root / "memory", "", "~learn", "memory.sqlite"),
    }


def _without_end(run: Path, episode: str) -> None:
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as journal:
        (number,) = journal.execute("SELECT id FROM episodes WHERE path = ?", (episode,)).fetchone()
        names = [name for _, name, *_ in journal.execute("PRAGMA table_info(_episodes)")]
        nothing = ", ".join(f"{name} = NULL" for name in names[names.index("ended") :])
        journal.execute(f"UPDATE _episodes SET {nothing} WHERE id = ?", (number,))
        journal.execute("DELETE FROM _usage WHERE episode = ?", (number,))


def damages(folder: Sound, seed: int) -> list[Damage]:
    """Every damage to a folder, in an order drawn by the seed."""
    rng = random.Random(seed)
    record, journal = f"{folder.run}run.json", f"{folder.run}journal.sqlite"
    found = [*damage.to_files(folder.path, rng), *damage.to_json(folder.path, record, rng, 80)]
    for file in (journal, folder.memory) if folder.memory else (journal,):
        found += [*damage.to_rows(folder.path, file, rng, 120), *damage.to_tables(folder.path, file)]
    for name in ("study.json", "changes.jsonl"):
        if (folder.path / name).exists():
            found += damage.to_json(folder.path, name, rng, 30)
    rng.shuffle(found)
    return found


def inject(folder: Sound, happened: Damage, tmp_path: Path, chance: random.Random) -> list[str]:
    """Inject the damage; returns what is wrong with how some commands, drawn by chance, react to it."""
    place = tmp_path / "beside" / "folder"
    shutil.copytree(folder.path, place, symlinks=True)
    (place / happened.file).parent.mkdir(parents=True, exist_ok=True)
    happened.inflict(place / happened.file)
    every = list(commands(place, folder))
    wrong: list[str] = []
    for words in (every[number] for number in sorted(chance.sample(range(len(every)), _DRAWN))):
        try:
            said = within_seconds(*words)
        except (Exception, Hung) as error:  # noqa: BLE001  the test looks for any exception
            wrong.append(f"{happened}: {words[:2]}: {type(error).__name__}: {error}")
            continue
        named = said.code != 2 or str(place.parent) in said.err
        if said.code not in _CODES or "Traceback" in said.err or not named:
            wrong.append(f"{happened}: {words[:2]} ended with {said.code}: {said.err[-500:]}")
    shutil.rmtree(tmp_path)
    return wrong


@pytest.mark.parametrize("kind", KINDS)
def test_every_command_ends_and_names_the_file(sound: dict[str, Sound], kind: str, tmp_path: Path) -> None:
    folder, chance = sound[kind], random.Random(kind)
    found = [wrong for each in damages(folder, 0)[:4] for wrong in inject(folder, each, tmp_path, chance)]
    assert found == []


_DAMAGES = 500
"""Of each kind of folder in the slow suite: 2,000 in all."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("kind", KINDS)
def test_every_command_ends_and_names_the_file_after_one_of_2_000_damages(
    sound: dict[str, Sound], kind: str, part: int, tmp_path: Path
) -> None:
    folder, chance = sound[kind], random.Random(f"{kind} {part}")
    drawn = (damages(folder, 1) + damages(folder, 2))[:_DAMAGES][part::10]
    found = {str(each): wrong for each in drawn if (wrong := inject(folder, each, tmp_path, chance))}
    print(f"{len(drawn) - len(found)} of {len(drawn)} damages to {kind} without a traceback")
    assert len(drawn) == _DAMAGES // 10
    assert found == {}


def test_damage_to_one_episode_is_reported_and_leaves_the_others(tmp_path: Path) -> None:
    went = {"beehive": Went(), "stick": Went("unsolved", 0.0), "torch": Went()}
    run = samples.write(tmp_path / "run", samples.record("react", went), went)
    before = results(RunFolder.open_to_read(run))
    for column in damage.tables_of(run / "journal.sqlite")["_episodes"].columns[1:]:
        harmed = tmp_path / column
        shutil.copytree(run, harmed)
        with closing(sqlite3.connect(harmed / "journal.sqlite", isolation_level=None)) as journal:
            stick = "(SELECT id FROM episodes WHERE path = 'stick/0/0')"
            journal.execute(f"UPDATE _episodes SET {column} = ? WHERE id = {stick}", (b"\xff",))
        said = command("report", harmed, "--json")
        assert (said.code, str(harmed) in said.err) == (2, True), column
        after = results(RunFolder.open_to_read(harmed))
        assert [row for row in after.rows if row.task != "stick"] == [row for row in before.rows if row.task != "stick"]
        assert after.count("unfinished", "not begun") == 1


@pytest.mark.parametrize("column", ["figures", "fault"])
def test_texts_that_are_no_json_are_damage_to_their_episode_alone(column: str, tmp_path: Path) -> None:
    went = {"beehive": Went(), "stick": Went()}
    run = samples.write(tmp_path / "run", samples.record("react", went), went)
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as journal:
        stick = "(SELECT id FROM episodes WHERE path = 'stick/0/0')"
        journal.execute(f"UPDATE _episodes SET {column} = '[[[' WHERE id = {stick}")
    said = command("report", run)
    assert (said.code, str(run) in said.err, "Traceback" in said.err) == (2, True, False)
    found = results(RunFolder.open_to_read(run))
    assert (found.count("solved"), found.count("unfinished", "not begun")) == (1, 1)


def test_no_report_counts_up_to_the_damaged_number_of_a_version(sound: dict[str, Sound], tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(sound["optimize"].path, run)
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as journal:
        journal.execute("UPDATE _versions SET version = 1 << 62 WHERE id = (SELECT max(id) FROM _versions)")
    for words in (("show", run), ("report", run)):
        said = within_seconds(*words)
        assert (said.code, "expected a row of this version" in said.err) == (2, True)


def test_damaged_pages_of_one_episode_leave_the_others(tmp_path: Path) -> None:
    tasks = [f"task-{number}" for number in range(40)]
    record = samples.record("react").model_copy(
        update={"tasks": tuple(samples.record("react").tasks[0].model_copy(update={"name": name}) for name in tasks)}
    )
    run = samples.write(tmp_path / "run", record, {name: Went(calls=60) for name in tasks})
    journal = run / "journal.sqlite"
    content = bytearray(journal.read_bytes())
    with closing(sqlite3.connect(journal)) as sound:
        (path,) = sound.execute("SELECT path FROM _calls WHERE id >> 24 = 20 ORDER BY id LIMIT 1 OFFSET 30").fetchone()
    middle = content.index(path.encode()) // 4096 * 4096
    content[middle : middle + 4096] = bytes(4096)
    journal.write_bytes(bytes(content))
    assert results(RunFolder.open_to_read(run)).damage == ()  # a report reads no calls of ended episodes
    sound_ones = [command("show", run, name).code for name in tasks].count(0)
    assert 30 <= sound_ones < 40
    said = command("export", run, "--parquet", tmp_path / "tables")
    assert (said.code, "malformed" in said.err, "40 episodes" in said.out) == (2, True, True)


def newest(*begun: EpisodePath) -> dict[tuple[str, int], int]:
    async def read() -> dict[tuple[str, int], int]:
        journal = SqliteJournal(":memory:")
        for path in begun:
            journal.begin(path)
            journal.begin(path)  # the first is stored with what follows
        rows = newest_at_tasks(journal.reader.episodes())
        journal.close()
        return {key: row.attempt for key, row in rows.items()}

    return asyncio.run(read())


def test_the_newest_attempt_at_a_task_counts_by_its_number() -> None:
    begun = [episode_path("beehive", 0, attempt) for attempt in (2, 10, 9)] + [episode_path("beehive", 1, 0)]
    apart = [LEARNER, EpisodePath(f"{VISIT}/0/3")]
    assert newest(*apart, *begun) == {("beehive", 0): 10, ("beehive", 1): 0}


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (BudgetSpent("no more"), ("spent", "no more")),
        (EndpointUnavailable("away"), ("interrupted", "away")),
        (KeyboardInterrupt(), ("interrupted", "by hand")),
        (CancelledError(), ("interrupted", "by hand")),
    ],
)
def test_a_run_that_stops_early_leaves_the_reason(tmp_path: Path, error: BaseException, found: tuple[str, str]) -> None:
    with pytest.raises(type(error)), keep_end(tmp_path):
        raise error
    end = read_end(tmp_path)
    assert end is not None
    assert (end.ended, end.reason) == found


def test_a_new_start_removes_what_the_one_before_left_and_a_bug_leaves_nothing(tmp_path: Path) -> None:
    write_end(tmp_path, "stopped", "a bug")
    with keep_end(tmp_path):
        assert read_end(tmp_path) is None
    with pytest.raises(Fault), keep_end(tmp_path):
        raise WorldFault("of an episode")
    assert read_end(tmp_path) is None
    (tmp_path / RUN_END).write_text("{")
    assert read_end(tmp_path) is None
