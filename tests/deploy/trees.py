"""A method that grows known trees: one in three branches, of which the first to end stops the others; one inside."""

from pydantic import BaseModel

from quintet.messages.environment import Fork, Session, Step
from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.plugins.catalogue import world
from quintet.ports.model import Sampling
from quintet.runtime.spec import RunSpec
from tests.simulation.scenes import Fetcher


class NoOptions(BaseModel):
    """Nothing to set."""


async def _expand(episode: Episode, node: int) -> Session:
    """Branch 1 makes one call, so it leads by more than a call at every moment."""
    session = (await episode.ask(Fork(session=episode.session))).session
    await episode.ask(Step(session=session, action=f"get {node} bamboo"))
    episode.journal_node(
        node=node, parent=0, action=f"get {node} bamboo", session=session, value=1 / node, confidence=0.25 * node
    )
    await episode.ask(
        Execute(session=session, setting="A forest.", goal=episode.goal, max_calls=2 * node - 1, patience=9)
    )
    return session


class Grow(Method[NoOptions]):
    """Grows a tree of five nodes at depth 1, and one of two nodes at depth 2."""

    name = "grow"
    version = "1"
    requests = (Execute,)
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        episode.journal_node(node=0, parent=None, action="", session=episode.session, visits=1)
        if episode.depth > 1:
            episode.journal_node(node=1, parent=0, action="inventory", session=None, confidence=1.0, adjusted=True)
            return Solved(session=episode.session, reward=0.0, done=False)
        async with episode.branches() as race:
            runners = [race.start(_expand, episode, node) for node in (1, 2, 3)]
            won = await race.first()
        session = runners[won - 1].result()
        await episode.attempt(goal="look around", session=session)
        await episode.ask(Step(session=session, action="get 1 bamboo"))
        last = await episode.ask(Step(session=session, action="craft 1 stick using 2 bamboo"))
        episode.journal_node(node=4, parent=won, action="wait", session=None, value=0.0, standing="pruned")
        episode.journal_node(
            node=won,
            parent=0,
            action=f"get {won} bamboo",
            session=session,
            value=0.75,
            confidence=0.25 * won,
            visits=2,
            reward=last.reward,
            standing="chosen",
        )
        return Solved(session=session, reward=last.reward, done=last.done)


def grow() -> RunSpec:
    """One episode of the task `stick` is enough."""
    return RunSpec(
        method=Grow(NoOptions()),
        world=world("textcraft"),
        models={"executor": Fetcher()},
        sampling={"executor": Sampling()},
        prompts={"execute": "Act."},
        seed=0,
    )
