"""The runs and studies in the viewed folder, with how far they have come."""

from msgspec import Struct

from quintet.runs.listing import RunEntry, list_runs, read_entry
from quintet.view.folder import ViewedFolder


class ListRequest(Struct, forbid_unknown_fields=True):
    """Asks for all runs and studies."""


class ShownRun(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run or a study; see `quintet.runs.listing.RunEntry`."""

    run: str
    """Its id."""
    name: str
    """Of its folder."""
    kind: str
    label: str
    model: str
    created: str
    state: str
    reason: str = ""
    episodes: int = 0
    begun: int = 0
    ended: int = 0
    solved: int = 0
    faulted: int = 0
    calls: int = 0
    tokens: int = 0
    usd: float | None = None
    eta: float | None = None
    """Seconds."""
    arms: "tuple[ShownRun, ...]" = ()
    waiting: int = 0
    """Arms that have not begun."""


class ListView(Struct, frozen=True):
    """All of them, the newest first."""

    folder: str
    runs: tuple[ShownRun, ...]


def list_viewed(viewed: ViewedFolder, request: ListRequest) -> ListView:
    """The runs and studies in the folder."""
    entries = [entry for entry in list_runs(viewed.root) if viewed.has(entry.path)]
    return ListView(str(viewed.root), tuple(_shown(viewed, entry) for entry in entries))


def view_progress(viewed: ViewedFolder, identifier: str) -> ShownRun:
    """How far a run or a study has come."""
    return _shown(viewed, read_entry(viewed.path(identifier)))


def _shown(viewed: ViewedFolder, entry: RunEntry) -> ShownRun:
    totals, spent = entry.totals, entry.spent
    return ShownRun(
        run=viewed.identify(entry.path),
        name=entry.path.resolve().name,
        kind=entry.kind,
        label=entry.label,
        model=entry.model,
        created="" if entry.created is None else entry.created.isoformat(),
        state=entry.state,
        reason=entry.reason,
        episodes=entry.episodes,
        begun=totals.begun,
        ended=totals.ended,
        solved=totals.solved,
        faulted=totals.faulted,
        calls=spent.calls,
        tokens=spent.tokens,
        usd=spent.usd,
        eta=entry.eta,
        arms=tuple(_shown(viewed, arm) for arm in entry.arms if viewed.has(arm.path)),
        waiting=entry.waiting,
    )
