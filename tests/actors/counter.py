"""A world whose user is simulated: at a counter, tea is ordered by whoever finds out that it is wanted."""

from msgspec.structs import replace

from quintet.messages.environment import Task
from quintet.messages.simulating import Utterance
from quintet.ports.world import MessageToUser, Opening, Outcome, World, WorldState

ORDER = Task(name="order", seed=0)
SCENARIO = ("You want something warm.", "You want tea.")


class CounterState(WorldState):
    """`say X` is answered by the user, or else by the script's `Tea.`; `serve X` ends it, with a reward for tea.

    The user may look at the clock first.
    """

    heard: tuple[str, ...]

    def __init__(self) -> None:
        setting, goal = "A counter. Say something, or serve something.", "serve the guest"
        super().__init__(Opening(observation=f"{setting}\nGoal: {goal}.", setting=setting, goal=goal))
        self.heard = ()

    def step(self, action: str) -> Outcome:
        verb, _, what = action.partition(" ")
        if self.done or verb not in ("say", "serve") or not what:
            return self.reject("What?")
        if verb == "serve":
            return self.accept("Served.", float(what == "tea"), done=True)
        self.heard = (*self.heard, "Tea.")
        return replace(self.accept("Tea."), to_user=_message(Utterance(speaker="agent", text=what)))

    def answered(self, text: str, leaves: bool) -> Outcome:
        self.heard = (*self.heard[:-1], text)
        return self.accept("The guest is gone." if leaves else text, done=leaves)

    def user_called(self, call: str) -> Outcome:
        said = (Utterance(speaker="call", text=call), Utterance(speaker="result", text="It is five."))
        return replace(self.accept("It is five."), to_user=_message(*said))

    def expert(self) -> tuple[str, ...] | None:
        return () if self.done else ("serve tea",) if self.heard else ("say hello", "serve tea")

    def naive(self) -> tuple[str, ...] | None:
        return () if self.done else ("serve water",)


def _message(*said: Utterance) -> MessageToUser:
    conversation = (Utterance(speaker="user", text="Good day."), *said)
    return MessageToUser(scenario=SCENARIO, conversation=conversation, tools={"look": "look(): at the clock"})


class Counter(World):
    """One guest."""

    name = "counter"
    splits: tuple[str, ...] = ("all",)

    def __init__(self, needs_user: bool | None = False) -> None:
        self.needs_user = needs_user

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return (ORDER.name,)

    def open(self, task: Task) -> CounterState:
        self.check_task(task.name)
        return CounterState()
