"""What episodes and learners share: branches, and work that a model may refuse."""

from quintet.errors import ModelFault
from quintet.events import BranchEnded, Refused
from quintet.messages.paths import child
from quintet.messages.solving import Solved
from tests.actors.methods.base.test_episode import HERE as SESSION
from tests.actors.methods.base.test_episode import Answered, episode
from tests.actors.roles.test_context import HERE, converse, sleep_then


def test_a_branch_whose_prompt_a_model_refuses_is_pruned_and_a_replay_does_not_ask_again() -> None:
    asked: list[str] = []
    context = episode(Answered(Solved(session=SESSION, reward=1.0, done=True)))

    async def ask(prompt: str) -> str:
        asked.append(prompt)
        if prompt == "long":
            raise ModelFault("too long")
        return await sleep_then(1.0, prompt)

    async def search() -> list[str | None]:
        async with context.branches() as group:
            branches = [group.start(context.unless_refused, ask, prompt) for prompt in ("short", "long")]
            for _ in branches:
                await group.next()
        return [branch.result() for branch in branches]

    group = child(HERE, 1)
    found, committed = converse(search())
    assert found == ["short", None]
    assert committed == [
        Refused(path=child(child(group, 2), 1), reason="too long"),
        BranchEnded(path=child(group, 2), place=1),
        BranchEnded(path=child(group, 1), place=2),
    ]
    assert converse(search(), *committed) == (["short", None], [])
    assert asked == ["short", "long", "short"]
