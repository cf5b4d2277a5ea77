"""What sessions and recalls of a journal must have answered: worked out again without runtime, forks or network."""

from collections.abc import Iterable, Iterator, Sequence

from quintet.events import EpisodeEnded, Recalled, Record, SessionForked, SessionOpened, StepTaken
from quintet.memory.reader import MemoryReader
from quintet.memory.tuple_search import find_tuples
from quintet.messages.paths import Path, attempt_of, episode_of, order_of
from quintet.messages.store import FindTuples
from quintet.plugins import catalogue
from quintet.ports.world import World, WorldState
from quintet.runtime.spec import RunSpec
from tests.soak.schedules.watch import Watch


def differing_steps(spec: RunSpec, records: Sequence[Record], watch: Watch) -> Iterator[str]:
    """Steps that were answered otherwise than in a world in which only their session's actions are taken."""
    ended = {record.event.path for record in records if isinstance(record.event, EpisodeEnded)}
    whole = [
        event
        for event in sorted((record.event for record in records), key=lambda event: order_of(event.path))
        if episode_of(event.path) in ended and not watch.is_cut(event.path)
    ]
    actions: dict[tuple[Path, str], list[str]] = {}
    states: dict[tuple[Path, str], WorldState] = {}
    world = catalogue.world(spec.world.name)
    for event in whole:
        episode = episode_of(event.path)
        match event:
            case SessionOpened(session=session):
                actions[episode, session] = []
                states[episode, session] = _replayed(world, spec, episode, ())
            case SessionForked(session=session, origin=origin) if (episode, origin) in actions:
                actions[episode, session] = list(actions[episode, origin])
                states[episode, session] = _replayed(world, spec, episode, actions[episode, session])
            case StepTaken(session=session) if (episode, session) in states:
                actions[episode, session].append(event.action)
                alone = states[episode, session].step(event.action)
                if (alone.observation, alone.reward, alone.done) != (event.observation, event.reward, event.done):
                    yield f"{event.path}: expected {alone.observation!r}, as without others, got {event.observation!r}"
            case _:
                pass


def _replayed(world: World, spec: RunSpec, episode: Path, actions: Iterable[str]) -> WorldState:
    task, epoch, _ = attempt_of(episode)
    state = world.open(spec.task(task, 0 if spec.learner else epoch))
    for action in actions:
        state.step(action)
    return state


def differing_recalls(reader: MemoryReader, records: Sequence[Record], budget: int) -> Iterator[str]:
    """Recalls that brought other tuples than their version has: a sealed version always reads the same."""
    for event in (record.event for record in records):
        if isinstance(event, Recalled) and event.observation_type is not None:
            found = find_tuples(
                reader,
                FindTuples(
                    version=event.version,
                    batch=event.batch,
                    goal_type=event.goal_type,
                    observation_type=event.observation_type,
                    budget=budget,
                ),
            )
            expected = tuple(each.id for each in found)
            if event.ids != expected:
                yield f"{event.path}: expected to recall {expected} from version {event.version}, got {event.ids}"
