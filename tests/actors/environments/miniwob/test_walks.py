import pytest

from quintet.environments.miniwob.tasks import WITH_FEEDBACK, WITHOUT_FEEDBACK
from quintet.environments.miniwob.walks import WALKED, next_action

LOGIN = 'Enter the username "ada" and the password "x]1" into the text fields and press login.'
PAGE = """Tab 0 (current): Login

[1] RootWebArea 'Login' focused: True
	[9] textbox '' required: False
	[14] textbox '' required: False
	[17] button 'Login'
URL: http://miniwob/miniwob/login-user.html"""


@pytest.mark.parametrize(
    ("done", "then"),
    [
        ((), "type [9] [ada] [0]"),
        (("type [9] [ada] [0]",), "type [14] [x]1] [0]"),
        (("type [9] [ada] [0]", "press [Tab]", "dance", "type [14] [x]1] [0]"), "click [17]"),
    ],
)
def test_a_walk_goes_on_after_what_was_done_of_it(done: tuple[str, ...], then: str) -> None:
    assert next_action("login-user", LOGIN, done, PAGE) == (then,)


@pytest.mark.parametrize(
    ("task", "goal", "page"),
    [
        ("click-pie", LOGIN, PAGE),
        ("login-user", "Do something else.", PAGE),
        ("login-user", LOGIN, "expected one of the actions"),
    ],
)
def test_there_is_no_way_without_a_walk_or_where_the_page_does_not_show_it(task: str, goal: str, page: str) -> None:
    assert next_action(task, goal, (), page) is None


def test_a_walk_that_was_walked_has_nothing_left() -> None:
    done = ("type [9] [ada] [0]", "type [14] [x]1] [0]", "click [17]")
    assert next_action("login-user", LOGIN, done, PAGE) is None


def test_at_least_ten_tasks_of_adaplanners_table_have_one() -> None:
    assert len(set(WALKED) & {*WITH_FEEDBACK, *WITHOUT_FEEDBACK}) >= 10
