"""What the agent does, read."""

import pytest

from quintet.environments.shell.actions import Run, Submit, UnreadAction, parse_action, run_action
from quintet.parsing.decisions import read_decision

_COMMANDS = (
    "ls -la | grep x; cp ../a .",
    'if [ -f x ]; then echo "${a[0]}"; fi',
    "sed -i 's/a/b/' x.py # a comment",
    "grep '^[^ ]*$' f && awk '{ print $1 }' f > out.txt",
    "cat <(echo a) | tr 'A-Z' 'a-z'",
)


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_command_comes_through_a_models_answer_as_it_is(command: str) -> None:
    decision = read_decision(f"Thought: I look.\nAction: {run_action(command)}\n")
    assert parse_action(getattr(decision, "action", "")) == Run(command)


@pytest.mark.parametrize("text", ["submit", "Submit", " submit[] "])
def test_submit_ends_the_work(text: str) -> None:
    assert parse_action(text) == Submit()


@pytest.mark.parametrize("text", ["", "ls", "run[]", "run[ ]", "run[ls", "submit it", "run[a\0b]", "run[\ud800]"])
def test_anything_else_is_answered_with_what_is_expected(text: str) -> None:
    read = parse_action(text)
    assert isinstance(read, UnreadAction)
    assert read.reply.startswith("Nothing was run: expected ")


def test_a_command_that_is_too_long_is_not_run() -> None:
    assert isinstance(parse_action(run_action("x" * 30_000)), Run)
    assert isinstance(parse_action(run_action("é" * 15_001)), UnreadAction)
