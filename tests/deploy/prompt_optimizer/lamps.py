"""A world, models and a count of calls for tests of optimised prompts: a lamp is found only by those who are told."""

from pathlib import Path

from quintet.author import (
    Completion,
    Description,
    Episode,
    Method,
    Opening,
    Outcome,
    Prompt,
    Sampling,
    Solved,
    Step,
    Task,
    Unsolved,
    World,
    WorldFault,
    WorldState,
    complete_with,
    model_role,
    user,
)
from quintet.methods.base.options import MethodOptions

FIND = "look behind the curtain"
TELLS = "Lamps hang behind the curtain."
START = "Find the lamp.\n\n{rules}"


class Room(World):
    """A room with a lamp; a task is named by a number."""

    name = "room"

    splits = ("test", "train")

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(f"{split} {number}" for number in range(12))

    def open(self, task: Task) -> "RoomState":
        self.check_task(task.name)
        return RoomState(Opening(observation="A room. Goal: light.", setting="A room.", goal="light"))


class RoomState(WorldState):
    def step(self, action: str) -> Outcome:
        found = action == FIND
        return self.accept("Light!" if found else "It stays dark.", float(found), done=True)

    def expert(self) -> tuple[str, ...]:
        return (FIND,)


class DarkRoom(Room):
    """One of its test tasks cannot be opened."""

    def open(self, task: Task) -> "RoomState":
        if task.name == "test 1":
            raise WorldFault("the room is locked")
        return super().open(task)


class SeekConfig(MethodOptions):
    """No option."""


class Seek(Method[SeekConfig]):
    """Asks once what to do, and does it."""

    name = "seek"
    version = "1"
    roles = (model_role("seeker"),)
    prompt_folders = (Path(__file__).parent / "lamp_prompts",)

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        answer = await episode.complete("seeker", user(f"{episode.setting} Goal: {episode.goal}."))
        last = await episode.ask(Step(session=episode.session, action=answer.text))
        return episode.conclude(last, reason="dark")

    def describe(self) -> Description:
        return Description(budget="1")


class Reader:
    """Follows what its instructions say, and writes the prompts that it is told to write, in turn.

    Args:
        texts: the first, and after each refusal the next.
        heeds: whether it follows them.
        name: of the model.
    """

    def __init__(self, *texts: str, heeds: bool = True, name: str = "reader") -> None:
        self.name = name
        self.calls: list[str] = []
        """What was said in each call."""
        self._texts = texts
        self._heeds = heeds

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = [message.content for message in prompt.messages()]
        self.calls.append("\n".join(messages))
        if "You improve a prompt" not in messages[0]:
            told = self._heeds and TELLS in messages[0]
            return complete_with(FIND if told else "wait", prompt, sampling)
        refused = messages[1].count("could not be taken")
        text = self._texts[min(refused, len(self._texts) - 1)]
        return complete_with(text and f"I see.\n<prompt>\n{text}\n</prompt>", prompt, sampling)

    async def aclose(self) -> None:
        """Nothing is open."""


def better(start: str = START) -> str:
    """A text that keeps the slots of the start, and tells."""
    return f"{TELLS} {start}"
