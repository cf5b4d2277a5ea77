import pytest

from quintet.parsing.actions import bare_action


@pytest.mark.parametrize(
    "call",
    [
        "reply(message='I see. Please go on; then say (more).')",
        "reply('It\\'s done. \"Yes\"!')",
        "move(source='a b. C', to=[1, (2, 3)])",
        "done()",
    ],
)
def test_the_call_of_a_tool_ends_with_its_bracket_whatever_its_texts_say(call: str) -> None:
    for around in ("{}", "`{}`", "{} because it helps.", "{}. Then I wait."):
        assert bare_action(around.format(call)) == call


def test_a_call_that_does_not_end_is_an_action_like_others() -> None:
    assert bare_action("reply(message='unclosed. Hm") == "reply(message='unclosed"
