"""The reflector role: looks back on jobs and trials, judges states and steps, chooses between attempts."""

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from quintet.messages.reflection import (
    Align,
    Aligned,
    AlignFailed,
    ChoiceFailed,
    Choose,
    Chosen,
    Compare,
    Compared,
    ComparisonFailed,
    Condense,
    Condensed,
    CondenseFailed,
    Judge,
    Judged,
    JudgeFailed,
    LookBack,
    LookBackFailed,
    LookedBack,
    Reflect,
    Reflected,
    ReflectionFailed,
    ReflectorRequest,
    Value,
    Valued,
    ValueFailed,
)
from quintet.roles.alignment import align
from quintet.roles.comparison import compare_processes
from quintet.roles.condensation import condense
from quintet.roles.conversations import Conversations
from quintet.roles.judgement import judge
from quintet.roles.look_back import look_back
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel
from quintet.roles.sir import SirReflection
from quintet.roles.verdicts import Verdicts


class Reflector:
    """Reflects with one model call per part or sample, or two: it asks once more for what it cannot read.

    Keeps nothing between requests but prompts, which are the same when they are built anew. `deploy/` decides where it
    runs.

    Args:
        model: may be another one than the executor's.
        prompts: by name; only those of the requests that are asked are needed.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._prompts = prompts
        self._sir = SirReflection(model, prompts)
        self._conversations = Conversations()
        self._verdicts = Verdicts(model, prompts, self._conversations)

    async def receive(
        self, request: ReflectorRequest
    ) -> (
        Reflected
        | ReflectionFailed
        | LookedBack
        | LookBackFailed
        | Valued
        | ValueFailed
        | Chosen
        | ChoiceFailed
        | Compared
        | ComparisonFailed
        | Aligned
        | AlignFailed
        | Judged
        | JudgeFailed
        | Condensed
        | CondenseFailed
    ):
        match request:
            case Reflect():
                return await self._sir.reflect(request)
            case LookBack():
                return await look_back(self._model, self._prompts, self._conversations, request)
            case Value():
                return await self._verdicts.value(request)
            case Choose():
                return await self._verdicts.choose(request)
            case Compare():
                return await compare_processes(self._model, self._prompts, request)
            case Align():
                return await align(self._model, self._prompts, self._conversations, request)
            case Judge():
                return await judge(self._model, self._prompts, self._conversations, request)
            case Condense():
                return await condense(self._model, self._prompts, request)
            case _:
                assert_never(request)


def _start(parts: ActorParts) -> Reflector:
    return Reflector(parts.model(), parts.prompts)


REFLECTOR_ROLE = Role(
    name="reflector",
    requests={
        Reflect: ("reflect", "reflect.summary", "reflect.flaw", "reflect.revision"),
        LookBack: ("look_back",),
        Value: ("value",),
        Choose: ("choose",),
        Compare: ("compare",),
        Align: ("align",),
        Judge: ("judge", "judge.step"),
        Condense: ("condense",),
    },
    start=_start,
    completion_tokens=2_048,
    prompts=Path(__file__).parent / "prompts" / "reflector",
)
