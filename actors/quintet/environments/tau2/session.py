"""One live session of a scenario, and its expert."""

import re
from contextlib import suppress
from typing import Any, Final, NamedTuple, Self

from msgspec.structs import replace

from quintet.environments.described_tool import described_tool, reply_tool
from quintet.environments.tau2.package import described_tools, described_user_tools
from quintet.environments.tau2.scenarios import CustomerScenario
from quintet.environments.tau2.scoring import MadeCall, task_score
from quintet.environments.tau2.tools import CustomerTools
from quintet.messages.simulating import Speaker, Utterance
from quintet.messages.tools import OfferedTool
from quintet.parsing.tool_calls import ToolCall, find_tool_calls, read_tool_call
from quintet.ports.world import MessageToUser, Opening, Outcome, WorldState

_REPLY: Final = "reply"
_DONE: Final = "done"
_LISTEN: Final = f"{_REPLY}(message='I see. Please go on.')"
_TELL: Final = f'{_REPLY}(message="""On your phone, please do this: {{call}}""")'
_MOST_CALLS: Final = 10
"""Of the user's, after one reply."""
_SETTING: Final = """You serve a customer by calls of tools, one at a time. As text, a call is in Python's syntax:
find_user(name='Ann').
{ends}

The policy:
{policy}

The tools:
{tools}"""
_WITH_USER: Final = """reply(message='...') answers the customer. The customer may read out its instructions, one part \
after each reply; "you" in them is the customer. When it has no more to say, a reply ends the conversation."""
_ALONE: Final = """You cannot talk to the customer. You have a ticket, and use the customer's phone by tools of its own.
done() ends the work."""
_REPLY_TOOL: Final = reply_tool("Answer the customer.")
_DONE_TOOL: Final = OfferedTool(name=_DONE, description="End the work.", parameters='{"type": "object"}')


def _opening(scenario: CustomerScenario, policy: str) -> Opening:
    """How a scenario begins: policy, tools, and the user's first message or the ticket on one line."""
    first = re.sub(r"\s*\n\s*", " ", scenario.said[0])
    described = described_tools(scenario.domain, alone=scenario.alone)
    ends = _ALONE if scenario.alone else _WITH_USER
    setting = _SETTING.format(ends=ends, policy=policy.strip(), tools="\n".join(described))
    tools = (*map(described_tool, described), _DONE_TOOL if scenario.alone else _REPLY_TOOL)
    if scenario.alone:
        said, goal = f"Ticket: {first}", f'do what the policy allows for the ticket "{first}"'
    else:
        said, goal = f"User: {first}", f'do what the policy allows for the user, who begins with "{first}"'
    return Opening(observation=f"{setting}\n\n{said}", setting=setting, goal=goal, tools=tools)


class _Unscripted(NamedTuple):
    """What the run's user goes on from: a state's members without what the script has done since the last reply."""

    tools: CustomerTools
    heard: tuple[tuple[Utterance, ...], ...]


class Tau2State(WorldState):
    """A conversation that is being held, or a ticket that is worked on."""

    taken: tuple[str, ...]
    """Calls and replies so far, as written, without what was rejected."""
    heard: tuple[tuple[Utterance, ...], ...]
    """After each reply what the user called and what came of it, and then what it said; nothing where it left."""

    def __init__(self, scenario: CustomerScenario) -> None:
        self._tools = CustomerTools(scenario, alone=scenario.alone)
        super().__init__(_opening(scenario, self._tools.environment.get_policy()))
        self._scenario = scenario
        self._user_tools = {} if scenario.alone else described_user_tools(scenario.domain)
        self._unscripted = _Unscripted(self._tools, ())
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
        listened = (_LISTEN,) * (len(self._scenario.said) - 1 - self._parts_asked_for())
        ahead = (*listened, *self._left(), last)
        trial = self.fork()
        for action in ahead:
            trial.step(action)
        return ahead if trial.reward == 1 else None

    def answered(self, text: str, leaves: bool) -> Outcome:
        """The user's own words take the place of its script's."""
        self._tools, self.heard = self._unscripted
        return self._ended(text) if leaves else self._said(text)

    def user_called(self, call: str) -> Outcome:
        """The call takes the place of the script's; what it returned is said, unless the user goes on."""
        self._tools, self.heard = self._unscripted
        result = self._use(call)
        self._unscripted = _Unscripted(self._tools, self.heard)
        called = sum(each.speaker == "call" for each in self.heard[-1])
        message = self._message() if called < _MOST_CALLS else None
        return replace(self._said(result), to_user=message)

    def fork(self) -> Self:
        copy = super().fork()
        copy._tools = self._tools.copy()
        return copy

    def load(self, snapshot: bytes) -> None:
        """As the port has it; the calls are made again."""
        super().load(snapshot)
        heard = iter(self.heard)
        for call in map(read_tool_call, self.taken):
            if call.tool not in (_REPLY, _DONE):
                self._tools.call(call)
            else:
                for each in _calls_in(next(heard)):
                    self._carry_out(each)

    def _answer(self) -> Outcome:
        """By the script, unless the run's user answers then."""
        self.heard = (*self.heard, ())
        if self._scenario.alone:
            return self._ended("")
        self._unscripted, message = _Unscripted(self._tools, self.heard), self._message()
        return replace(self._scripted(), to_user=message)

    def _scripted(self) -> Outcome:
        """The user makes the calls that it is told and says what they returned, or reads out its next part."""
        if told := find_tool_calls(self._replies()[-1], self._user_tools):
            self._tools = self._tools.copy()
            return self._said("\n".join([self._use(call) for call in told]))
        left = self._scenario.said[self._parts_asked_for() :]
        return self._said(left[0]) if left else self._ended("")

    def _use(self, call: str) -> str:
        """The user calls one of its tools; what it is told of it."""
        result = self._carry_out(call)
        self._hear("call", call)
        self._hear("result", result)
        return result

    def _carry_out(self, call: str) -> str:
        try:
            return self._tools.call(read_tool_call(call), "user")
        except ValueError as error:
            return f"Error: {error}"

    def _said(self, text: str) -> Outcome:
        self._hear("user", text)
        return self.accept(f"User: {text}", 0.0)

    def _hear(self, speaker: Speaker, text: str) -> None:
        self.heard = (*self.heard[:-1], (*self.heard[-1], Utterance(speaker=speaker, text=text)))

    def _ended(self, text: str) -> Outcome:
        if text:
            self._hear("user", text)
        reward, figures = task_score(self._scenario, self._tools, self._made(), self._replies())
        return self.accept("That was all.", reward, done=True, figures=figures, final_answer=True)

    def _message(self) -> MessageToUser:
        conversation = [Utterance(speaker="user", text=self._scenario.said[0])]
        for agent, heard in zip(self._replies(), self.heard, strict=True):
            conversation += [Utterance(speaker="agent", text=agent), *heard]
        persona = (self._scenario.persona,) if self._scenario.persona else ()
        return MessageToUser(
            scenario=(*self._scenario.said, *persona), conversation=tuple(conversation), tools=self._user_tools
        )

    def _parts_asked_for(self) -> int:
        """How many replies tell the user to call nothing; each brings the script's next part."""
        return sum(not find_tool_calls(text, self._user_tools) for text in self._replies())

    def _replies(self) -> list[str]:
        return [_spoken(call) for call in map(read_tool_call, self.taken) if call.tool in (_REPLY, _DONE)]

    def _made(self) -> list[MadeCall]:
        calls = (call for call in map(read_tool_call, self.taken) if call.tool not in (_REPLY, _DONE))
        made = [MadeCall(call.tool, self._tools.arguments(call)) for call in calls]
        for each in (call for heard in self.heard for call in _calls_in(heard)):
            with suppress(ValueError):  # no call of a tool
                call = read_tool_call(each)
                made.append(MadeCall(call.tool, self._tools.arguments(call, "user")))
        return made

    def _left(self) -> tuple[str, ...]:
        """The task's actions that were not taken, as calls."""
        made, left = self._made(), list[str]()
        for gold in self._scenario.criteria.actions or ():
            call = MadeCall(gold.name, gold.arguments)
            if call in made:
                made.remove(call)
            else:
                text = _as_text(call)
                left.append(_TELL.format(call=text) if gold.name in self._user_tools else text)
        return tuple(left)


def _as_text(call: MadeCall) -> str:
    """A call as an action."""
    return f"{call.tool}({', '.join(f'{name}={value!r}' for name, value in call.arguments.items())})"


def _calls_in(heard: tuple[Utterance, ...]) -> list[str]:
    """What the user called."""
    return [each.text for each in heard if each.speaker == "call"]


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
