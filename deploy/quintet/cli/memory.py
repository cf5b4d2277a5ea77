"""`memory`: look at memories and notebooks, search and compare them, and make new files of them."""

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path

import msgspec
from cyclopts import App
from rich.console import Console
from rich.text import Text

from quintet.cli.console import console
from quintet.cli.flags import Switch, Whole
from quintet.errors import UsageError
from quintet.learned.given_trajectories import count_words, read_earlier_run
from quintet.memory.content import (
    ShownTuple,
    TupleFilter,
    search_notes,
    search_words,
    shown_notes,
    shown_sections,
    shown_tuples,
    shown_types,
)
from quintet.memory.copy import MemoryVersion, merge_versions
from quintet.memory.difference import content_differences
from quintet.memory.lines import (
    ExportedMemory,
    encoded_lines,
    import_notes,
    is_export,
    numbered_lines,
    write_lines,
)
from quintet.memory.place import find_memory, new_memory
from quintet.memory.trajectories import trajectory_lines
from quintet.messages.store import Sealed
from quintet.reports.memories import (
    difference_lines,
    memory_title,
    memory_tuples,
    memory_types,
    memory_versions,
    notebook_notes,
    notebook_sections,
    notebook_versions,
)
from quintet.reports.text_tables import print_notes, print_tables
from quintet.runs.files import named_path
from quintet.runs.folder import read_record
from quintet.runs.record import RUN_RECORD, RunRecord

_PAGE = 200
"""Tuples or notes that are listed at once."""

memory = App(
    name="memory",
    help="Look at memories and notebooks, search and compare them, and make new files of them.",
    help_format="plaintext",
)


@memory.command(name="show")
def show_memory_command(
    place: str,
    /,
    *,
    batch: Whole | None = None,
    tuples: Switch = False,
    notes: Switch = False,
    page: Whole = 1,
    examples: Whole = 2,
    json: Switch = False,
) -> None:
    """Print what a memory or a notebook has: its versions, and its types with examples or its sections.

    Or every tuple or note, and where it comes from.

    Args:
        place: RUN[@VERSION] or FILE[@VERSION]; by default the version that the run's learner chose, or the newest.
        batch: Only this batch memory.
        tuples: Print tuples in the order of their entry.
        notes: Print notes in the order of their entry, replaced ones too.
        page: Which 200 of the tuples or notes to print.
        examples: How many texts of a type to print.
        json: Everything, for programs.
    """
    if page < 1 or (page > 1 and not (tuples or notes)):
        expected = "at least 1" if tuples or notes else "--tuples or --notes with it"
        raise UsageError(f"--page: expected {expected}, got {page}")
    with _found(place) as source:
        if source.reader.kind == "notebook":
            _refuse_tuples({"--tuples": tuples, "--batch": batch})
            _show_notebook(source, notes=notes, page=page, json=json)
            return
        if notes:
            source.reader.expect("notebook")
        batches = _batches(source, batch)
        types = list(shown_types(source, batches, examples=max(examples, 0)))
        wanted = TupleFilter(batch=batch)
        if json:
            listed = list(shown_tuples(source, wanted)) if tuples else None
            print(_as_json(source, types=types, **({} if listed is None else {"tuples": listed})))
            return
        out = console()
        out.print(Text(memory_title(source.reader, source.version, source.sealed), style="bold"))
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
    section: str | None = None,
    most: Whole = 5,
    json: Switch = False,
) -> None:
    """Print what has these words, the best first; without words what is of a type or section, in order of entry.

    Args:
        place: RUN[@VERSION] or FILE[@VERSION].
        words: Looked for in notes, or in goals and observations, and weighed within every type (BM25).
        batch: Only this batch memory.
        goal_type: Only this goal type, by number.
        observation_type: Only this observation type, by number.
        section: Only this section of a notebook.
        most: How many to print at most.
        json: For programs.
    """
    if most < 1:
        raise UsageError(f"--most: expected at least 1, got {most}")
    wanted = TupleFilter(batch=batch, goal_type=goal_type, observation_type=observation_type)
    if not words and wanted == TupleFilter() and section is None:
        raise UsageError("search: expected words, --batch, --goal-type, --observation-type or --section, got none")
    with _found(place) as source:
        if source.reader.kind == "notebook":
            _refuse_tuples({"--batch": batch, "--goal-type": goal_type, "--observation-type": observation_type})
            _search_notebook(source, " ".join(words), section, most, json=json)
            return
        if section is not None:
            source.reader.expect("notebook")
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
    """Write several memories or notebooks into a new file. Batch memories are numbered anew, in their order.

    Args:
        places: RUN[@VERSION] or FILE[@VERSION], of one world and one kind.
        out: The file, which must not exist.
    """
    if not places:
        raise UsageError("merge: expected at least one memory, got none")
    with ExitStack() as opened:
        sources = [opened.enter_context(_found(place)) for place in places]
        first = sources[0].reader
        store = opened.enter_context(new_memory(named_path(out, "memory"), first.world, first.kind))
        print(memory_title(store.reader, 0, merge_versions(sources, store)))


@memory.command(name="copy")
def copy_memory_command(place: str, /, *, out: Path) -> None:
    """Write a version of a memory or a notebook, with all before it, into a new file with the same digest.

    Args:
        place: RUN[@VERSION] or FILE[@VERSION].
        out: The file, which must not exist.
    """
    merge_memory_command(place, out=out)


@memory.command(name="diff")
def compare_memories_command(before: str, after: str, /) -> None:
    """Print what one version has that another lacks: tuples or notes, which notes were replaced, and votes.

    Args:
        before: RUN[@VERSION] or FILE[@VERSION].
        after: Another one, of the same kind.
    """
    with _found(before) as one, _found(after) as other:
        out = console()
        styles = {"-": "red", "+": "green"}
        lines = list(difference_lines(content_differences(one, other)))
        for line in lines:
            out.print(Text(line, style=styles.get(line[0], "")), soft_wrap=True)
        if not lines:
            print_notes(["no difference"], out)


@memory.command(name="export")
def export_memory_command(place: str, /, *, jsonl: Path) -> None:
    """Write a version of a memory or a notebook as JSON Lines (docs/memory.md), which `import` reads.

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
def import_memory_command(file: Path, /, *, out: Path, world: str | None = None) -> None:
    """Read what was exported, or a plain file of notes (docs/memory.md), into a new file.

    Args:
        file: JSON Lines.
        out: The file, which must not exist.
        world: Of plain notes: the environment that they are about.
    """
    lines = numbered_lines(named_path(file, "memory"))
    first = next(lines)
    every = chain([first], lines)
    if is_export(first[1]):
        exported = ExportedMemory(every, str(file))
        if world not in (None, exported.head.world):
            raise UsageError(f"--world: expected {exported.head.world!r}, as the file says, got {world!r}")
        with new_memory(named_path(out, "memory"), exported.head.world, exported.head.kind) as store:
            print(memory_title(store.reader, 0, exported.import_into(store)))
        return
    if world is None:
        raise UsageError(f"--world: expected the environment that the notes are about, got none ({file})")
    with new_memory(named_path(out, "memory"), world, "notebook") as store:
        print(memory_title(store.reader, 0, import_notes(every, str(file), store)))


@contextmanager
def _found(place: str) -> Generator[MemoryVersion, None, None]:
    found = find_memory(place)
    with closing(found.reader):
        yield found


def _refuse_tuples(given: Mapping[str, object]) -> None:
    for name, value in given.items():
        if value is not None and value is not False:
            raise UsageError(f"{name}: expected a memory, got a notebook")


def _show_notebook(source: MemoryVersion, *, notes: bool, page: int, json: bool) -> None:
    sections = shown_sections(source)
    if json:
        listed = {"notes": list(shown_notes(source))} if notes else {}
        print(_as_json(source, sections=sections, **listed))
        return
    out = console()
    out.print(Text(memory_title(source.reader, source.version, source.sealed), style="bold"))
    if not notes:
        print_tables([notebook_versions(_up_to(source)), notebook_sections(sections)], out)
        return
    found = list(shown_notes(source, first=(page - 1) * _PAGE, most=_PAGE + 1))
    out.print()
    _print_lines(notebook_notes(found[:_PAGE]), out)
    _print_more(found, page, "notes", source, out)


def _search_notebook(source: MemoryVersion, words: str, section: str | None, most: int, *, json: bool) -> None:
    found = search_notes(source, words, section, most) if words else list(shown_notes(source, section, most=most))
    if json:
        print(_as_json(source, notes=found))
        return
    out = console()
    _print_lines(notebook_notes(found), out)
    if not found:
        print_notes([f"no notes found ({source.reader.file})"], out)


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
    _print_more(found, page, "tuples", source, out)


def _print_more(found: Sequence[object], page: int, what: str, source: MemoryVersion, out: Console) -> None:
    if len(found) > _PAGE:
        print_notes([f"more with --page {page + 1}; all with --json"], out)
    elif not found:
        print_notes([f"no {what} on page {page} ({source.reader.file})"], out)


def _print_tuples(tuples: Sequence[ShownTuple], out: Console) -> None:
    _print_lines(memory_tuples(tuples), out)


def _print_lines(lines: Iterable[str], out: Console) -> None:
    for line in lines:
        out.print(Text(line), soft_wrap=True)


def _as_json(source: MemoryVersion, **more: object) -> str:
    content = {
        "kind": source.reader.kind,
        "world": source.reader.world,
        "version": source.version,
        "versions": {str(version): each for version, each in _up_to(source).items()},
        **more,
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode()
