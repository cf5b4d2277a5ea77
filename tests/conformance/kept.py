"""The recorded walks that the suite repeats without the official engine: problems and transcripts in a folder.

`.venv-conformance/bin/python -m tests.conformance.kept` (after `make conformance`) records them anew, in the official
wording of both dialects: the installed package's, and for the classic one that in `../shared/data/alfworld`.
"""

import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from quintet.environments.alfworld.games.dialect import DIALECTS
from quintet.environments.alfworld.games.grammar import objective
from quintet.environments.alfworld.official.state import Engines
from quintet.environments.alfworld.sources.library import GeneratedLibrary
from tests.conformance.games import PUBLISHED, Problem, Wording, ours, wordings
from tests.conformance.recording import be_patient, follower, recorded, walker
from tests.conformance.strange import strange
from tests.conformance.transcripts import Heading, Transcript, read, written

FOLDER = Path(__file__).parent / "transcripts"
_STRANGE = (0, 1, 2, 3, 4, 5)
TASK_TYPES = (
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_and_place_simple",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
)
_GENERATED = 3
"""A game of each of the first so many types: a problem has some 25 to 60 kB."""
_STEPS = 60


def kept() -> tuple[Path, ...]:
    """The transcripts."""
    return tuple(sorted(FOLDER.glob("*.jsonl")))


def opened(file: Path) -> tuple[Problem, Transcript]:
    """A transcript, and the problem it was recorded on."""
    transcript = read(file)
    text = (FOLDER / f"{transcript.heading.name}.pddl").read_text()
    return Problem(transcript.heading.name, transcript.heading.objective, text, ()), transcript


def generated(task_types: Iterable[str]) -> Iterator[Problem]:
    """A game of the built-in generator for each task type."""
    library = GeneratedLibrary()
    for task_type in task_types:
        name = next(task for task in library.tasks(library.splits[0]) if task.startswith(task_type))
        game = library.game(name)
        yield Problem(name, objective(game.grammar) or "", game.pddl_problem, game.walkthrough or ())


def record(source: Path = PUBLISHED, folder: Path = FOLDER) -> None:
    """Have the official engine say it all anew; what was kept before is given up only once everything new is there."""
    said = wordings(source)
    if missing := [wording.dialect for wording in said if wording == ours(wording.dialect)]:
        sys.exit(f"kept: expected the official wording of {' and '.join(missing)}, got none (alfworld, {source})")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{folder.name}.") as place:
        new, old = Path(place, "new"), Path(place, "old")
        new.mkdir()
        _record(said, new)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)


def _record(said: Sequence[Wording], folder: Path) -> None:
    be_patient()
    engines = Engines(most=1)
    for number, problem in enumerate((*map(strange, _STRANGE), *generated(TASK_TYPES[:_GENERATED]))):
        (folder / f"{problem.name}.pddl").write_text(problem.text)
        for wording in said:
            for walk in ("walkthrough", f"{_STEPS} steps"):
                file = folder / f"{number}.{wording.dialect}.{walk.replace(' ', '-')}.jsonl"
                file.write_bytes(written(_walked(engines, problem, wording, walk)))


def _walked(engines: Engines, problem: Problem, wording: Wording, walk: str) -> Transcript:
    game = wording.game(problem)
    heading = Heading(problem.name, walk, wording.dialect, problem.objective)
    solution = tuple(map(DIALECTS[wording.dialect].own, problem.walkthrough))
    choose = follower(solution) if walk == "walkthrough" else walker(game, heading, _STEPS)
    with engines.fresh() as engine:
        return recorded(engine, game, heading, choose)


if __name__ == "__main__":
    record()
