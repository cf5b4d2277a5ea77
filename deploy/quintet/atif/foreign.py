"""The records of an episode that another tool wrote as a trajectory: what a reader of ours needs, read leniently."""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import msgspec
from atif import ContentPart, Metrics, Step, ToolCall, Trajectory
from msgspec.structs import replace

from quintet.atif.parts import COUNTED, seconds_of, tokens_of
from quintet.atif.trajectory import SOLVE
from quintet.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Record, SessionOpened, StepTaken
from quintet.messages.paths import Path, child
from quintet.messages.prompts import ChatMessage, Prompt, PromptAddress, assistant, system, user
from quintet.ports.model import Completion, Sampling, Usage
from quintet.ports.tokens import CallTokens
from quintet.roles.turn_text import turn_of

UNKNOWN_MODEL: Final = "unknown model"
_MESSAGES: Final = {"system": system, "user": user, "agent": assistant}


def foreign_records(trajectory: Trajectory, path: Path, left_out: Counter[str]) -> tuple[float, list[Record]]:
    """When an episode began, in seconds since the Unix epoch, and its records in order; 0 where no step has a time.

    The first user messages are the opening, the last of them the goal. A tool call is an action, and so is a message
    without one; what is said before the next agent step is its observation. Each trajectory in it is a subtask, where
    it is first referred to or else at the end.

    Args:
        path: of the episode.
        left_out: how many of what are left out; more is added.

    Raises:
        msgspec.ValidationError: it says what a journal cannot store.
    """
    left_out["continuations in other files"] += trajectory.continued_trajectory_ref is not None
    found = _Reader(left_out).read(trajectory, path)
    began = min((record.at for record in found if record.at), default=0.0)
    dated = [replace(record, at=record.at or began) for record in found]
    last = max(record.at for record in dated)
    reward = _reward(trajectory)
    left_out["trajectories without a reward in [0, 1], which counts as 0"] += reward is None
    end = EpisodeEnded(path=path, **_outcome(reward))
    return began, [*dated, Record(event=end, incarnation=1, at=last, seconds=last - began)]


def _reward(trajectory: Trajectory) -> float | None:
    """`reward` or `success` in the trajectory's own `extra`, or in its metrics'; None: neither says one in [0, 1]."""
    metrics = trajectory.final_metrics
    for extra in (trajectory.extra or {}, (metrics.extra if metrics else None) or {}):
        for name in ("reward", "success"):
            value: Any = extra.get(name)
            if isinstance(value, int | float) and 0 <= value <= 1:
                return float(value)
    return None


def _outcome(reward: float | None) -> dict[str, Any]:
    """The fields of an answer and of an end; None: nobody says the reward."""
    reason = "no reward in [0, 1] is said" if reward is None else ""
    return {"state": "solved" if reward == 1 else "unsolved", "reward": reward or 0.0, "reason": reason}


class _Turn(NamedTuple):
    """A step of the agent, with what others say before its next one."""

    step: Step
    after: list[Step]


class _Reader:
    def __init__(self, left_out: Counter[str]) -> None:
        self._left_out = left_out
        self._known: set[PromptAddress] = set()

    def read(self, trajectory: Trajectory, path: Path, by: str = "") -> list[Record]:
        """The records of a trajectory, which is played in a session of its own; `by`: the agent of a subtask."""
        opening, turns = _turns(trajectory)
        talk = _Conversation()
        texts = [self._hear(step, talk) for step in opening]
        said = [text for step, text in zip(opening, texts, strict=True) if step.source == "user" and text]
        session = child(path, 1)
        found = [_record(SessionOpened(path=session, session=session, observation="\n\n".join(said)))]
        waiting = {each.trajectory_id: each for each in trajectory.subagent_trajectories or ()}
        played: list[StepTaken] = []

        def next_path() -> Path:
            return child(path, len(found) + 1)  # with gaps, where a subtask has several records

        for step, after in turns:
            at = seconds_of(step.timestamp) or 0.0
            if step.llm_call_count != 0:
                call = self._call(step, next_path(), talk, trajectory.agent.model_name or UNKNOWN_MODEL)
                nodes = talk.prompt.nodes_since(self._known) if talk.prompt is not None else ()
                self._known.update(node.address for node in nodes)
                found.append(Record(event=call, incarnation=1, at=at, prompts=nodes))
            for thought, action, observation in self._actions(step, after, talk):
                event = StepTaken(
                    path=next_path(),
                    session=session,
                    action=action,
                    observation=observation,
                    thought=thought,
                    reward=0.0,
                    done=False,
                    rejected=False,
                )
                played.append(event)
                found.append(_record(event, at))
            for sub in self._referred(step, waiting):
                found += self.read(sub, next_path(), by=sub.agent.name)
        for sub in waiting.values():
            found += self.read(sub, next_path(), by=sub.agent.name)
        if played:
            earned = replace(played[-1], reward=_reward(trajectory) or 0.0, done=True)
            found = [replace(each, event=earned) if each.event is played[-1] else each for each in found]
        outcome = _outcome(_reward(trajectory))
        reply = {"type": outcome.pop("state"), **outcome, "done": True, "depth": 1}
        answer = Exchanged(
            path=path,
            request=SOLVE,
            subject=said[-1] if said else "",
            session=session,
            reply=json.dumps({**reply, "by": by} if by else reply),
            turns=() if by else tuple(turn_of(each.action, each.observation, each.thought) for each in played),
        )
        return [*found, _record(answer, max(each.at for each in found))]

    def _hear(self, step: Step, talk: "_Conversation") -> str:
        """What somebody else says, or what is copied from elsewhere, of which nothing is played."""
        results = step.observation.results if step.observation is not None else []
        text = "\n\n".join(filter(None, [self._text(step.message), *(self._text(each.content) for each in results)]))
        talk.say(_MESSAGES[step.source](text))
        if step.is_copied_context:
            self._left_out["copied steps"] += 1
            return ""
        return text

    def _call(self, step: Step, path: Path, talk: "_Conversation", model: str) -> CallMade:
        counts = {name: getattr(step.metrics, name, None) or 0 for name in COUNTED}
        self._left_out["steps without metrics"] += step.metrics is None
        self._left_out["costs"] += getattr(step.metrics, "cost_usd", None) is not None
        text = self._text(step.message) or "\n".join(map(_action, _calls_of(step)))
        return CallMade(
            path=path,
            model=step.model_name or model,
            prompt=PromptAddress("") if talk.prompt is None else talk.prompt.node.address,
            sampling=Sampling(),
            completion=Completion(
                text=text,
                usage=msgspec.convert(counts, Usage),
                reasoning=step.reasoning_content or "",
                tokens=self._tokens(step.metrics or Metrics()),
            ),
            phase="execute",
        )

    def _tokens(self, metrics: Metrics) -> CallTokens | None:
        with suppress(ValueError, OverflowError):
            if (tokens := tokens_of(metrics)) is not None:
                return tokens
        given = (metrics.prompt_token_ids, metrics.completion_token_ids, metrics.logprobs)
        self._left_out["tokens that are not whole"] += any(each is not None for each in given)
        return None

    def _actions(self, step: Step, after: Sequence[Step], talk: "_Conversation") -> list[tuple[str, str, str]]:
        """The thought, the action and the observation of each action of a step."""
        calls, message = _calls_of(step), self._text(step.message)
        actions = [_action(call) for call in calls] or [message]
        talk.say(assistant("\n".join(filter(None, [message] * bool(calls) + actions))))
        ids = [call.tool_call_id for call in calls]
        observed: list[list[str]] = [[] for _ in actions]
        for result in step.observation.results if step.observation is not None else ():
            if text := self._text(result.content):
                observed[ids.index(result.source_call_id) if result.source_call_id in ids else -1].append(text)
                talk.say(user(text))
        observed[-1] += filter(None, [self._hear(each, talk) for each in after])
        thoughts = [message if calls else "", *[""] * (len(actions) - 1)]
        seen = ["\n\n".join(texts) for texts in observed]
        return list(zip(thoughts, actions, seen, strict=True))

    def _referred(self, step: Step, waiting: dict[str | None, Trajectory]) -> list[Trajectory]:
        """The trajectories that a step refers to for the first time."""
        results = step.observation.results if step.observation is not None else []
        found: list[Trajectory] = []
        for ref in (ref for result in results for ref in result.subagent_trajectory_ref or ()):
            if ref.trajectory_id in waiting:
                found.append(waiting.pop(ref.trajectory_id))
            else:
                self._left_out["references to other trajectories"] += 1
        return found

    def _text(self, content: str | Sequence[ContentPart] | None) -> str:
        """A text; a picture or a sound in it is named in brackets."""
        if content is None or isinstance(content, str):
            return content or ""
        for each in content:
            self._left_out[{"text": "", "image": "pictures", "audio": "sounds"}[each.type]] += each.source is not None
        return "\n".join(each.text or (f"[{each.type}: {each.source.path}]" if each.source else "") for each in content)


class _Conversation:
    """What was said so far."""

    def __init__(self) -> None:
        self.prompt: Prompt | None = None
        """None: nothing."""

    def say(self, message: ChatMessage) -> None:
        if message.content:
            self.prompt = Prompt(message) if self.prompt is None else self.prompt.extend(message)


def _turns(trajectory: Trajectory) -> tuple[list[Step], list[_Turn]]:
    """What is said before the agent's first step, and its turns."""
    opening: list[Step] = []
    turns: list[_Turn] = []
    for step in trajectory.steps:
        if step.source == "agent" and not step.is_copied_context:
            turns.append(_Turn(step, []))
        else:
            (turns[-1].after if turns else opening).append(step)
    return opening, turns


def _record(event: AnyEvent, at: float = 0.0) -> Record:
    return Record(event=event, incarnation=1, at=at)


def _calls_of(step: Step) -> Sequence[ToolCall]:
    return step.tool_calls or ()


def _action(call: ToolCall) -> str:
    """A tool call on one line: the text of its only argument `action`, or else its name and its arguments as JSON."""
    match call.arguments:
        case {"action": str(text), **others} if not others:
            return text
        case arguments:
            return f"{call.function_name} {json.dumps(arguments, ensure_ascii=False)}"
