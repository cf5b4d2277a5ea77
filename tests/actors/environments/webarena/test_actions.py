from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.actions import (
    ACTION_FORMS,
    Click,
    CloseTab,
    FocusTab,
    GoBack,
    GoForward,
    GoTo,
    Hover,
    NewTab,
    Press,
    Scroll,
    Type,
    UnreadableAction,
    WebAction,
    WebStop,
    read_web_action,
    web_action_text,
)

_ELEMENTS = st.integers(min_value=0, max_value=999_999_999)
_TEXTS = st.text(st.sampled_from("ab1 []`\n\"'0") | st.characters(), max_size=40)
_WORDS = _TEXTS.map(str.strip).filter(bool)
_ACTIONS: st.SearchStrategy[WebAction] = st.one_of(
    st.builds(Click, _ELEMENTS),
    st.builds(Hover, _ELEMENTS),
    st.builds(Type, _ELEMENTS, _TEXTS, st.booleans()),
    st.builds(Press, _WORDS),
    st.builds(Scroll, st.sampled_from(("up", "down"))),
    st.builds(GoTo, _WORDS),
    st.builds(FocusTab, _ELEMENTS),
    st.builds(WebStop, _TEXTS),
    st.sampled_from((NewTab(), CloseTab(), GoBack(), GoForward())),
)


@given(_ACTIONS)
def test_what_is_written_is_read_as_the_same_action(action: WebAction) -> None:
    assert read_web_action(web_action_text(action)) == action
    assert web_action_text(action).partition(" ")[0] in {form.partition(" ")[0] for form in ACTION_FORMS}


@given(
    _ACTIONS.filter(lambda action: "```" not in web_action_text(action)),
    st.sampled_from(("", "In summary, I will do ")),
)
def test_an_action_is_read_between_backticks_whatever_stands_around_it(action: WebAction, before: str) -> None:
    assert read_web_action(f"{before}```{web_action_text(action)}```.") == action
    assert read_web_action(f"{before}```\n{web_action_text(action)}\n``` and ```go_back```") == action


@given(st.text(st.sampled_from("clicktypestop []`0127\n") | st.characters(), max_size=60))
def test_any_text_is_an_action_or_unreadable(text: str) -> None:
    action = None
    with suppress(UnreadableAction):
        action = read_web_action(text)
    if action is not None:
        assert read_web_action(web_action_text(action)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click[12]", Click(12)),
        ("CLICK [ 12 ]", Click(12)),
        ("click [12] where [12] is the search button", Click(12)),
        ("type [7] [blue mug]", Type(7, "blue mug", True)),
        ("type [7][blue mug][0]", Type(7, "blue mug", False)),
        ("type [7] [blue mug] [press_enter_after=1]", Type(7, "blue mug", True)),
        ("type [id=7] [blue mug] [press_enter_after: 0]", Type(7, "blue mug", False)),
        ("click [id=12]", Click(12)),
        ("click [#12]", Click(12)),
        ("press [key_comb=Enter]", Press("Enter")),
        ("goto [http://reddit.com](http://reddit.com)", GoTo("http://reddit.com")),
        ("type [7] [1]", Type(7, "1", True)),
        ("type [7] []", Type(7, "", True)),
        ("type [7] [a [b] c] [0]", Type(7, "a [b] c", False)),
        ("press [ Enter ]", Press("Enter")),
        ("scroll [direction=down]", Scroll("down")),
        ("scroll down", Scroll("down")),
        ("goto http://reddit.com/forums", GoTo("http://reddit.com/forums")),
        ("stop", WebStop("")),
        ("stop [a ```b``` c]", WebStop("a ```b``` c")),
        ("The next action is ```click [3]```, since ```click [4]``` is not", Click(3)),
    ],
)
def test_other_ways_to_write_an_action_are_read(text: str, action: WebAction) -> None:
    assert read_web_action(text) == action


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "one of `click [id]`"),
        ("I would click [3]", "one of `click [id]`"),
        ("click [the button]", "`click [id]`, got 'click [the button]'"),
        ("click [٣]", "`click [id]`"),
        ("click [" + "9" * 5000 + "]", "`click [id]`"),
        ("type [7]", "`type [id] [text] [0|1]`"),
        ("type [7] blue mug", "`type [id] [text] [0|1]`"),
        ("press []", "`press [keys]`"),
        ("scroll [left]", "`scroll [up|down]`"),
        ("goto", "`goto [url]`"),
        ("goto the forum", "`goto [url]`"),
        ("tab_focus [first]", "`tab_focus [number]`"),
        ("stop here", "`stop [answer]`"),
        ("note [x]", "one of `click [id]`"),
        ("I do ```click [3]", "between two pairs of triple backticks"),
        ("``````", "got nothing"),
    ],
)
def test_what_cannot_be_read_says_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(UnreadableAction) as reason:
        read_web_action(text)
    assert expected in str(reason.value)
    assert len(str(reason.value)) < 400
