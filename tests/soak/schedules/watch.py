"""The watch: sees from outside what models are asked and what the journal commits, and says which promises broke."""

from collections.abc import Iterable, Sequence

from quintet.events import (
    AnyEvent,
    BranchEnded,
    BranchStopped,
    CallMade,
    Cancelled,
    CutShort,
    Exchanged,
    Pictured,
    Record,
)
from quintet.messages.paths import Path, episode_of, is_within, parent
from quintet.ports.model import Usage
from quintet.roles.context import current


class Watch:
    """One scenario, over all lives of its process. Implements the journal's `Watcher`.

    Every check is made of what happened, never of an undisturbed run, which a broken runtime may spoil alike.
    """

    def __init__(self) -> None:
        self.tokens: int | None = None
        """The budget of the run now; None: it has none."""
        self.broken: dict[str, None] = {}
        """The promises that did not hold, a sentence each."""
        self.repeated = 0
        """Committed calls that were asked again."""
        self.calls: set[Path] = set()
        """Those that are committed."""
        self._spent = 0
        self._newest: dict[Path, int] = {}
        """By episode, the incarnation that began last."""
        self._committed: set[tuple[Path, str]] = set()
        self._paths: dict[Path, str] = {}
        """Of what is committed, the kind at each path below an episode."""
        self._asked_at: set[tuple[Path, int | None]] = set()
        """Of committed calls: the path of the request that asked, and the call's seed."""
        self._answers: dict[tuple[Path, int], set[int | None]] = {}
        """By request and incarnation, the seeds of its calls that were answered."""
        self._ends: dict[Path, int] = {}
        """By group of branches, how many ends are committed."""
        self._replied: set[Path] = set()
        """Paths of requests whose reply is committed."""
        self._late: list[tuple[Path, Path]] = []
        """What was committed below a committed reply, each with the path of the reply."""
        self._stopped: set[Path] = set()
        """Branches that were stopped, and episodes that ended early."""

    def breaks(self, sentence: str) -> None:
        """Note a promise that did not hold."""
        self.broken[sentence] = None

    # Calls

    def asked(self, seed: int | None) -> None:
        """A model is asked, by the running request."""
        here = current()
        is_newest = here.incarnation == self._newest.get(episode_of(here.path))
        if is_newest and (here.path, seed) in self._asked_at:
            self.repeated += 1
            self.breaks(f"{here.path}: expected a committed call to be replayed, got it asked again")
        self.goes_on(here.path, here.incarnation)

    def goes_on(self, request: Path, incarnation: int) -> None:
        """A request does its next thing: the answers to it are used."""
        for seed in self._answers.get((request, incarnation), ()):
            if (request, seed) not in self._asked_at:
                self.breaks(f"{request}: expected an answer to be committed before it is used, got it used first")

    def answered(self, seed: int | None, usage: Usage) -> None:
        """The model has answered."""
        here = current()
        self._spent += usage.prompt_tokens + usage.completion_tokens
        if self.tokens is not None and self._spent > self.tokens:
            self.breaks(f"budget: expected at most {self.tokens} tokens, got {self._spent}")
        answers = self._answers.setdefault((here.path, here.incarnation), set())
        if seed in answers:
            self.breaks(f"{here.path}: expected a path for each call, got two answers at one")
        answers.add(seed)

    # The journal

    def begun(self, episode: Path, incarnation: int) -> None:
        self._newest[episode] = incarnation

    def committed(self, records: Sequence[Record]) -> None:
        for record in records:
            event = record.event
            newest = self._newest.get(episode_of(event.path))
            if record.incarnation != newest:
                what = f"expected rows of incarnation {newest} alone, got one of {record.incarnation}"
                self.breaks(f"{event.path}: {what}")
            if (event.path, event.kind) not in self._committed:
                self._committed.add((event.path, event.kind))
                self._note(event)

    def acknowledged(self, records: Iterable[Record]) -> None:
        """An append to the journal has returned."""
        for event in (record.event for record in records):
            if (event.path, event.kind) not in self._committed:
                self.breaks(f"{event.path}: expected an acknowledgement after the commit, got it before")

    def _note(self, event: AnyEvent) -> None:
        above = parent(event.path)
        self._note_late(event.path)
        if event.path != episode_of(event.path) and not isinstance(event, Pictured):
            kind = self._paths.setdefault(event.path, event.kind)
            if kind != event.kind:
                self.breaks(f"{event.path}: expected one thing at a path, got {kind} and {event.kind}")
        match event:
            case CallMade():
                self.calls.add(event.path)
                self._asked_at.add((above, event.sampling.seed))
            case BranchEnded():
                before = self._ends.get(above, 0)
                self._ends[above] = max(before, event.place)
                if event.place != before + 1:
                    self.breaks(f"{event.path}: expected end {before + 1} of its group, got {event.place}")
            case BranchStopped() | CutShort() | Cancelled():
                self._stopped.add(event.path)
            case Exchanged():
                self._replied.add(event.path)
            case _:
                pass

    def _note_late(self, path: Path) -> None:
        above = parent(path)
        while above:
            if above in self._replied:
                self._late.append((path, above))
                return
            above = parent(above)

    def is_cut(self, path: Path) -> bool:
        """Whether something lies in a stopped branch, or in an episode that ended early."""
        return any(is_within(path, stopped) for stopped in self._stopped)

    def finish(self) -> None:
        """Check what only the end shows: a reply implies that everything below it is committed."""
        for path, reply in self._late:
            if not self.is_cut(path):
                self.breaks(f"{path}: expected it to be committed before the reply at {reply}, got it after")
