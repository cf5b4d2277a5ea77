"""The recorded walks that the suite repeats without the official engine: problems and transcripts in a folder.

`.venv-conformance/bin/python -m tests.conformance.kept` (after `make conformance`) records them anew.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from actors.environments.alfworld.games.dialect import DIALECTS, objective
from actors.environments.alfworld.official.engines import Engines
from actors.environments.alfworld.official.state import put_as
from actors.environments.alfworld.sources.library import GeneratedLibrary
from tests.conformance.games import Problem, wordings
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


def _record() -> None:
    be_patient()
    engines = Engines(most=1)
    for number, problem in enumerate((*map(strange, _STRANGE), *generated(TASK_TYPES[:_GENERATED]))):
        (FOLDER / f"{problem.name}.pddl").write_text(problem.text)
        for wording in wordings(Path("../shared/data/alfworld")):
            game = wording.game(problem)
            solution = tuple(put_as(DIALECTS[wording.dialect], action) for action in problem.walkthrough)
            for walk in ("walkthrough", f"{_STEPS} steps"):
                heading = Heading(problem.name, walk, wording.dialect, problem.objective)
                choose = follower(solution) if walk == "walkthrough" else walker(game, heading, _STEPS)
                with engines.fresh() as engine:
                    transcript = recorded(engine, game, heading, choose)
                file = FOLDER / f"{number}.{wording.dialect}.{walk.replace(' ', '-')}.jsonl"
                file.write_bytes(written(transcript))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    _record()
