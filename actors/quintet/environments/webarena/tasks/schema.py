"""The official schema of a task, as msgspec reads it: the 812 released tasks have no form that is not here."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from quintet.environments.webarena.addresses import SiteName

EvalType: TypeAlias = Literal["string_match", "url_match", "program_html"]
"""An evaluator. A task's reward is the product of those it names."""

UrlRule: TypeAlias = Literal["GOLD in PRED"]
"""How addresses are compared: the reference is contained in the address where the task ended."""

JudgeUse: TypeAlias = Literal["always", "unless exact", "never"]
"""When a task needs a judge. `unless exact`: for any other answer than `N/A`, whose reason is compared."""

TaskKind: TypeAlias = Literal["read", "navigate", "change", "impossible"]
"""What a task asks, as its evaluators tell: an answer, a page to end on, something that is there afterwards, or to say
that it cannot be done."""

NOT_ACHIEVABLE = "N/A"
"""The answer to a task that cannot be done."""

_Text: TypeAlias = Annotated[str, Meta(pattern=r"\S")]
_Texts: TypeAlias = Annotated[tuple[_Text, ...], Meta(min_length=1)]
_Number: TypeAlias = Annotated[int, Meta(ge=0)]


class ReferenceAnswers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an answer is compared with, by each way that is given."""

    exact_match: str | None = None
    must_include: _Texts | None = None
    fuzzy_match: _Texts | Literal["N/A"] | None = None


class RequiredContents(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a place of a page must be or contain: one of the two."""

    exact_match: str | None = None
    must_include: _Texts | None = None
    """Each of them; ` |OR| ` separates alternatives."""


class ProgramCheck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place of a page, and what it must contain."""

    url: _Text
    """An address, `last` for the page where the task ended, or `func:` and a call that gives an address."""
    locator: str
    """An expression in JavaScript, `func:` and a call that gives a text, or empty for the whole page."""
    required_contents: RequiredContents
    prep_actions: tuple[str, ...] = ()
    """Scripts that are run on the page before."""


class TaskEvaluation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a task is evaluated."""

    eval_types: Annotated[tuple[EvalType, ...], Meta(min_length=1)]
    reference_answers: ReferenceAnswers | None
    reference_url: str | None
    """Addresses with ` |OR| ` between alternatives. Task 247 has a note here, which no evaluator reads."""
    program_html: tuple[ProgramCheck, ...]
    string_note: str = ""
    """Why a task cannot be done, where its answer is `N/A`."""
    url_note: UrlRule = "GOLD in PRED"
    reference_answer_raw_annotation: str = ""
    annotation_note: str = ""


def web_task_name(task_id: int | str) -> str:
    """A task's name in runs: `webarena-17`."""
    return f"webarena-{task_id}"


class WebTask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task as published. A placeholder such as `__SHOPPING__` stands for a site's address."""

    sites: Annotated[tuple[SiteName, ...], Meta(min_length=1)]
    task_id: _Number
    require_login: bool
    storage_state: str | None
    """A file of the released set-up. Not read: accounts follow from `sites`."""
    start_url: _Text
    """Addresses with ` |AND| ` between them, each opened in a tab of its own."""
    geolocation: None
    intent_template: str
    instantiation_dict: dict[str, str | int | float | bool | list[str]]
    intent: _Text
    require_reset: bool
    eval: TaskEvaluation
    intent_template_id: _Number
    string_note: str = ""

    @property
    def name(self) -> str:
        return web_task_name(self.task_id)

    @property
    def judge(self) -> JudgeUse:
        answers = self.eval.reference_answers
        match answers.fuzzy_match if answers else None:
            case None:
                return "never"
            case "N/A":
                return "unless exact"
            case _:
                return "always"

    @property
    def kind(self) -> TaskKind:
        checks = self.eval.program_html
        if self.judge == "unless exact":
            return "impossible"
        if "string_match" in self.eval.eval_types:
            return "read"
        stays = all(check.url == "last" and not check.locator.startswith("func:") for check in checks)
        # What is checked on the last page alone is where the task led, as a map's search; with an address besides, it
        # is mostly a form.
        return "navigate" if not checks or (stays and "url_match" not in self.eval.eval_types) else "change"
