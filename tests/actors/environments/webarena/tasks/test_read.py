"""Files of tasks: what is read, and how a wrong one is named."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.tasks.read import read_tasks
from quintet.errors import UsageError
from tests.actors.environments.webarena.official import program_evaluation, task_record, write_records


def test_a_file_is_read_in_its_order(tmp_path: Path) -> None:
    file = write_records(tmp_path, task_record(9), task_record(3, string_note="a note"))
    assert [task.name for task in read_tasks(file)] == ["webarena-9", "webarena-3"]


def url_evaluation(reference: object) -> dict[str, Any]:
    return {"eval_types": ["url_match"], "reference_answers": None, "reference_url": reference}


def without(record: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != field}


def page(**check: Any) -> dict[str, Any]:
    return task_record(eval=program_evaluation(check))


def answers(**references: Any) -> dict[str, Any]:
    return task_record(eval={"reference_answers": references})


CHECK = {"url": "last", "locator": "", "required_contents": {"must_include": ["mug"]}}
WRONG: list[tuple[object, str]] = [
    (task_record(sites=[]), "sites: expected `array` of length >= 1"),
    (task_record(sites=["shop"]), "sites: expected one of shopping, shopping_admin, .*, got 'shop'"),
    (task_record(sites=["map", "map"], start_url="__MAP__"), "sites: expected each once, got map, map"),
    (task_record(start_url="__REDDIT__"), "start_url: expected __SHOPPING__ or __HOMEPAGE__ .*, got __REDDIT__"),
    (task_record(start_url="__SHOP__/x"), "start_url: expected __SHOPPING__ or .*, got __SHOP__"),
    (task_record(start_url="shop/x"), "start_url: expected an address such as __SHOPPING__/cart, got 'shop/x'"),
    (task_record(start_url="__SHOPPING__ |AND|"), "start_url: expected an address such as"),
    (task_record(geolocation={"latitude": 1}), "geolocation: expected `null`, got `object`"),
    (task_record(intent="  "), r"intent: expected `str` matching regex '\\\\S'"),
    (task_record(require_login="yes"), "require_login: expected `bool`, got `str`"),
    (task_record(difficulty=3), "difficulty: expected no such field"),
    (without(task_record(), "intent"), "intent: expected a value, got no such field"),
    (without(task_record(), "eval"), "eval: expected a value"),
    (task_record(eval={"eval_types": ["string_match", "ssim"]}), "eval.eval_types: expected one of .*'ssim'"),
    (task_record(eval={"eval_types": []}), "eval.eval_types: expected `array` of length >= 1"),
    (task_record(eval={"eval_types": ["string_match"] * 2}), "eval.eval_types: expected each once"),
    (task_record(eval={"reference_answers": None}), "eval.reference_answers: expected answers if, .* null"),
    (answers(), "eval.reference_answers: expected exact_match, .* got none"),
    (answers(fuzzy_match="n/a"), "eval.reference_answers.fuzzy_match: "),
    (answers(fuzzy_match="N/A"), "eval.string_note: expected why"),
    (answers(must_include=[]), "eval.reference_answers.must_include: "),
    (answers(includes=["x"]), "eval.reference_answers.includes: expected no"),
    (task_record(eval={"url_note": "PRED in GOLD"}), "eval.url_note: expected one of GOLD in PRED, got 'PRED"),
    (task_record(eval=url_evaluation(None)), "eval.reference_url: expected an address, .* got none"),
    (task_record(eval=url_evaluation("__SHOPPING__/a or b")), "eval.reference_url: expected an address such"),
    (task_record(eval=url_evaluation("__MAP__/a")), "eval.reference_url: expected __SHOPPING__ .*, got __MAP__"),
    (task_record(eval={"program_html": [CHECK]}), "eval.program_html: expected checks if, and only if"),
    (task_record(eval=program_evaluation()), "eval.program_html: expected checks if, and only if"),
    (page(url="first"), r"eval.program_html\[0\].url: expected an address such"),
    (page(url="func:get_url()"), r"eval.program_html\[0\].url: expected one of"),
    (page(locator="#x"), r"eval.program_html\[0\].locator: expected an express"),
    (page(locator="func:__import__('os')"), r"eval.program_html\[0\].locator: expected one of .*, got __import__"),
    (
        page(required_contents={"exact_match": "", "must_include": ["x"]}),
        r"eval.program_html\[0\].required_contents: expected one of exact_match and must_include",
    ),
    (page(required_contents={"fuzzy_match": ["x"]}), r".*required_contents.fuzzy_match: expected no such field"),
    ({"task_id": "x"}, "task_id: |sites: expected a value"),
    (17, "expected `object`, got `int`"),
    (None, "expected `object`, got `null`"),
]


@pytest.mark.parametrize(("record", "expected"), WRONG, ids=[expected[:60] for _, expected in WRONG])
def test_a_wrong_task_is_named_by_its_id_and_the_field(record: object, expected: str, tmp_path: Path) -> None:
    file = write_records(tmp_path, record)
    with pytest.raises(UsageError) as error:
        read_tasks(file)
    name = "task 17" if isinstance(record, dict) and record["task_id"] == 17 else "task at place 1"
    assert re.match(f"{name}: (?:{expected})", str(error.value)), error.value
    assert str(error.value).endswith(f"({file})")


def test_two_tasks_of_one_id_are_refused(tmp_path: Path) -> None:
    file = write_records(tmp_path, task_record(3), task_record(3))
    with pytest.raises(UsageError, match=r"^task 3: expected an id of its own, got that of another task"):
        read_tasks(file)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "tasks: expected a JSON list of tasks, got "),
        (b"[]", "tasks: expected at least one task, got none"),
        (b'{"task_id": 1}', "tasks: expected a JSON list of tasks, got a JSON object"),
        (b"[" * 10_000, "tasks: expected a JSON list of tasks, got "),
        (b'[{"task_id": 1, "intent": "\xff"}]', "task at place 1: |task 1: |tasks: expected a JSON list"),
    ],
)
def test_a_file_that_is_no_list_of_tasks_is_refused(content: bytes, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=f"^(?:{expected})"):
        read_tasks(file)


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^tasks: expected a file, got none"):
        read_tasks(tmp_path / "none.json")
    with pytest.raises(UsageError, match=r"^tasks: expected a file that can be read, got "):
        read_tasks(tmp_path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = [(field,) for field in task_record()] + [("eval", field) for field in task_record()["eval"]]


@given(place=st.sampled_from(PLACES), value=JSON)
def test_any_value_in_any_field_is_read_or_named(place: tuple[str, ...], value: object, tmp_path_factory: Any) -> None:
    record = task_record()
    *outer, field = place
    within = record["eval"] if outer else record
    within[field] = value
    file = write_records(tmp_path_factory.getbasetemp(), record)
    said = ""
    try:
        assert len(read_tasks(file)) == 1
    except UsageError as error:
        said = str(error)
    assert not said or re.match(r"task (?:-?\d+|at place 1): \w", said)
