"""Our own tasks: each has a walk that ends with an answer that its evaluators take."""

from collections import Counter

from quintet.environments.webarena.evaluators.evaluate import answer_holds, answers_to_grade
from quintet.environments.webarena.evaluators.strings import is_exact
from quintet.environments.webarena.tasks.library import open_library
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE
from quintet.environments.webarena.tasks.walks import WalkStop

LIBRARY = open_library(None)


def test_there_are_ninety_of_all_kinds_and_few_need_a_judge_of_meaning() -> None:
    kinds = Counter(task.kind for task in LIBRARY.tasks.values())
    assert kinds == {"read": 36, "navigate": 19, "change": 25, "impossible": 10}
    assert Counter(task.judge for task in LIBRARY.tasks.values())["always"] <= 5


def test_each_has_a_walk_whose_answer_holds() -> None:
    assert LIBRARY.walks.keys() == LIBRARY.tasks.keys()
    for name, task in LIBRARY.tasks.items():
        last = LIBRARY.walks[name][-1]
        assert isinstance(last, WalkStop)
        references = task.eval.reference_answers
        assert references is None or answer_holds(references, last.answer), name
        assert bool(answers_to_grade(task, last.answer)) == (task.judge == "always"), name
        assert is_exact(NOT_ACHIEVABLE, last.answer) == (task.kind == "impossible"), name


def test_no_two_tasks_ask_the_same() -> None:
    asked = Counter((task.intent, task.start_url) for task in LIBRARY.tasks.values())
    assert [each for each, count in asked.items() if count > 1] == []
