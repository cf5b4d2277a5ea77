import pytest

from quintet.environments.webarena.progress import WebStep, stop_reason


def _steps(*actions: str, page: str = "http://shop.test/") -> list[WebStep]:
    return [WebStep(action, page) for action in actions]


def _different(number: int) -> list[WebStep]:
    return _steps(*(f"click [{each}]" for each in range(number)))


def test_the_thirtieth_step_is_the_last_by_default() -> None:
    assert stop_reason([]) == stop_reason(_different(29)) == stop_reason(_different(30), 31) == ""
    assert stop_reason(_different(30)) == "30 steps were taken"
    assert stop_reason(_different(5), 5) == "5 steps were taken"


def test_three_unreadable_answers_in_a_row_end_the_session() -> None:
    assert stop_reason(_steps("hm", "what")) == stop_reason(_steps("hm", "click [1]", "what", "eh")) == ""
    assert stop_reason(_steps("click [1]", "hm", "what", "eh")) == "three actions in a row could not be read"


@pytest.mark.parametrize("action", ["click [3]", "scroll [down]", "go_back", "new_tab"])
def test_three_equal_actions_in_a_row_end_the_session(action: str) -> None:
    assert stop_reason(_steps(action, action)) == ""
    assert stop_reason(_steps(action, "hover [9]", action, action)) == ""
    assert stop_reason(_steps("hover [9]", action, f"```{action}```", action)) == "the same action three times in a row"


def test_a_number_on_another_page_is_another_element_and_going_back_is_the_same_on_every_page() -> None:
    for action, reason in (("click [3]", ""), ("go_back", "the same action three times in a row")):
        assert stop_reason([WebStep(action, f"http://shop.test/{page}") for page in range(3)]) == reason


def test_typing_the_same_three_times_ends_the_session_wherever_it_stands() -> None:
    typed = "type [3] [blue mug] [1]"
    steps = _steps(typed, "click [1]", "type [3] [blue mug]", "click [2]", typed)
    assert stop_reason(steps) == "the same text was typed three times"
    assert stop_reason(steps[:-1]) == ""
    assert stop_reason([*steps, WebStep("click [3]", "")]) == ""
    assert stop_reason(_steps(typed, "type [3] [red mug] [1]", "type [3] [blue mug] [0]")) == ""
