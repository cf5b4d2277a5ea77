"""Turns as text: what later prompts show of a completion and of the world's answer to it."""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from quintet.messages.environment import Stepped
from quintet.messages.execution import Act, Claim, Decision, Turn, Unreadable
from quintet.messages.memory import ObservedAction
from quintet.messages.prompts import ChatMessage, assistant, user
from quintet.parsing.answers import answer_text, has_text, missing_answer
from quintet.parsing.decisions import read_decision
from quintet.ports.model import Completion

SILENCE = "(nothing)"
"""Stands for an empty observation or completion, since some endpoints refuse an empty message."""

NOTHING_DONE: Final = "Nothing was done yet."
"""The summary of an empty past."""

ENDED: Final = "The task has ended."
"""Stands for an observation that tells the reward."""


def seen_after(stepped: Stepped) -> str:
    """The world's answer as models are shown it. Whoever may know of a reward is told it in other ways."""
    return ENDED if stepped.tells_reward else stepped.observation


def as_sentence(text: str) -> str:
    """A text with a full stop, unless it ends a sentence already, or quotes one: a goal may be a question."""
    return text if text.rstrip("\"'”’ )").endswith((".", "?", "!")) else f"{text}."


def as_messages(turn: Turn) -> tuple[ChatMessage, ChatMessage]:
    """A turn as two messages."""
    return assistant(turn.completion or SILENCE), user(turn.observation or SILENCE)


def completion_to_keep(completion: Completion, decision: Decision) -> str:
    """The part of a completion that later prompts show: no reasoning, nothing after the action."""
    if not isinstance(decision, Unreadable):
        return turn_text(decision.thought, decision)
    return answer_text(completion.text).strip() if has_text(completion.finish) else ""


def turn_text(thought: str, decision: Decision) -> str:
    """A thought and a decision, written as one completion."""
    return "\n".join([*([f"Thought: {thought}"] if thought else []), *_said(decision)])


def turn_as_text(turn: Turn, *, seen: bool = True) -> str:
    """A turn within a paragraph, with the observation if that is `seen`."""
    observation = f"\nObservation: {turn.observation.strip() or SILENCE}" if seen else ""
    return f"{turn.completion.strip() or SILENCE}{observation}"


def turns_as_texts(turns: Sequence[Turn]) -> tuple[str, ...]:
    """An attempt within paragraphs, one for each turn."""
    return tuple(map(turn_as_text, turns)) or (NOTHING_DONE,)


def turn_of(action: str, observation: str, thought: str = "") -> Turn:
    """A step of the world as a turn."""
    return Turn(completion=turn_text(thought, Act(thought=thought, action=action)), observation=observation)


def reminder(unreadable: Unreadable) -> str:
    """The answer to a completion without an action: what was missing, and the form that was expected."""
    missing = missing_answer(unreadable.finish, "action")
    return f"{missing}, so nothing was done. Please answer in this form:\n\n{unreadable.expected}"


def actions_with_turns(turns: Iterable[Turn]) -> tuple[tuple[str, Turn], ...]:
    """These turns with their actions, in order. A turn without an action is left out."""
    read = ((read_decision(turn.completion), turn) for turn in turns)
    return tuple((decision.action, turn) for decision, turn in read if isinstance(decision, Act))


def actions_of(turns: Iterable[Turn]) -> tuple[str, ...]:
    """The actions of these turns, in order."""
    return tuple(action for action, _ in actions_with_turns(turns))


def history_sentence(action: str, observation: str) -> str:
    """An action with what was said to it, on one line, as a `History` has it."""
    return f"{action}: {' '.join(observation.split())}"


def observed_actions(setting: str, turns: Iterable[Turn]) -> tuple[ObservedAction, ...]:
    """What was seen before each action, the setting first, with the action; turns without one are left out."""
    steps: list[ObservedAction] = []
    seen = setting
    for turn in turns:
        decision = read_decision(turn.completion)
        if isinstance(decision, Act):
            steps.append(ObservedAction(observation=seen, action=decision.action))
        seen = turn.observation
    return tuple(steps)


def _said(decision: Decision) -> list[str]:
    match decision:
        case Act(action=action):
            return [f"Action: {action}"]
        case Claim(completed=completed):
            return [f"Action: task {'completed' if completed else 'failed'}"]
        case Unreadable():
            return []
        case _:
            assert_never(decision)
