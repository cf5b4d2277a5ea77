from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.execution import Turn, Unreadable
from quintet.messages.memory import ObservedAction
from quintet.roles.turn_text import observed_actions, reminder, turn_of

words = st.text(alphabet="abc ", min_size=1, max_size=8).map(str.strip).filter(bool)


@given(
    setting=words,
    steps=st.lists(st.tuples(words, st.text(alphabet="ab\n", max_size=6), st.just("") | words), max_size=5),
)
def test_every_action_comes_with_what_was_seen_before_it(setting: str, steps: list[tuple[str, str, str]]) -> None:
    turns = [turn_of(action, observation, thought) for action, observation, thought in steps]
    seen = [setting, *(observation for _, observation, _ in steps)]
    expected = [
        ObservedAction(observation=before, action=action) for before, (action, _, _) in zip(seen, steps, strict=False)
    ]
    assert list(observed_actions(setting, turns)) == expected


def test_a_turn_without_an_action_is_left_out_and_its_observation_is_not() -> None:
    turns = (Turn(completion="Hm?", observation="Please act."), Turn(completion="Action: wait", observation="Late."))
    assert observed_actions("A kitchen.", turns) == (ObservedAction(observation="Please act.", action="wait"),)


def test_a_reminder_shows_the_form() -> None:
    assert reminder(Unreadable(expected="Action: one action")).endswith("in this form:\n\nAction: one action")
