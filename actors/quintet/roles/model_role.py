"""Model roles that a method names itself: each continues any conversation, after instructions if it has any."""

from msgspec.structs import replace

from quintet.messages.completion import Complete, Completed
from quintet.messages.prompts import Prompt, system
from quintet.parsing.answers import without_reasoning
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel

_COMPLETION_TOKENS = 1_024


class Completer:
    """Continues a conversation, after `instructions` of the system, with one model call. Keeps nothing between them."""

    def __init__(self, model: RoleModel, instructions: str = "") -> None:
        self._model = model
        self._opening = Prompt(system(instructions)) if instructions else Prompt()

    async def receive(self, request: Complete) -> Completed:
        sampling = self._model.sampling.overridden(request.sampling)
        if request.stop:
            sampling = replace(sampling, stop=request.stop)
        completion = await self._model.complete(self._opening.extend(*request.messages), sampling, request)
        return Completed(text=without_reasoning(completion.text), finish=completion.finish, usage=completion.usage)


def model_role(name: str, *, completion_tokens: int = _COMPLETION_TOKENS) -> Role:
    """A role that answers `Complete(role=NAME)`: `roles = (model_role("critic"),)` in a method.

    Its model is `[model.NAME]`, its instructions are the prompt `NAME` if there is one, and its hosts on Ray are
    `[runtime.roles.NAME]`.

    Args:
        name: of lower-case letters, digits and `_`; none of our roles'.
        completion_tokens: the longest completion, unless `model.NAME.max_tokens` says otherwise.

    Raises:
        UsageError: it is no such name.
    """

    def start(parts: ActorParts) -> Completer:
        return Completer(parts.model(), parts.prompts.get(name, ""))

    return Role(
        name=name,
        requests={Complete: ()},
        start=start,
        completion_tokens=completion_tokens,
        optional_prompts=(name,),
    )
