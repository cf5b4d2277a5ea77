"""What the prompts of HotpotQA show can be done in it, and is answered as they say."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quintet.environments.hotpotqa.session import HotpotQaState, parse_reader_action
from quintet.environments.hotpotqa.shipped.encyclopedia import shipped_pages, shipped_questions
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.messages.environment import Task
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, required_prompts, worlds_of
from quintet.roles.turn_text import as_sentence

FOLDER = Path(str(HotpotQa.prompt_folder))
EXAMPLES = ("demonstrations", "skills")
CLAIMS = ("task completed", "task failed")
WHOLE = re.compile(r'answer the question "[^"]+\?"')
PART = re.compile(r"find the page of \S.*|find out: \S.*\?")

_TURN = re.compile(r"^Action: (.+)(?:\nObservation: (.+))?$", re.MULTILINE)
_HANDED = re.compile(r"^The last action that was carried out: (.+)\nIt was answered: (.+)$", re.MULTILINE)
_GOAL = re.compile(r"^Goal: (.+?)\.?$", re.MULTILINE)


def text_of(name: str) -> str:
    return (FOLDER / "react" / f"{name}.txt").read_text()


def goals() -> Iterator[tuple[str, str, str]]:
    """Of every worked example: what was handed on before it, its goal, and its turns."""
    for name in EXAMPLES:
        before, *parts = _GOAL.split(text_of(name))
        for goal, shown in zip(parts[::2], parts[1::2], strict=True):
            turns, *handed = shown.split("\nThe last action that was carried out: ")
            yield before, goal, turns
            before = "".join(f"The last action that was carried out: {each}" for each in handed)


@pytest.fixture(scope="module")
def opened() -> HotpotQaState:
    world = HotpotQa()
    return world.open(Task(name=world.tasks("train")[0], seed=0))


def test_every_worked_example_is_what_the_world_answers(opened: HotpotQaState) -> None:
    played = 0
    for before, goal, shown in goals():
        state, read, done = opened.fork(), "", False
        for action, said in [*_HANDED.findall(before), *_TURN.findall(shown)]:
            if action in CLAIMS:
                continue
            assert parse_reader_action(action) is not None
            outcome = state.step(action)
            if said:
                assert outcome.observation == said, (goal, action)
                read += f"{said}\n"
            else:
                answer = re.fullmatch(r"finish\[(.+)\]", action)
                assert answer
                assert answer[1] in {"yes", "no"} or answer[1] in read, goal
            played, done = played + 1, outcome.done
        assert done == bool(WHOLE.fullmatch(goal)), goal
    assert played > 30


def test_a_whole_question_ends_with_an_answer_and_a_part_of_one_with_a_claim() -> None:
    texts = "\n".join(map(text_of, EXAMPLES))
    for _, goal, shown in goals():
        assert f"Goal: {as_sentence(goal)}\n" in texts
        *_, (last, _) = _TURN.findall(shown)
        assert last.startswith("finish[") if WHOLE.fullmatch(goal) else last in CLAIMS and PART.fullmatch(goal), goal
    assert text_of("demonstrations").count("\nGoal: answer the question ") == 6


def test_no_question_is_about_what_the_worked_examples_read() -> None:
    pages = {page.title for page in shipped_pages()}
    read = {title for name in EXAMPLES for title in re.findall(r"search\[(.+?)\]", text_of(name))} & pages
    asked = {fact.title for split in shipped_questions().values() for question in split for fact in question.facts}
    assert len(read) > 10
    assert read & asked == set()


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("*.txt")), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_action_that_is_shown_has_a_form_of_the_worlds(file: Path) -> None:
    shown = {action for action, _ in _TURN.findall(file.read_text()) if action not in CLAIMS}
    forms = set(re.findall(r"^- ((?:search|lookup|finish)\[<\w+>\])", file.read_text(), re.MULTILINE))
    assert all(parse_reader_action(action) for action in shown | forms if "action" not in action)
    assert len(forms) in {0, 3}


@pytest.mark.parametrize("name", [*catalogue.names("method")])
def test_every_method_acts_here_by_a_text_for_each_of_its_requests(name: str) -> None:
    method = catalogue.method(name)
    assert "hotpotqa" in worlds_of(method)
    prompts = find_prompts(method, "hotpotqa")
    assert all(prompts.text(each) for each in required_prompts(method))


def test_skills_say_nothing_of_what_a_method_does_after_a_failure() -> None:
    _, failed, *_ = text_of("skills").splitlines()
    assert failed == "- task failed: say it where what you have read does not answer the question."
