"""The executor's prompts: instructions, the task, the turns so far, and what is asked beyond the usual turn."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from typing import Final

from quintet.errors import UsageError
from quintet.messages.execution import Decide, Execute
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt, system, user
from quintet.roles.opening import by_place, paragraphs
from quintet.roles.turn_text import as_messages

_COUNT = "{n}"
"""Stands in `decide.candidates` for the number of candidates."""

MEMORY: Final = 32 * 2**20
"""Characters of the prompts that an executor keeps."""
_AROUND_A_PROMPT = 1_000
"""What a kept prompt takes beside its text, in characters."""


class ExecutorPrompts:
    """Builds prompts from requests. The prompts of the latest requests are kept, so that a longer history costs only
    its new turns.

    Args:
        texts: the instructions by request, and `decide.candidates`, which asks for `{n}` candidates with confidences.
        memory: about how many characters of prompts are kept.
    """

    def __init__(self, texts: Mapping[str, str], *, memory: int = MEMORY) -> None:
        self._texts = texts
        self._kept: OrderedDict[Hashable, tuple[Prompt, int]] = OrderedDict()
        self._free = memory

    def opening(self, request: Decide | Execute) -> Prompt:
        """The instructions and the task."""
        before, beside = by_place(request.parts)
        above = paragraphs(self._texts[request_name(type(request))], *before)
        task = paragraphs(request.setting, *beside, f"Goal: {request.goal}.")
        if kept := self._known((above, task)):
            return kept
        return self._keep((above, task), Prompt(system(above), user(task)))

    def conversation(self, request: Decide) -> Prompt:
        """The opening and the turns of the history."""
        prompt = self.opening(request)
        for turn in request.history:
            prompt = self._known((prompt, turn)) or self._keep((prompt, turn), prompt.extend(*as_messages(turn)))
        return prompt

    def question(self, request: Decide) -> Prompt:
        """The conversation, its last message with what is asked beyond the usual turn.

        Raises:
            UsageError: confidences are wanted, and `decide.candidates` does not ask for `{n}` candidates.
        """
        prompt = self.conversation(request)
        tried = "\n".join(["Tried at this point already:", *(f"- {action}" for action in request.instead_of)])
        asked = [f"{tried}\nChoose another action than these."] if request.instead_of else []
        if request.with_confidence:
            text = self._texts["decide.candidates"]
            if _COUNT not in text:
                raise UsageError(f"prompt decide.candidates: expected {_COUNT}, the number of candidates, got none")
            asked.append(text.replace(_COUNT, str(request.n)))
        return prompt.reworded(paragraphs(prompt.node.appended[-1].content, *asked)) if asked else prompt

    def _known(self, key: Hashable) -> Prompt | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return kept[0]

    def _keep(self, key: Hashable, prompt: Prompt) -> Prompt:
        size = _AROUND_A_PROMPT + sum(len(message.content) for message in prompt.node.appended)
        self._kept[key] = prompt, size
        self._free -= size
        while self._free < 0:
            _, (_, freed) = self._kept.popitem(last=False)
            self._free += freed
        return prompt
