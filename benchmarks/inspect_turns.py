"""Agent turns beside inspect_ai's, in one run: the same prompts, answers and world, eight episodes at a time.

Both keep a log on disk of all that was said. The model answers at once in this process, so what is measured is the
harness.
"""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    modelapi,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo

from benchmarks.measuring import Figure, rate
from benchmarks.turns import answers, scripted_react, turns_of_react
from quintet.messages.environment import Task as OurTask
from quintet.models.scripted import Scripted
from quintet.plugins.catalogue import world

_TURNS, _EPISODES, _AT_A_TIME = 40, 16, 8


@modelapi("atonce")
class _AtOnce(ModelAPI):
    """Acts in every turn, as `answers` does."""

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        return ModelOutput.from_content("scripted", answers(2)[0])


@solver
def _react() -> Solver:
    prompts = scripted_react(_TURNS, Scripted(answers(_TURNS))).methods[0].prompts

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = world("textcraft").open(OurTask(name="beehive", seed=int(state.sample_id)))
        opening = f"{prompts['demonstrations']}\n{session.opening.observation}"
        state.messages = [ChatMessageSystem(content=prompts["execute"]), ChatMessageUser(content=opening)]
        for _ in range(_TURNS):
            state = await generate(state)
            observation = session.step(state.output.completion.partition("Action: ")[2]).observation
            state.messages.append(ChatMessageUser(content=observation))
        return state

    return solve


def _turns_of_inspect() -> int:
    samples = [Sample(id=epoch, input="beehive") for epoch in range(_EPISODES)]
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect_ai.eval(  # pyright: ignore[reportUnknownMemberType]
            Task(dataset=MemoryDataset(samples), solver=_react()),
            model="atonce/scripted",
            display="none",
            log_dir=folder,
            max_samples=_AT_A_TIME,
            max_connections=_AT_A_TIME,
            score=False,
        )
    assert log.status == "success", log.error
    return _TURNS * _EPISODES


def figures() -> Iterator[Figure]:
    """Turns a second over inspect_ai's."""
    ours: Callable[[], int] = partial(turns_of_react, _TURNS, 8 * _EPISODES, _AT_A_TIME)
    theirs, found = rate(_turns_of_inspect), rate(ours)
    beside = f"{found:,.0f} /s, {theirs:,.0f} /s; at least 40 x"
    yield Figure(f"agent turns over inspect_ai's, {_AT_A_TIME} episodes at a time", found / theirs, "x", beside)


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
