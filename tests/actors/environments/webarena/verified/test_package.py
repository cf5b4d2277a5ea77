import pytest

from quintet.environments.webarena.verified.package import (
    evaluate_verified,
    hard_ids,
    verified_records,
)
from tests.actors.environments.webarena.verified.ends import ADDRESSES
from tests.actors.environments.webarena.verified.installed import needs_package, old_idna

TODOS = 44
DONE = {"task_type": "NAVIGATE", "status": "SUCCESS", "retrieved_data": None}


def page(url: str) -> dict[str, object]:
    request = {"url": url, "method": "GET", "headers": [{"name": "accept", "value": "text/html"}]}
    return {"request": request, "response": {"status": 200, "headers": [], "redirectURL": ""}}


@needs_package
def test_it_has_812_tasks_with_one_answer_each_and_258_hard_ones() -> None:
    records = verified_records()
    assert (len(records), len(hard_ids())) == (812, 258)
    assert set(hard_ids()) < records.keys()
    assert records[TODOS].answer.task_type == "navigate"
    assert {record.answer.task_type for record in records.values()} == {"retrieve", "navigate", "mutate"}


@needs_package
@old_idna
@pytest.mark.parametrize(
    ("answer", "url", "statuses"),
    [
        (DONE, "http://gitlab.com/dashboard/todos", ["success", "success"]),
        (DONE, "http://gitlab.com/dashboard", ["success", "failure"]),
        ({**DONE, "status": "NOT_FOUND_ERROR"}, "http://gitlab.com/dashboard/todos", ["failure", "success"]),
        ("It is open.", "http://gitlab.com/dashboard/todos", ["failure", "success"]),
        ({**DONE, "status": 3}, "http://gitlab.com/dashboard/todos", ["error", "success"]),
    ],
)
def test_each_evaluator_says_whether_it_holds(answer: object, url: str, statuses: list[str]) -> None:
    found = evaluate_verified(TODOS, answer, [page(url)], ADDRESSES)
    assert [each.status for each in found] == statuses
    assert [each.evaluator for each in found] == ["AgentResponseEvaluator", "NetworkEventEvaluator"]
