"""What a run learnt, version by version, and how two versions differ."""

from msgspec import Struct

from quintet.errors import UsageError
from quintet.reports.learning.lessons import changes, document, failures, version_size
from quintet.reports.learning.report import LearningReport, VersionReport
from quintet.reports.learning.tables import batch_result, score_text, version_table
from quintet.reports.text_tables import TextTable
from quintet.reports.transcript import TranscriptLine
from quintet.view.folder import ViewedFolder
from quintet.view.runs import RunRequest, read_report


class ChangesRequest(Struct, forbid_unknown_fields=True):
    """Asks how one version of what a run learnt differs from another."""

    run: str
    before: int
    after: int


class ShownVersion(Struct, frozen=True, kw_only=True):
    """A version that a learner published."""

    number: int
    size: str
    outcome: str
    """Of the update that led to it; empty for version 0."""
    batch: str
    """How the episodes that led to it went."""
    held_out: str
    test: str
    chosen: bool
    content: str
    failures: tuple[str, ...]
    document: str
    """The lessons that led to it."""


class VersionsView(Struct, frozen=True, kw_only=True):
    """What a run learnt."""

    kind: str
    """`plan` or `memory`."""
    table: TextTable
    versions: tuple[ShownVersion, ...]


def view_versions(viewed: ViewedFolder, request: RunRequest) -> VersionsView:
    """Every version, in order.

    Raises:
        UsageError: the run does not learn.
    """
    learning = _learning(viewed, request.run)
    return VersionsView(
        kind=learning.kind.name,
        table=version_table(learning),
        versions=tuple(_shown(learning, version) for version in learning.versions),
    )


def view_changes(viewed: ViewedFolder, request: ChangesRequest) -> tuple[TranscriptLine, ...]:
    """How a version differs from another.

    Raises:
        UsageError: the run does not learn, or has no such version.
    """
    versions = {version.number: version for version in _learning(viewed, request.run).versions}
    for number in (request.before, request.after):
        if number not in versions:
            raise UsageError(f"version: expected one of {list(versions)}, got {number}")
    after = versions[request.after]
    return tuple(changes(after.lessons, after.content, versions[request.before].content))


def _learning(viewed: ViewedFolder, run: str) -> LearningReport:
    folder = viewed.open_run(run)
    learning = read_report(folder.path).runs[0].results.learning
    if learning is None:
        raise UsageError(f"versions: expected a run that learns, got one that does not ({folder.path})")
    return learning


def _shown(learning: LearningReport, version: VersionReport) -> ShownVersion:
    led = next((each for each in learning.iterations if each.number == version.number), None)
    succeeded = {} if led is None else {row.task: row.success for row in led.batch}
    return ShownVersion(
        number=version.number,
        size=version_size(learning.kind.name, version.content),
        outcome=version.outcome or "",
        batch=batch_result(led.batch if led is not None else ()),
        held_out=score_text(version.held_out),
        test=score_text(version.test),
        chosen=version.number == learning.chosen,
        content=version.content,
        failures=tuple(failures(version.lessons)),
        document=document(version.lessons, succeeded),
    )
