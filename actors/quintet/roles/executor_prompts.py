"""The executor's prompts: instructions, the task, the turns so far, and what is asked beyond the usual turn."""

from collections.abc import Mapping, Sequence

from quintet.errors import UsageError
from quintet.messages.execution import Decide, Execute
from quintet.messages.memory import StoredTuple
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt
from quintet.roles.conversations import MEMORY, Conversations, with_question
from quintet.roles.recollection import situation_of, words_for_turn

_COUNT = "{n}"
"""Stands in `decide.candidates` for the number of candidates."""


class ExecutorPrompts:
    """Builds prompts from requests.

    Args:
        texts: the instructions by request, and `decide.candidates`, which asks for `{n}` candidates with confidences.
        memory: about how many characters of prompts are kept.
    """

    def __init__(self, texts: Mapping[str, str], *, memory: int = MEMORY) -> None:
        self._texts = texts
        self._conversations = Conversations(memory=memory)

    def opening(self, request: Decide | Execute) -> Prompt:
        """The instructions and the task."""
        instructions = self._texts[request_name(type(request))]
        return self._conversations.opening(instructions, request.setting, request.goal, request.parts)

    def conversation(self, request: Decide) -> Prompt:
        """The opening and the turns of the history."""
        return self._conversations.after(self.opening(request), request.history)

    def question(self, request: Decide, recalled: Sequence[StoredTuple] = ()) -> Prompt:
        """The conversation, its last message with what was recalled and what is asked beyond the usual turn.

        Raises:
            UsageError: confidences are wanted, and `decide.candidates` does not ask for `{n}` candidates.
        """
        tried = "\n".join(["Tried at this point already:", *(f"- {action}" for action in request.instead_of)])
        asked = [f"{tried}\nChoose another action than these."] if request.instead_of else []
        if request.with_confidence:
            text = self._texts["decide.candidates"]
            if _COUNT not in text:
                raise UsageError(f"prompt decide.candidates: expected {_COUNT}, the number of candidates, got none")
            asked.append(text.replace(_COUNT, str(request.n)))
        return with_question(self.conversation(request), *words_for_turn(recalled, situation_of(request.parts)), *asked)
