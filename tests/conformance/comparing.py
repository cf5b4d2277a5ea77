"""Holds the native engine against what the official one said."""

from collections.abc import Iterator

from msgspec import Struct

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.games.dialect import DIALECTS
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.session import AlfWorldState
from tests.conformance.transcripts import Transcript


class Difference(Struct, frozen=True):
    """Where the engines part."""

    where: str
    """Game, dialect, walk and step."""
    action: str
    what: str
    official: object
    native: object

    def __str__(self) -> str:
        where = f"{self.where}: {self.what} after {self.action[:200]!r}"
        return f"{where}\n    official: {self.official!r}\n    native:   {self.native!r}"


def native(game: Game, transcript: Transcript) -> AlfWorldState:
    """The native engine where the transcript begins."""
    return AlfWorldState(household(game, DIALECTS[transcript.heading.dialect]))


def difference(game: Game, transcript: Transcript) -> Difference | None:
    """The first one on a walk; later ones follow from it. None: there is none."""
    return next(_differences(native(game, transcript), transcript), None)


def _differences(state: AlfWorldState, transcript: Transcript) -> Iterator[Difference]:
    heading, (opening, *steps) = transcript.heading, transcript.steps
    where = f"{heading.name} {heading.dialect} {heading.walk}"
    now = opening.gained
    official, ours = (
        _Said(opening.observation, admissible=now),
        _Said(state.opening.observation, admissible=state.admissible()),
    )
    yield from _unequal(f"{where} opening", "", official, ours)
    for number, step in enumerate(steps, start=1):
        rejected = step.action.strip() not in now
        now = tuple(sorted({*now, *step.gained}.difference(step.lost)))
        # Where the task is done, the official engine still lists actions; a session of ours takes none.
        listed = () if step.done else now
        official = _Said(step.observation, step.score, step.done, rejected, listed)
        found = state.step(step.action)
        ours = _Said(found.observation, found.reward, found.done, found.rejected, state.admissible())
        yield from _unequal(f"{where} step {number}", step.action, official, ours)


class _Said(Struct, frozen=True):
    """All that is compared."""

    observation: str
    score: float = 0
    done: bool = False
    rejected: bool = False
    admissible: tuple[str, ...] = ()


def _unequal(where: str, action: str, official: _Said, ours: _Said) -> Iterator[Difference]:
    for what in _Said.__struct_fields__:
        theirs, own = getattr(official, what), getattr(ours, what)
        if theirs != own:
            yield Difference(where, action, what, theirs, own)
