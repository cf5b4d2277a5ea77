"""The calculator."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.sites.homepage.arithmetic import calculate


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1+2*3", "7"),
        ("(1 + 2) * 3", "9"),
        ("10/4", "2.5"),
        ("--3", "3"),
        ("0.1+0.2", "0.3"),
        ("1/3", "0.333333"),
        ("2-2", "0"),
        ("1200", "1200"),
    ],
)
def test_sums(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("1/0", "A division by zero has no value."),
        ("2+", "A number is missing."),
        ("(1", "A bracket is not closed."),
        ("1 2", "A bracket or an operator is missing."),
        ("import os", "Expected numbers, + - * / and brackets, at most 200 characters."),
        ("1+" * 200 + "1", "Expected numbers, + - * / and brackets, at most 200 characters."),
    ],
)
def test_what_is_no_sum_is_said_in_words(expression: str, said: str) -> None:
    assert calculate(expression) == said


@given(st.text(alphabet="0123456789+-*/(). x", max_size=60))
def test_any_text_is_answered(expression: str) -> None:
    assert calculate(expression)
