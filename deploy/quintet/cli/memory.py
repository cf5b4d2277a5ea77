"""`memory`: look at memories, search them, and make new files of them."""

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec
from cyclopts import App
from rich.console import Console
from rich.text import Text

from quintet.cli.console import console
from quintet.cli.flags import Switch, Whole
from quintet.errors import UsageError
from quintet.learned.given_trajectories import count_words, read_earlier_run
from quintet.memory.content import ShownTuple, TupleFilter, search_words, shown_tuples, shown_types
from quintet.memory.copy import MemoryVersion, merge_versions
from quintet.memory.lines import ExportedMemory, encoded_lines, numbered_lines, write_lines
from quintet.memory.place import find_memory, new_memory
from quintet.memory.trajectories import trajectory_lines
from quintet.messages.store import Sealed
from quintet.reports.memories import memory_title, memory_tuples, memory_types, memory_versions
from quintet.reports.text_tables import print_notes, print_tables
from quintet.runs.files import named_path
from quintet.runs.folder import read_record
from quintet.runs.record import RUN_RECORD, RunRecord

_PAGE = 200
"""Tuples that are listed at once."""

memory = App(name="memory", help="Look at memories, search them, and make new files of them.", help_format="plaintext")


@memory.command(name="show")
def show_memory_command(
    place: str,
    /,
    *,
    batch: Whole | None = None,
    tuples: Switch = False,
    page: Whole = 1,
    examples: Whole = 2,
    json: Switch = False,
) -> None:
    """Print what a memory has: its versions, and its types with examples; or every tuple and where it comes from.

    Args:
        place: RUN[@VERSION] or FILE[@VERSION]; by default the version that the run's learner chose, or the newest.
        batch: Only this batch memory.
        tuples: Print tuples in the order of their entry.
        page: Which 200 of the tuples to print.
        examples: How many texts of a type to print.
        json: Everything, for programs.
    """
    if page < 1 or (page > 1 and not tuples):
        raise UsageError(f"--page: expected {'at least 1' if tuples else '--tuples with it'}, got {page}")
    with _found(place) as source:
        batches = _batches(source, batch)
        types = list(shown_types(source, batches, examples=max(examples, 0)))
        wanted = TupleFilter(batch=batch)
        if json:
            listed = list(shown_tuples(source, wanted)) if tuples else None
            print(_as_json(source, types=types, **({} if listed is None else {"tuples": listed})))
            return
        out = console()
        out.print(Text(memory_title(source.reader.world, source.version, source.sealed), style="bold"))
        if tuples:
            _print_page(source, wanted, page, out)
            return
        print_tables([memory_versions(_up_to(source)), *memory_types(types)], out)
        if not types:
            print_notes([f"no tuples: the memory is empty ({source.reader.file})"], out)


@memory.command(name="search")
def search_memory_command(
    place: str,
    /,
    *words: str,
    batch: Whole | None = None,
    goal_type: Whole | None = None,
    observation_type: Whole | None = None,
    most: Whole = 5,
    json: Switch = False,
) -> None:
    """Print the tuples that have these words, the best first; without words those of a type, in order of entry.

    Args:
        place: RUN[@VERSION] or FILE[@VERSION].
        words: Looked for in goals and observations, and weighed within every type (BM25).
        batch: Only this batch memory.
        goal_type: Only this goal type, by number.
        observation_type: Only this observation type, by number.
        most: How many to print at most.
        json: For programs.
    """
    if most < 1:
        raise UsageError(f"--most: expected at least 1, got {most}")
    wanted = TupleFilter(batch=batch, goal_type=goal_type, observation_type=observation_type)
    if not words and wanted == TupleFilter():
        raise UsageError("search: expected words, --batch, --goal-type or --observation-type, got none")
    with _found(place) as source:
        _batches(source, batch)
        text = " ".join(words)
        found = search_words(source, text, wanted, most) if words else list(shown_tuples(source, wanted, most=most))
        if json:
            print(_as_json(source, tuples=found))
            return
        out = console()
        _print_tuples(found, out)
        if not found:
            print_notes([f"no tuples found ({source.reader.file})"], out)


@memory.command(name="merge")
def merge_memory_command(*places: str, out: Path) -> None:
    """Write several memories into a new file. Batch memories are numbered anew, in the order of the memories.

    Args:
        places: RUN[@VERSION] or FILE[@VERSION], of one world.
        out: The file, which must not exist.
    """
    if not places:
        raise UsageError("merge: expected at least one memory, got none")
    with ExitStack() as opened:
        sources = [opened.enter_context(_found(place)) for place in places]
        store = opened.enter_context(new_memory(named_path(out, "memory"), sources[0].reader.world))
        print(memory_title(store.reader.world, 0, merge_versions(sources, store)))


@memory.command(name="export")
def export_memory_command(place: str, /, *, jsonl: Path) -> None:
    """Write a version of a memory as JSON Lines (docs/memory.md), which `import` reads.

    Args:
        place: RUN[@VERSION] or FILE[@VERSION].
        jsonl: The file, which must not exist.
    """
    with _found(place) as source:
        lines = write_lines(encoded_lines(source), named_path(jsonl, "memory"))
        print(f"{lines:,} lines")


@memory.command(name="trajectories")
def write_trajectories_command(*runs: Path, jsonl: Path) -> None:
    """Write the successful episodes of runs as trajectories (docs/memory.md), which `--trajectories` reads.

    Args:
        runs: Run folders, of one world.
        jsonl: The file, which must not exist.
    """
    if not runs:
        raise UsageError("trajectories: expected at least one run, got none")
    folders = [named_path(run, "memory") for run in runs]
    world = read_record(folders[0] / RUN_RECORD, RunRecord).configuration.environment.name
    episodes = [read_earlier_run(folder, world) for folder in folders]
    found = [each for run in episodes for each in run.successes]
    if found:
        write_lines(trajectory_lines(found, world), named_path(jsonl, "memory"))
    print(count_words(len(found), sum((run.left_out for run in episodes), Counter[str]())))


@memory.command(name="import")
def import_memory_command(file: Path, /, *, out: Path) -> None:
    """Read a memory that was exported into a new file.

    Args:
        file: JSON Lines.
        out: The file, which must not exist.
    """
    exported = ExportedMemory(numbered_lines(named_path(file, "memory")), str(file))
    with new_memory(named_path(out, "memory"), exported.head.world) as store:
        print(memory_title(exported.head.world, 0, exported.import_into(store)))


@contextmanager
def _found(place: str) -> Generator[MemoryVersion, None, None]:
    found = find_memory(place)
    with closing(found.reader):
        yield found


def _batches(source: MemoryVersion, wanted: int | None) -> Sequence[int]:
    most = source.sealed.batches
    if wanted is None:
        return range(1, most + 1)
    if not 1 <= wanted <= most:
        there = f"1 to {most}" if most else "none, since the memory is empty"
        raise UsageError(f"--batch: expected {there}, got {wanted} ({source.reader.file})")
    return [wanted]


def _up_to(source: MemoryVersion) -> dict[int, Sealed]:
    return {version: each for version, each in source.reader.versions().items() if version <= source.version}


def _print_page(source: MemoryVersion, wanted: TupleFilter, page: int, out: Console) -> None:
    found = list(shown_tuples(source, wanted, first=(page - 1) * _PAGE, most=_PAGE + 1))
    out.print()
    _print_tuples(found[:_PAGE], out)
    if len(found) > _PAGE:
        print_notes([f"more with --page {page + 1}; all with --json"], out)
    elif not found:
        print_notes([f"no tuples on page {page} ({source.reader.file})"], out)


def _print_tuples(tuples: Sequence[ShownTuple], out: Console) -> None:
    for line in memory_tuples(tuples):
        out.print(Text(line), soft_wrap=True)


def _as_json(source: MemoryVersion, **more: object) -> str:
    content = {
        "world": source.reader.world,
        "version": source.version,
        "versions": {str(version): each for version, each in _up_to(source).items()},
        **more,
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode()
