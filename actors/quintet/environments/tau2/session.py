"""One live session of a scenario, and its expert."""

import re
from typing import Any, Final, Self

from msgspec.structs import replace

from quintet.environments.tau2.package import described_tools
from quintet.environments.tau2.scenarios import CustomerScenario
from quintet.environments.tau2.scoring import MadeCall, task_score
from quintet.environments.tau2.tools import CustomerTools
from quintet.messages.simulating import Utterance
from quintet.parsing.tool_calls import ToolCall, read_tool_call
from quintet.ports.world import MessageToUser, Opening, Outcome, WorldState

_REPLY: Final = "reply"
_DONE: Final = "done"
_LISTEN: Final = f"{_REPLY}(message='I see. Please go on.')"
_SETTING: Final = """You serve a customer by calls of tools, one at a time, in Python's syntax: find_user(name='Ann').
{ends}

The policy:
{policy}

The tools:
{tools}"""
_WITH_USER: Final = """reply(message='...') answers the customer. The customer may read out its instructions, one part \
after each reply; "you" in them is the customer. When it has no more to say, a reply ends the conversation."""
_ALONE: Final = """You cannot talk to the customer. You have a ticket, and use the customer's phone by tools of its own.
done() ends the work."""


def _opening(scenario: CustomerScenario, policy: str) -> Opening:
    """How a scenario begins: policy, tools, and the user's first message or the ticket on one line."""
    first = re.sub(r"\s*\n\s*", " ", scenario.said[0])
    setting = _SETTING.format(
        ends=_ALONE if scenario.alone else _WITH_USER,
        policy=policy.strip(),
        tools="\n".join(described_tools(scenario.domain, alone=scenario.alone)),
    )
    if scenario.alone:
        said, goal = f"Ticket: {first}", f'do what the policy allows for the ticket "{first}"'
    else:
        said, goal = f"User: {first}", f'do what the policy allows for the user, who begins with "{first}"'
    return Opening(observation=f"{setting}\n\n{said}", setting=setting, goal=goal)


class Tau2State(WorldState):
    """A conversation that is being held, or a ticket that is worked on."""

    taken: tuple[str, ...]
    """Calls and replies so far, as written, without what was rejected."""
    heard: tuple[str, ...]
    """What the user said after each reply; empty where it left."""

    def __init__(self, scenario: CustomerScenario) -> None:
        self._tools = CustomerTools(scenario, alone=scenario.alone)
        super().__init__(_opening(scenario, self._tools.environment.get_policy()))
        self._scenario = scenario
        self.taken = ()
        self.heard = ()

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject("The user has left.")
        try:
            call = read_tool_call(action)
            if call.tool == (_DONE if self._scenario.alone else _REPLY):
                _spoken(call)
                self.taken = (*self.taken, action)
                return self._answer()
            seen = self._tools.call(call)
        except ValueError as error:
            return self.reject(f"Not called: {error}")
        self.taken = (*self.taken, action)
        return self.accept(seen)

    def expert(self) -> tuple[str, ...] | None:
        """The user is heard out, what is left of the task's actions is done, and the user is told what it should be.

        None if that would not earn the reward any more.
        """
        if self.done:
            return ()
        told = "; ".join(("Done", *(self._scenario.criteria.communicate_info or ())))
        last = f"{_DONE}()" if self._scenario.alone else f"{_REPLY}(message={told!r})"
        listened = (_LISTEN,) * (len(self._scenario.said) - 1 - len(self._replies()))
        ahead = (*listened, *self._left(), last)
        trial = self.fork()
        for action in ahead:
            trial.step(action)
        return ahead if trial.reward == 1 else None

    def answered(self, text: str, leaves: bool) -> Outcome:
        """The user's own words take the place of its script's."""
        self.heard = (*self.heard[:-1], text)
        return self._ended() if leaves else self.accept(f"User: {text}", 0.0)

    def fork(self) -> Self:
        copy = super().fork()
        copy._tools = self._tools.copy()
        return copy

    def load(self, snapshot: bytes) -> None:
        """As the port has it; the calls are made again."""
        super().load(snapshot)
        for call in map(read_tool_call, self.taken):
            if call.tool not in (_REPLY, _DONE):
                self._tools.call(call)

    def _answer(self) -> Outcome:
        """By the script, unless the run's user answers then."""
        scenario, message = self._scenario, self._message()
        left = scenario.said[len(message.conversation) // 2 :]
        self.heard = (*self.heard, left[0] if left else "")
        outcome = self.accept(f"User: {left[0]}") if left else self._ended()
        return outcome if scenario.alone else replace(outcome, to_user=message)

    def _ended(self) -> Outcome:
        reward, figures = task_score(self._scenario, self._tools, self._made(), self._replies())
        return self.accept("That was all.", reward, done=True, figures=figures, final_answer=True)

    def _message(self) -> MessageToUser:
        conversation = list[Utterance]()
        for user, agent in zip((self._scenario.said[0], *self.heard), self._replies(), strict=True):
            conversation += [Utterance(speaker="user", text=user), Utterance(speaker="agent", text=agent)]
        return MessageToUser(scenario=self._scenario.said, conversation=tuple(conversation))

    def _replies(self) -> list[str]:
        return [_spoken(call) for call in map(read_tool_call, self.taken) if call.tool in (_REPLY, _DONE)]

    def _made(self) -> list[MadeCall]:
        calls = (call for call in map(read_tool_call, self.taken) if call.tool not in (_REPLY, _DONE))
        return [MadeCall(call.tool, self._tools.arguments(call)) for call in calls]

    def _left(self) -> tuple[str, ...]:
        """The task's actions that were not taken, as calls."""
        made, left = self._made(), list[str]()
        for gold in self._scenario.criteria.actions or ():
            call = MadeCall(gold.name, gold.arguments)
            if call in made:
                made.remove(call)
            else:
                left.append(_as_text(call))
        return tuple(left)


def _as_text(call: MadeCall) -> str:
    """A call as an action."""
    return f"{call.tool}({', '.join(f'{name}={value!r}' for name, value in call.arguments.items())})"


def _spoken(call: ToolCall) -> str:
    """What a reply says.

    Raises:
        ValueError: it is not one text; `done` says nothing.
    """
    given: list[Any] = [*call.positional, *call.named.values()]
    if call.tool == _DONE and not given:
        return ""
    if call.tool == _REPLY and len(given) == 1 and isinstance(given[0], str) and call.named.keys() <= {"message"}:
        return given[0]
    raise ValueError(f"expected {_REPLY}(message='...') or {_DONE}(), got other arguments of {call.tool}")
