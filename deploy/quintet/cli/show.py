"""`show`: look at runs, even while they are running."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from os.path import isfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from quintet.cli.console import console
from quintet.cli.flags import FileOrNone, IndexedFile, Switch, Whole
from quintet.cli.terminal import escape
from quintet.control.client import hosts_text
from quintet.errors import UsageError
from quintet.journal.connection import raise_damage
from quintet.journal.reader import JournalReader
from quintet.messages.paths import LEARNER, attempt_of
from quintet.messages.paths import Path as EpisodePath
from quintet.plugins.catalogue import one_of
from quintet.plugins.extras import require_extra
from quintet.quota.prices import Price
from quintet.reports.episodes import RunResults, results
from quintet.reports.learning.tables import history, version_table
from quintet.reports.load import NO_EPISODES, Report, load_report
from quintet.reports.notes import notes
from quintet.reports.rows import WITHOUT_END, TaskRow, by_phase
from quintet.reports.tables import phase_tables
from quintet.reports.text_tables import NONE, TextTable, print_notes, print_tables
from quintet.reports.transcript import LineStyle, TranscriptLine, call_text, find_episode, transcript, transcript_blocks
from quintet.reports.tree_picture import check_form, tree_picture
from quintet.reports.trees import read_trees, tree_lines
from quintet.reports.troubles import learning_progress, troubles
from quintet.runs.files import usable_folder
from quintet.runs.folder import shell_command
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.studies.findings import part_report

_PAGE = 200
"""Episodes that are listed at once: as many as a split of most worlds has tasks."""

_STYLES: dict[LineStyle, str] = {
    "heading": "bold",
    "thought": "",
    "action": "cyan",
    "observation": "green",
    "note": "dim",
    "added": "green",
    "removed": "red",
}


def show_command(
    run: Path,
    episode: str | None = None,
    *,
    call: Whole | None = None,
    tree: FileOrNone = None,
    picture: IndexedFile | None = None,
    failed: Switch = False,
    page: Whole = 1,
) -> None:
    """Print a study's arms, a run's episodes, what a run learnt, or of an episode its conversation, trees or one call.

    Args:
        run: A run folder, a study folder, or an ATIF file, which has one episode.
        episode: A task's name, or its path task/epoch/attempt. In a study ARM, or ARM/EPISODE.
        call: Print the exact prompt and completion of this call, numbered as in the conversation.
        tree: Print the episode's search trees; with a file, *.svg or *.html, write a picture of them.
        picture: Write this picture, numbered as in the conversation, to a file: --picture 3 page.jpg.
        failed: Of a run's episodes, list those that faulted or ended without the full reward.
        page: Which 200 of a run's episodes, or lines of search trees, to print.
    """
    out = console()
    if isfile(run):  # noqa: PTH113  it takes a name that is too long for the file system
        given = {"EPISODE": episode, "--tree": tree, "--picture": picture, "--failed": failed, "--page": page != 1}
        for flag in (flag for flag, value in given.items() if value not in (None, False)):
            raise UsageError(f"{flag}: expected a run folder with it, got a file ({run})")
        _show_file(run, call, out)
        return
    folder = open_any(run)
    views = {"--tree": tree, "--call": call, "--picture": None if picture is None else picture[0]}
    asked = {flag: value for flag, value in views.items() if value is not None}
    if isinstance(folder, StudyFolder):
        if episode is None:
            _refuse_without_episode(asked)
            arm = shell_command("show", run, next(iter(folder.record.arms)))
            _refuse_listing(page, f"the arms of a study; those of an arm: {arm}", failed=failed)
            _show_study(run, out)
            return
        folder, episode = _arm(folder, episode)
    if episode is None:
        _refuse_without_episode(asked)
        first = max(page - 1, 0) * _PAGE
        shown = results(folder, None if failed else range(first, first + _PAGE))
        _show_run(shown, page, out, failed=failed)
        print_notes([*filter(None, [hosts_text(folder.path)])], out)
        raise_damage(shown.damage)
        return
    if len(asked) > 1:
        raise UsageError(f"show: expected one of --tree, --call and --picture, got {' and '.join(asked)}")
    _refuse_listing(page if tree is None else 1, f"the episode {episode!r}", failed=failed)
    folder = folder.part_with(episode)
    if tree is not None:
        _show_trees(folder, episode, tree[0] if tree else None, page, out)
    elif picture is not None:
        _write_picture(folder, episode, *picture)
    else:
        _show_episode(folder, episode, call, out)


def _show_study(run: Path, out: Console) -> None:
    """The arms, with the report's notes on them; for studies with findings only what is missing or faulted."""
    found = load_report([run], NO_EPISODES)
    print_tables([_arms(found)], out)
    rest, studies = part_report(found)
    of_studies = (each for study in studies.values() for each in troubles(replace(study.part, missing={})))
    print_notes([*notes(rest), *of_studies], out)
    raise_damage(found.damage)


def _show_run(run: RunResults, page: int, out: Console, *, failed: bool) -> None:
    headline = f"{run.folder.record.label}, {run.model}, {_progress(run)}"
    failures = [row for row in run.rows if _has_failed(row)]
    number = len(failures) if failed else run.episodes
    last = max(-(-number // _PAGE), 1)
    if not 1 <= page <= last:
        raise UsageError(f"--page: expected 1 to {last}, got {page} ({run.folder.path})")
    rows = failures[(page - 1) * _PAGE : page * _PAGE] if failed else run.rows
    pages = _pages(run.folder.path, len(rows), number, page, failed=failed)
    if run.learning is None:
        which = f", {number} of them failed" * failed
        print_tables([_episodes(headline + which, rows)] if rows or not failed else [], out)
        print_notes([*pages, *["no episode failed"] * (failed and not rows)], out)
        return
    out.print(Text(headline, style="bold"))
    if not failed:
        _print_lines(history(run.learning), out)
    training = [row for iteration in run.learning.iterations for row in iteration.batch]
    tables = {
        "Training episodes": [row for row in training if not failed or _has_failed(row)],
        "Episodes with the test tasks": rows,
    }
    if run.folder.record.streams:
        tables = {"Episodes along the stream": rows}
    listed = [_episodes(title, shown, versions=True) for title, shown in tables.items() if shown]
    print_tables([*([] if failed else [version_table(run.learning)]), *listed], out)
    learner, *_ = LEARNER.split("/")
    notes = f"the learner's own conversation: {shell_command('show', run.folder.path, learner)}"
    print_notes([*pages, notes], out)


def _has_failed(row: TaskRow) -> bool:
    return row.state == "faulted" or (row.ended and not row.success)


def _pages(run: Path, shown: int, number: int, page: int, *, failed: bool) -> list[str]:
    if shown == number:
        return []
    first = (page - 1) * _PAGE
    text = f"episodes {first + 1:,} to {first + shown:,} of {number:,}"
    more = shell_command("show", run, *["--failed"] * failed, "--page", page + 1)
    everything = shell_command("report", run, "--csv")
    return ["; ".join([text, *[f"the next: {more}"] * (first + shown < number), f"all: {everything}"])]


def _refuse_without_episode(asked: Mapping[str, object]) -> None:
    for flag, value in asked.items():
        number = "" if flag == "--tree" else f" ({flag} {value})"
        raise UsageError(f"{flag}: expected an episode before it, got none{number}")


def _refuse_listing(page: int, got: str, *, failed: bool) -> None:
    for flag, given in {f"--page {page}": page != 1, "--failed": failed}.items():
        if given:
            raise UsageError(f"{flag.split()[0]}: expected a run's episodes to list, got {got} ({flag})")


def _arm(study: StudyFolder, wanted: str) -> tuple[RunFolder, str | None]:
    arm, _, episode = wanted.partition("/")
    if arm not in study.record.arms:
        raise UsageError(f"arm: expected {one_of(study.record.arms, arm)}, got {arm!r} ({study.path})")
    if not study.begun(arm):
        raise UsageError(f"arm: expected one that has begun, got {arm!r}; {shell_command('resume', study.path)}")
    return RunFolder.open_to_read(study.arm_path(arm)), episode or None


def _show_episode(folder: RunFolder, wanted: str, call: int | None, out: Console) -> None:
    with _reading(folder) as reader:
        episode = find_episode(reader, wanted)
        _show_conversation(reader, episode, _title(folder, episode), folder.prices, call, out)
    raise_damage(reader.damage)


def _show_file(file: Path, call: Whole | None, out: Console) -> None:
    require_extra("atif", "atif", "show FILE")
    from quintet.atif.show import open_file

    with open_file(file) as shown:
        _show_conversation(shown.reader, shown.path, shown.title, {}, call, out)
        print_notes([shown.left_out] * bool(shown.left_out), out)


def _show_conversation(
    reader: JournalReader,
    episode: EpisodePath,
    title: str,
    prices: Mapping[str, Price],
    call: Whole | None,
    out: Console,
) -> None:
    records = reader.records(episode)
    if call is not None:
        _print_lines(call_text(reader, records, call), out)
        return
    lines, spent = transcript(records, reader.pictures(episode)), by_phase(reader.used_by(episode), prices)
    out.print(Text(title, style="bold"))
    _print_lines(lines, out)
    if tables := phase_tables("By phase", spent, priced=bool(prices)):
        print_tables(tables, out)


def _write_picture(folder: RunFolder, wanted: str, number: int, file: Path) -> None:
    with _reading(folder) as reader, reader.snapshot():
        episode = find_episode(reader, wanted)
        blocks = transcript_blocks(reader.records(episode, nodes=False), reader.pictures(episode))
        shown = {block.picture.number: block.record.event.path for block in blocks if block.picture is not None}
        if number not in shown:
            there = f"1 to {len(shown)}" if shown else "an episode with pictures"
            raise UsageError(f"--picture: expected {there}, got {number} ({folder.path}, {episode})")
        taken = reader.picture(shown[number])
    with usable_folder(file.parent, what="--picture"):
        file.write_bytes(taken)
    print(file)
    raise_damage(reader.damage)


def _title(folder: RunFolder, episode: EpisodePath) -> str:
    named, fork = f"{episode}, {folder.record.label}, {folder.record.model}", folder.record.fork
    continued = None if fork is None else fork.by_episode.get(attempt_of(episode)[:2])
    return named if fork is None or continued is None else f"{named}, goes on from {continued.of} of {fork.run}"


@contextmanager
def _reading(folder: RunFolder) -> Generator[JournalReader, None, None]:
    """The run's journal. If something is not found in it, and it is damaged, that is the error."""
    opened = folder.read_journal()
    if opened is None:
        raise UsageError(f"episode: expected a run that has begun, got none ({folder.path})")
    with closing(opened) as reader:
        try:
            yield reader
        except UsageError:
            raise_damage(reader.damage)
            raise


def _show_trees(folder: RunFolder, wanted: str, file: Path | None, page: int, out: Console) -> None:
    form = None if file is None else check_form(file)
    with _reading(folder) as reader, reader.snapshot():
        episode = find_episode(reader, wanted)
        trees = read_trees(reader, episode)
    title = _title(folder, episode)
    if file is not None and form is not None:
        if page != 1:
            raise UsageError(f"--page: expected no file, got {file} (--page {page})")
        with usable_folder(file.parent, what="--tree"):
            file.write_text(escape(tree_picture(trees, title, form)), encoding="utf-8")
        print(file)
    else:
        lines = list(tree_lines(trees))
        last = -(-len(lines) // _PAGE)
        if not 1 <= page <= last:
            raise UsageError(f"--page: expected 1 to {last}, got {page} ({folder.path})")
        out.print(Text(title, style="bold"))
        first = (page - 1) * _PAGE
        _print_lines(lines[first : first + _PAGE], out)
        if last > 1:
            whole = shell_command("show", folder.path, episode, "--tree")
            more = [f"the next: {whole} --page {page + 1}"] * (page < last)
            shown = f"lines {first + 1:,} to {min(first + _PAGE, len(lines)):,} of {len(lines):,}"
            print_notes(["; ".join([shown, *more, f"all: {whole} FILE.html"])], out)
    raise_damage(reader.damage)


def _print_lines(lines: Iterable[TranscriptLine], out: Console) -> None:
    for line in lines:
        indent = "  " * line.depth if line.text else ""
        out.print(Text(indent + line.text, style=_STYLES[line.style]), soft_wrap=True)


def _arms(found: Report) -> TextTable:
    rows = [(run.label, run.summary.record.label, run.results.model, _progress(run.results)) for run in found.runs]
    rows += [(arm, NONE, NONE, "not begun") for arm in found.missing]
    return TextTable("Arms", ("", "method", "model", "episodes"), tuple(rows))


def _progress(run: RunResults) -> str:
    if run.learning is not None:
        return learning_progress(run.learning, run.folder.record.versions)
    done = run.episodes - run.count(*WITHOUT_END)
    return f"{done} of {run.episodes} done" + (f", {run.count('faulted')} faulted" if run.count("faulted") else "")


def _episodes(title: str, episodes: Sequence[TaskRow], *, versions: bool = False) -> TextTable:
    """How episodes went; `versions`: their epochs are versions of what is learnt."""
    metadata = tuple(dict.fromkeys(label for row in episodes for label in row.metadata))
    about = (*(["version"] if versions else []), *metadata)
    partly = any(0 < row.reward < 1 for row in episodes)
    outcome = ("success", *(["reward"] if partly else []), "claimed")
    columns = ("episode", *about, *outcome, "depth", "calls", "tokens", "seconds", "how it ended")
    rows = [
        (
            row.path,
            *([str(row.epoch)] if versions else []),
            *(row.metadata.get(label, NONE) for label in metadata),
            ("yes" if row.success else "no") if row.ended else NONE,
            *([f"{row.reward:.2f}" if row.ended else NONE] if partly else []),
            {None: NONE, True: "done", False: "failed"}[row.claimed],
            str(row.depth) if row.depth else NONE,
            str(row.cost.calls),
            f"{row.cost.tokens:,}",
            NONE if row.seconds is None else f"{row.seconds:.2f}",
            _how_it_ended(row),
        )
        for row in episodes
    ]
    return TextTable(title, columns, tuple(rows))


def _how_it_ended(row: TaskRow) -> str:
    times = row.repeats.times
    by_hand = f" (repeated by hand{f' {times} times' if times > 1 else ''})" if times else ""
    return row.state + by_hand + (f": {row.reason}" if row.reason else "")
