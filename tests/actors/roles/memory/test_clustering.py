"""Texts are sorted into types: what an answer forgets, and lists of several prompts."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.memory import Formed
from quintet.ports.model import Sampling
from quintet.roles.asking import Asker
from quintet.roles.memory.clustering import Clustering, Types
from quintet.roles.role_model import RoleModel
from tests.actors.fakes import Answering, contents, converse
from tests.actors.roles.memory.memories import FORM, GOALS, SEEN, Answer, Memories, answering, kind


@pytest.mark.parametrize(
    ("answers", "expected", "types"),
    [
        (
            ("High-level Type1: a [1]\nHigh-level Type2: b [3]", GOALS),
            Formed(tuples=5, goal_types=2, observation_types=3, asked_again=1),
            [1, 1, 2],
        ),
        (
            ("High-level Type1: a [1, 3]\nHigh-level Type2: b [9]",) * 2,
            Formed(tuples=5, goal_types=1, observation_types=2, asked_again=1, unassigned=1, invented=2),
            [1, 1, 1],
        ),
        (
            ("High-level Type1: a [1]", "No idea."),
            Formed(tuples=5, goal_types=1, observation_types=2, asked_again=1, unassigned=2),
            [1, 1, 1],
        ),
        (
            ("No idea.",) * 2,
            Formed(tuples=5, goal_types=1, observation_types=2, asked_again=1, unassigned=3),
            [1, 1, 1],
        ),
    ],
)
def test_goals_that_an_answer_forgets_or_invents_are_asked_for_once_more_and_counted(
    answers: Sequence[str], expected: Formed, types: list[int]
) -> None:
    seen = SEEN if expected.goal_types == 2 else "High-level Type1: rooms [1, 4]\nHigh-level Type2: things [2, 3]"
    memories = Memories(answering(*answers, seen))
    assert memories.answer(FORM) == expected
    of = {row.tuple.goal: row.tuple.goal_type for row in memories.store.of(1, 1)}
    assert [of[each.goal] for each in FORM.trajectories] == types


def test_the_second_time_says_what_was_forgotten() -> None:
    memories = Memories(answering("High-level Type1: a [1]", GOALS, SEEN))
    memories.answer(FORM)
    (again,) = [prompt for prompt in memories.prompts if kind(prompt) == "High-level Type1:" and len(prompt) == 4]
    assert again[1] == "user: Goals:\n\n1. cool a mug\n2. cool a pan\n3. find a lamp"
    assert again[2] == "assistant: High-level Type1: a [1]"
    assert again[3].startswith("user: These numbers are in no type: 2, 3. Write all types again")


def listed(said: list[str]) -> list[str]:
    """The items of a prompt."""
    return re.findall(r"^\d+\. (.*)$", said[1], re.MULTILINE)


def sort(texts: Sequence[str], answer: Answer) -> tuple[Types, list[list[str]]]:
    model = Answering(answer)
    clustering = Clustering(Asker(RoleModel(model, Sampling()), {"form": "Sort them."}))
    types = converse(lambda: clustering.types(texts, "Texts:", observations=False))
    return types, [contents(prompt) for prompt in model.prompts]


def by_first_letter(said: list[str]) -> str:
    letters: dict[str, list[str]] = {}
    for number, item in enumerate(listed(said), 1):
        letters.setdefault(item[0], []).append(str(number))
    return "\n".join(
        f"High-level Type{at}: {letter} things [{', '.join(numbers)}]"
        for at, (letter, numbers) in enumerate(letters.items(), 1)
    )


def test_equal_texts_are_listed_once_and_lines_are_joined() -> None:
    types, prompts = sort(["an egg", "a\n  mug", "an egg", "bread"], by_first_letter)
    assert prompts == [["system: Sort them.", "user: Texts:\n\n1. an egg\n2. a mug\n3. bread"]]
    assert types == Types(names=("a things", "b things"), of={"an egg": 1, "a\n  mug": 1, "bread": 2})


def test_a_single_text_is_a_type_without_a_question() -> None:
    assert sort(["an egg"] * 3, by_first_letter) == (Types(names=("an egg",), of={"an egg": 1}), [])


def test_a_list_that_is_too_long_is_sorted_in_chunks_whose_types_become_one_list() -> None:
    texts = [f"{'abc'[number % 3]}{number} {'x' * 300}" for number in range(240)]
    types, prompts = sort(texts, by_first_letter)
    assert len(prompts) > 3
    assert sorted(item for said in prompts[:-1] for item in listed(said)) == sorted(texts)
    sizes = [len(listed(said)) for said in prompts[:-1]]
    assert max(sizes) - min(sizes) <= 2
    assert types.names == ("a things", "b things", "c things")
    assert {types.names[number - 1][0] for text, number in types.of.items() if text.startswith("b")} == {"b"}
    assert set(types.of) == set(texts)


def test_names_of_chunks_that_differ_are_sorted_in_the_same_way() -> None:
    texts = [f"{number:03} {'x' * 300}" for number in range(100)]

    def answer(said: list[str]) -> str:
        items = listed(said)
        if items[0].startswith("kind"):
            assert len(items) == 2
            return "High-level Type1: numbers [1, 2]"
        return f"High-level Type1: kind {items[0][:3]} [1-{len(items)}]"

    types, prompts = sort(texts, answer)
    assert len(prompts) == 3
    assert types == Types(names=("numbers",), of=dict.fromkeys(texts, 1))


def test_a_model_that_makes_every_text_a_type_comes_to_an_end() -> None:
    texts = [f"{number:03} {'x' * 300}" for number in range(200)]

    def answer(said: list[str]) -> str:
        return "\n".join(f"Type{at}: {item[:180]} [{at}]" for at, item in enumerate(listed(said), 1))

    types, _ = sort(texts, answer)
    assert len(types.names) == 200


@given(
    st.lists(st.text("ab \n1", max_size=12), max_size=9),
    st.lists(st.lists(st.tuples(st.text("xy [", max_size=4), st.lists(st.integers(0, 12), max_size=9)), max_size=4)),
)
def test_whatever_is_answered_every_text_has_a_type(
    texts: list[str], answers: list[list[tuple[str, list[int]]]]
) -> None:
    left, no_types = iter(answers), list[tuple[str, list[int]]]()

    def answer(_said: list[str]) -> str:
        return "\n".join(f"High-level Type: {name} {numbers}" for name, numbers in next(left, no_types))

    types, prompts = sort(texts, answer)
    assert set(types.of) == set(texts)
    assert set(types.of.values()) == set(range(1, len(types.names) + 1))
    assert all(types.names)
    assert len(prompts) <= 2
