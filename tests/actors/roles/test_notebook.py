"""Notes are recalled where a task or a subtask begins, handed on to what it asks, and shown before the task."""

import asyncio

from msgspec.structs import replace

from quintet.messages.memory import NotesRecalled, RecallNotes
from quintet.messages.message import ReplyT, Request
from quintet.messages.notes import Note, StoredNote
from quintet.messages.parts import Notebook, PromptPart, SectionRecall, TaskPlan
from quintet.ports.roles import Roles
from quintet.roles.conversations import Conversations
from quintet.roles.recollection import with_notes
from tests.actors.fakes import GOAL, SETTING, contents

SALT = Note(title="Salt", description="Where it is.", text="It stands in the jar.\n\nAlways.", task_type="cook")
PART = Notebook(version=2, notes=3, sections=(SectionRecall(retrieval="lexical", most=2),), budget=99, seed=4)


class _Memory(Roles):
    def __init__(self) -> None:
        self.asked: list[RecallNotes] = []

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        assert isinstance(request, RecallNotes)
        self.asked.append(request)
        return NotesRecalled(notes=(StoredNote(id=1, note=SALT),))  # type: ignore[return-value]


def _recalled(memory: _Memory, part: Notebook, *goals: str) -> Notebook:
    async def work() -> Notebook:
        found = part
        for goal in goals:
            found = await with_notes(memory, found, goal, "cook")
        return found

    return asyncio.run(work())


def test_the_nearest_notes_are_recalled_for_every_goal_and_once_for_the_same() -> None:
    memory = _Memory()
    found = _recalled(memory, PART, "bake", "bake", "boil")
    assert (found.goal, found.recalled) == ("boil", (SALT,))
    expected = RecallNotes(version=2, goal="bake", task_type="cook", retrieval="lexical", most=2, budget=99, seed=4)
    assert memory.asked == [expected, replace(expected, goal="boil")]


def test_what_is_the_same_for_all_goals_is_recalled_once() -> None:
    for retrieval in ("all", "type", "best"):
        memory = _Memory()
        _recalled(memory, replace(PART, sections=(SectionRecall(retrieval=retrieval),)), "bake", "boil")
        assert [each.goal for each in memory.asked] == ["bake"], retrieval


def test_sections_are_recalled_in_order_and_each_has_what_those_before_left_of_the_budget() -> None:
    memory = _Memory()
    sections = (SectionRecall(section="insights"), SectionRecall(section="examples", retrieval="embedding", most=1))
    found = _recalled(memory, replace(PART, sections=sections), "bake", "boil")
    assert found.recalled == (SALT, SALT)
    asked = [(each.goal, each.section, each.retrieval, each.most, each.budget) for each in memory.asked]
    left = 99 - SALT.size
    assert asked == [
        (goal, *each)
        for goal in ("bake", "boil")
        for each in (("insights", "all", None, 99), ("examples", "embedding", 1, left))
    ]


def test_only_sections_that_differ_from_task_to_task_are_shuffled() -> None:
    memory = _Memory()
    sections = (SectionRecall(section="insights"), SectionRecall(section="examples", retrieval="embedding"))
    for control in ("shuffled", "random"):
        _recalled(memory, replace(PART, sections=sections, control=control), "bake")
    assert [each.control for each in memory.asked] == ["none", "shuffled", "random", "random"]


def test_an_empty_notebook_is_not_asked() -> None:
    memory = _Memory()
    assert _recalled(memory, replace(PART, notes=0), "bake").recalled == ()
    assert memory.asked == []


def test_notes_stand_before_the_task_a_paragraph_each_and_nothing_stands_there_without_any() -> None:
    conversations = Conversations()
    plain = conversations.opening("Act.", SETTING, GOAL)
    assert conversations.opening("Act.", SETTING, GOAL, [PART]) is plain
    parts: list[PromptPart] = [TaskPlan(text="1. Look."), replace(PART, recalled=(SALT, Note(text="Look around.")))]
    system, task = contents(conversations.opening("Act.", SETTING, GOAL, parts))
    assert system == (
        "system: Act.\n\nA plan for tasks of this kind:\n\n1. Look.\n\nWhat was learnt from other tasks:\n\n"
        "## Salt\nWhere it is.\nIt stands in the jar.\nAlways.\n\nLook around."
    )
    assert task == contents(plain)[1]
