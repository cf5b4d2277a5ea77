"""One game in one dialect: what the official engine says of it, kept in files, and whether the native one agrees."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.expert import expert_plan
from quintet.environments.alfworld.games.dialect import DIALECTS
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.official.state import Engines
from quintet.errors import UsageError
from tests.conformance import walks
from tests.conformance.comparing import Difference, difference
from tests.conformance.games import Problem, Wording
from tests.conformance.recording import Choice, be_patient, follower, recorded, walker
from tests.conformance.transcripts import Heading, Transcript, read, written


class Job(Struct, frozen=True):
    """One game in one dialect."""

    problem: Problem
    wording: Wording
    steps: int
    walks: int
    kept: Path


class Result(Struct, frozen=True):
    """What came of a job."""

    walks: int
    steps: int
    recorded: int
    """Steps that the official engine took now; the others it took in an earlier run."""
    differences: tuple[Difference, ...]
    solved: bool
    """Whether the walkthrough ends the task."""
    left_out: str = ""
    """Why nothing was compared: one of the engines does not play the game."""


def carry_out(job: Job) -> Result:
    """Every walk of a job; what the official engine says is taken from a file where it has said it before."""
    try:
        return _carried_out(job)
    except (ForeignGameError, UsageError, ValueError) as error:
        return Result(0, 0, 0, (), solved=False, left_out=f"{job.problem.name} {job.wording.dialect}: {error}")


def _carried_out(job: Job) -> Result:
    game, dialect = job.wording.game(job.problem), job.wording.dialect
    solution = tuple(map(DIALECTS[dialect].own, job.problem.walkthrough or _planned(game)))
    transcripts, played = list[Transcript](), 0
    for number in range(job.walks + 1):
        walk = f"{job.steps} steps, {number}" if number else "walkthrough"
        heading = Heading(job.problem.name, walk, dialect, job.problem.objective)
        file = job.kept / f"{_digest(game, heading, solution)}.jsonl"
        if not file.exists():
            transcript = _recorded(game, heading, walker(game, heading, job.steps) if number else follower(solution))
            played += len(transcript.steps) - 1
            _keep(file, transcript)
        transcripts.append(read(file))
    differences = tuple(each for transcript in transcripts if (each := difference(game, transcript)) is not None)
    steps = sum(len(transcript.steps) - 1 for transcript in transcripts)
    return Result(len(transcripts), steps, played, differences, solved=transcripts[0].steps[-1].done)


def _planned(game: Game) -> tuple[str, ...]:
    house = household(game)
    return expert_plan(house, house.begin) or ()


def _recorded(game: Game, heading: Heading, choose: Choice) -> Transcript:
    with _engines().fresh() as engine:
        return recorded(engine, game, heading, choose)


@cache
def _engines() -> Engines:
    be_patient()
    return Engines(most=1)


def _keep(file: Path, transcript: Transcript) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".part")
    unfinished.write_bytes(written(transcript))
    unfinished.replace(file)


def _digest(game: Game, heading: Heading, solution: tuple[str, ...]) -> str:
    chosen_by = Path(walks.__file__).read_bytes()
    return blake2b(msgspec.msgpack.encode((game, heading, solution, chosen_by)), digest_size=12).hexdigest()
