import pytest

from quintet.environments.options import check_choice, check_positive
from quintet.errors import UsageError


def test_a_value_of_those_there_are_is_taken_and_another_is_refused_with_them() -> None:
    check_choice("text", "gym", ("client", "gym"), "webshop")
    check_choice("dialect", None, (None, "new"), "alfworld")
    with pytest.raises(UsageError, match=r"^text: expected one of client, gym, got 'web' \(webshop\)$"):
        check_choice("text", "web", ("client", "gym"), "webshop")


@pytest.mark.parametrize("given", [0, -3])
def test_a_count_below_one_is_refused(given: int) -> None:
    check_positive("max_steps", 1, "webshop")
    check_positive("max_steps", None, "webshop")
    with pytest.raises(UsageError, match=rf"^max_steps: expected >= 1, got {given} \(webshop\)$"):
        check_positive("max_steps", given, "webshop")
