"""The package's tasks as the world has them, and the evaluation of one that ended."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import structs

from quintet.environments.webarena.addresses import ALL_OF, SiteAddresses
from quintet.environments.webarena.evaluators.evaluate import WebVerdict
from quintet.environments.webarena.tasks.library import TaskLibrary
from quintet.environments.webarena.tasks.read import read_tasks
from quintet.environments.webarena.tasks.schema import JudgeUse, TaskKind, WebTask, web_task_name
from quintet.environments.webarena.verified.package import (
    VerifiedRecord,
    VerifiedType,
    evaluate_verified,
    hard_ids,
    released_file,
    verified_records,
)

_KINDS: Final[Mapping[VerifiedType, TaskKind]] = {"retrieve": "read", "navigate": "navigate", "mutate": "change"}
ANSWER_FORM: Final = (
    'The answer in `stop [...]` is JSON: {"task_type": ..., "status": ..., "retrieved_data": ...}. task_type is '
    "RETRIEVE if data is asked for, NAVIGATE if a page is to be shown, MUTATE if something is to be changed. status is "
    "SUCCESS, or else NOT_FOUND_ERROR, PERMISSION_DENIED_ERROR, ACTION_NOT_ALLOWED_ERROR, DATA_VALIDATION_ERROR or "
    "UNKNOWN_ERROR. retrieved_data is a list of what was asked for, or null"
)
"""What a task says besides, so that every method is told of it."""


class VerifiedTask(WebTask, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task of the package. Its `eval` is the released one, which is not asked."""

    asks: TaskKind

    @property
    def judge(self) -> JudgeUse:
        return "never"

    @property
    def kind(self) -> TaskKind:
        return self.asks


def verified_library() -> TaskLibrary:
    """The 812 tasks of the package, and its hard ones as the split `hard`."""
    records = verified_records()
    tasks = [_verified(task, records[task.task_id]) for task in read_tasks(released_file())]
    return TaskLibrary(tasks, further={"hard": tuple(map(web_task_name, hard_ids()))})


def evaluate_by_package(
    task: WebTask, answer: str, trace: Sequence[Mapping[str, Any]], addresses: SiteAddresses
) -> WebVerdict:
    """1 if all of the package's evaluators hold, of the answer and of what was sent; no judge is asked.

    An evaluator that errs does not hold, as in the package.

    Args:
        trace: the session's requests, as entries of a HAR.
    """
    found = evaluate_verified(task.task_id, answer, trace, addresses)
    return WebVerdict(holds=all(each.holds for each in found))


def _verified(task: WebTask, record: VerifiedRecord) -> VerifiedTask:
    kind = _KINDS[record.answer.task_type] if record.answer.status == "SUCCESS" else "impossible"
    fields: dict[str, Any] = structs.asdict(task) | {
        "intent": f"{record.intent.strip().rstrip('.')}. {ANSWER_FORM}",
        "intent_template": record.intent_template,
        "instantiation_dict": record.instantiation_dict,
        "intent_template_id": record.intent_template_id,
        "start_url": ALL_OF.join(record.start_urls),
    }
    return VerifiedTask(**fields, asks=kind)
