"""The report of a soak: what was played, what died, and which promises did not hold. As JSON, and as Markdown of it."""

import os
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from tests.soak.ledger import Line
from tests.soak.workers import CORES

_DIVERGENCES = {"content", "result"}
_LEAKS = {"processes", "files", "files or sockets", "sessions", "threads", "lock"}
_FINDINGS_SHOWN = 20


class Machine(Struct, frozen=True, kw_only=True):
    """Where it ran, without a name."""

    cores: int
    memory_gib: int
    system: str
    python: str


class KindReport(Struct, frozen=True, kw_only=True):
    """The scenarios of one kind."""

    kind: str
    scenarios: int
    deaths: int
    calls: int
    """Committed ones."""
    repeated: int
    """Committed calls that were asked again."""
    divergences: int
    """Scenarios whose content or result was another than undisturbed."""
    leaks: int
    """Scenarios that left a process, a session, a socket, a file or a lock."""
    broken: int
    """Scenarios in which any promise did not hold."""
    seconds: float
    """Of all its scenarios, in their workers."""


class Finding(Struct, frozen=True, kw_only=True):
    """A scenario in which a promise did not hold."""

    kind: str
    seed: int
    broken: tuple[str, ...]


class ControlResult(Struct, frozen=True, kw_only=True):
    """A broken runtime, and how often soaks found it. `python -m tests.soak.controls` writes them."""

    control: str
    breaks: str
    """The promise, in words."""
    found: int
    """Soaks that found it."""
    soaks: int
    median: float | None
    """Scenarios until it was found; None: it never was."""


class SchedulesResult(Struct, frozen=True, kw_only=True):
    """A night of simulated schedules. `python -m tests.soak.schedules` writes it."""

    schedules: int
    seconds: float
    """Of all its batches, shared by the workers."""
    cpu_seconds: float
    """The same of CPU, on which other work of the machine has less effect."""
    workers: int
    deaths: int
    calls: int
    """Committed ones."""
    repeated: int
    """Committed calls that were asked again."""
    broken: tuple[str, ...]
    """A sentence for each seed that broke a promise."""

    def __str__(self) -> str:
        return (
            f"{self.schedules:,} schedules with {self.deaths:,} deaths and {self.calls:,} committed calls, "
            f"{self.repeated:,} of them asked again; {self.schedules / self.seconds:.1f} a second in {self.workers} "
            f"workers, {self.cpu_seconds * self.workers / self.schedules * 1000:.0f} ms of CPU each."
        )


class Report(Struct, frozen=True, kw_only=True):
    """Everything that is reported."""

    date: str
    machine: Machine
    commit: str
    first_seed: int
    """Of each kind; the others follow it."""
    seconds: float
    """Of its scenarios, shared by the workers; interruptions and what starts workers are left out."""
    workers: int
    kinds: tuple[KindReport, ...]
    counts: Mapping[str, Mapping[str, int]]
    """By aspect and value, scenarios of all kinds."""
    left_out: Mapping[str, str]
    """By kind, why it could not run."""
    findings: tuple[Finding, ...]
    controls: tuple[ControlResult, ...] = ()
    schedules: SchedulesResult | None = None

    @property
    def scenarios(self) -> int:
        """Of all kinds."""
        return sum(kind.scenarios for kind in self.kinds)

    @property
    def holes(self) -> Sequence[ControlResult]:
        """Controls that some soak did not find."""
        return [each for each in self.controls if each.found < each.soaks]


def make_report(
    lines: Sequence[Line],
    *,
    commit: str,
    first_seed: int,
    workers: int,
    left_out: Mapping[str, str],
    controls: Sequence[ControlResult] = (),
    schedules: SchedulesResult | None = None,
) -> Report:
    """Sum up finished scenarios."""
    verdicts = [line.verdict for line in lines]
    counts: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        for aspect, values in verdict.drawn.items():
            counts.setdefault(aspect, Counter()).update(values.split("; "))
    found = (Finding(kind=each.kind, seed=each.seed, broken=each.broken) for each in verdicts if each.broken)
    return Report(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        machine=_machine(),
        commit=commit,
        first_seed=first_seed,
        seconds=round(sum(line.seconds for line in lines) / workers),
        workers=workers,
        kinds=tuple(_of_kind(name, lines) for name in sorted({each.kind for each in verdicts})),
        counts={aspect: dict(sorted(values.items())) for aspect, values in sorted(counts.items())},
        left_out=left_out,
        findings=tuple(sorted(found, key=lambda each: (each.kind, each.seed))),
        controls=tuple(controls),
        schedules=schedules,
    )


def _of_kind(name: str, lines: Sequence[Line]) -> KindReport:
    of_kind = [line for line in lines if line.verdict.kind == name]
    verdicts = [line.verdict for line in of_kind]
    promises = [{sentence.partition(":")[0] for sentence in each.broken} for each in verdicts]
    return KindReport(
        kind=name,
        scenarios=len(verdicts),
        deaths=sum(each.deaths for each in verdicts),
        calls=sum(each.calls for each in verdicts),
        repeated=sum(each.repeated for each in verdicts),
        divergences=sum(bool(each & _DIVERGENCES) for each in promises),
        leaks=sum(bool(each & _LEAKS) for each in promises),
        broken=sum(map(bool, promises)),
        seconds=round(sum(line.seconds for line in of_kind), 1),
    )


def _machine() -> Machine:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        cores=CORES, memory_gib=round(memory / 2**30), system=platform.system(), python=platform.python_version()
    )


def summary(report: Report) -> str:
    """The sentence that the README shows."""
    deaths, calls = (sum(getattr(kind, name) for kind in report.kinds) for name in ("deaths", "calls"))
    repeated, divergences, leaks = (
        sum(getattr(kind, name) for kind in report.kinds) for name in ("repeated", "divergences", "leaks")
    )
    return (
        f"{report.scenarios:,} scenarios, {deaths:,} deaths, {calls:,} committed calls. "
        f"Calls asked again: {repeated:,}. "
        f"Scenarios that ended otherwise than undisturbed: {divergences:,}; that left something behind: {leaks:,}."
    )


def render(report: Report) -> str:
    """The report as Markdown."""
    parts = [_head(report), _kinds(report), *(_aspect(name, report) for name in report.counts), _findings(report)]
    parts += [_controls(report), _schedules(report)]
    return "\n\n".join(parts) + "\n"


def _head(report: Report) -> str:
    machine = report.machine
    where = f"{machine.cores} cores, {machine.memory_gib} GiB, {machine.system}, Python {machine.python}"
    minutes = report.seconds / 60
    return f"""# The soak

`make soak` plays scenarios that disturb runs, and holds each to what the same run gives undisturbed. {summary(report)}

Commit {report.commit}, {report.date}, {where}; seeds from {report.first_seed}, {report.workers} workers, \
{minutes:,.0f} minutes. `python -m tests.soak --only KIND:SEED` plays one scenario again. This page is written by \
`python -m tests.soak --publish` from `docs/soak.json`."""


def _kinds(report: Report) -> str:
    rows = [
        (
            each.kind,
            *(f"{number:,}" for number in (each.scenarios, each.deaths, each.calls, each.repeated)),
            *(f"{number:,}" for number in (each.divergences, each.leaks, each.broken)),
            f"{each.seconds / each.scenarios:.2f}",
        )
        for each in report.kinds
    ]
    titles = ("kind", "scenarios", "deaths", "committed calls", "asked again", "other content or result", "leaks")
    table = _table((*titles, "any promise broken", "seconds each"), rows)
    left_out = "".join(f"\n\nLeft out: {name}, since {why}." for name, why in report.left_out.items())
    return f"## Kinds\n\n{table}{left_out}"


def _aspect(name: str, report: Report) -> str:
    rows = [(value, f"{number:,}") for value, number in report.counts[name].items()]
    return f"## By {name}\n\n{_table((name, 'scenarios'), rows)}"


def _findings(report: Report) -> str:
    shown = [
        f"- `{each.kind}:{each.seed}`: {'; '.join(each.broken)[:500]}" for each in report.findings[:_FINDINGS_SHOWN]
    ]
    more = len(report.findings) - len(shown)
    return "\n".join(["## Findings\n", *(shown or ["None."]), *([f"- and {more} more"] if more > 0 else [])])


def _controls(report: Report) -> str:
    intro = "Broken runtimes, each with one defect. The soak must find them; one that it misses is a hole."
    rows = [
        (each.control, each.breaks, f"{each.found} of {each.soaks}", "-" if each.median is None else f"{each.median:g}")
        for each in report.controls
    ]
    titles = ("control", "what it breaks", "found", "scenarios until then, median")
    table = _table(titles, rows) if rows else "None were tried."
    holes = "".join(f"\n\n**Hole**: {each.control} was found in {each.found} of {each.soaks}." for each in report.holes)
    return f"## Negative controls\n\n{intro}\n\n{table}{holes}"


def _schedules(report: Report) -> str:
    found = report.schedules
    if found is None:
        return "## Simulated schedules\n\nNone were played beside the scenarios above."
    broken = "\n".join(f"- {sentence}" for sentence in found.broken) or "No promise was broken."
    return f"## Simulated schedules\n\n{found}\n\n{broken}"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
