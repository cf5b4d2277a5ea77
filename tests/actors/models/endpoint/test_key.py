"""The key, which no text holds."""

import copy
import json
import pickle
from collections.abc import Callable, Mapping
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.models.endpoint.key import HeaderValue, Key, SecretVariable

SECRET = "sk-hunter2"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Key:
    monkeypatch.setenv("MY_KEY", f" {SECRET}\n")
    return Key("MY_KEY", optional=False)


def test_it_is_read_from_its_variable_and_shown_by_it(key: Key) -> None:
    assert key.reveal() == SECRET
    assert str(key) == "the key in MY_KEY"
    assert SECRET not in repr(key) + str(key) + f"{key!s}{key!r}"
    assert key.redacted(f"{SECRET}: no such key as {SECRET}x") == "<MY_KEY>: no such key as <MY_KEY>x"


def test_a_copy_reads_its_own_environment(key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    pickled = pickle.dumps(key)
    assert SECRET.encode() not in pickled
    monkeypatch.setenv("MY_KEY", "another")
    assert pickle.loads(pickled).reveal() == copy.deepcopy(key).reveal() == "another"
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(UsageError, match="MY_KEY: expected a key"):
        pickle.loads(pickled)


def test_there_need_be_none_whatever_the_environment_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    key = Key(None, optional=True)
    for each in (key, pickle.loads(pickle.dumps(key))):
        assert (each.reveal(), str(each)) == ("none", "no key")


@pytest.mark.parametrize(("variable", "value"), [("MY_KEY", ""), ("MY_KEY", " \n"), ("OPENAI_API_KEY", None)])
def test_without_a_key_the_variable_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str | None) -> None:
    monkeypatch.delenv(variable, raising=False) if value is None else monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match=f"{variable}: expected a key in this environment variable, got none"):
        Key(variable, optional=False)


WAYS: Mapping[str, Callable[[str], str]] = {
    "plain": lambda char: char,
    "JSON": lambda char: f"\\u{ord(char):04x}",
    "JSON in capitals": lambda char: f"\\u{ord(char):04X}",
    "JSON in JSON": lambda char: f"\\\\u{ord(char):04x}",
    "escaped": lambda char: f"\\{char}",
    "Python": lambda char: f"\\x{ord(char):02x}",
    "an address": lambda char: f"%{ord(char):02X}",
    "HTML": lambda char: f"&#{ord(char)};",
    "HTML in hexadecimal": lambda char: f"&#x{ord(char):x};",
}


WRAPPED = " ".join([SECRET[:5], SECRET[5:9], SECRET[9:]])


@pytest.mark.parametrize(
    ("value", "said"),
    [("\\", "\\u005c"), ("%", "%25"), ("&", "&#38;"), ("a\\", "a\\x5c"), ("\\", "\\\\"), (SECRET, WRAPPED)],
)
def test_a_key_is_hidden_whole_where_its_character_begins_an_escape_or_a_server_wrapped_it(
    value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", value)
    assert Key("MY_KEY", optional=False).redacted(f"<< {said} >>") == "<< <MY_KEY> >>"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40), st.data())
def test_however_a_character_is_written_the_key_is_not_shown(value: str, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MY_KEY", value)
        key = Key("MY_KEY", optional=False)
    said = "".join(WAYS[data.draw(st.sampled_from(sorted(WAYS)))](char) for char in value)
    assert key.redacted(f"« {said} »") == "« <MY_KEY> »"  # no key can be read across these


def test_a_megabyte_of_what_begins_like_a_key_comes_back_as_it_is(key: Key) -> None:
    hostile = "\\" * 1_000_000 + "sk-hunter" * 100_000
    assert key.redacted(hostile) == hostile


def test_an_optional_key_that_is_missing_is_sent_as_a_placeholder() -> None:
    key = Key("MY_KEY", optional=True)
    assert key.reveal() == "none"
    assert str(key) == "no key (MY_KEY is unset)"
    assert key.redacted("none of them") == "none of them"


@pytest.mark.parametrize("value", ["sk hunter2", "sk-h\u00fcnter2", "sk\r\nX-Admin: hunter2"])
def test_a_key_that_no_header_can_say_is_refused_unseen(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(UsageError, match="MY_KEY: expected a key of visible ASCII characters") as raised:
        Key("MY_KEY", optional=True)
    assert "nter2" not in str(raised.value)


def test_a_header_has_spaces_and_its_words_are_kept_from_texts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGIN", f"Bearer {SECRET}")
    header = pickle.loads(pickle.dumps(HeaderValue("LOGIN", optional=False)))
    assert header.reveal() == f"Bearer {SECRET}"
    assert header.redacted(f"Bearer {SECRET}: no {SECRET} of a Bearer") == "<LOGIN>: no <LOGIN> of a Bearer"
    monkeypatch.setenv("LOGIN", "Basic x")
    assert HeaderValue("LOGIN", optional=False).redacted("Basic x, as in fox") == "<LOGIN>, as in fox"
    monkeypatch.setenv("LOGIN", f"id={SECRET}; lang=en")
    assert HeaderValue("LOGIN", optional=False).redacted(f"no {SECRET} in en") == "no <LOGIN> in en"


def test_a_secret_may_be_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '{"Authorization": "Bearer geh\u00e4im",\n "Notion-Version": "1"}'
    monkeypatch.setenv("HEADERS", text)
    assert SecretVariable("HEADERS", optional=False).reveal() == text


TEXTS = (
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20).map(str.strip).filter(bool)
)


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def json_in_json(text: str) -> str:
    return json.dumps(json.dumps(text))


@given(TEXTS, st.sampled_from([on_one_line, json.dumps, json_in_json, repr, ascii, quote]))
@example("one line\nand \u20ac, \U0001f600", json.dumps)
def test_a_text_is_not_shown_however_it_is_written(value: str, write: Callable[[str], str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEADERS", value)
        secret = SecretVariable("HEADERS", optional=False)
    shown = secret.redacted(write(value))
    assert "<HEADERS>" in shown
    assert set(shown.replace("<HEADERS>", "")) <= set("'\"\\")  # what was written around it


def test_a_text_with_many_spaces_is_looked_for_without_trying_all_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADERS", f"a{' ' * 60}b")
    other = f"a{' ' * 90}c"
    assert SecretVariable("HEADERS", optional=False).redacted(other) == other


@pytest.mark.parametrize(
    ("variable", "optional"),
    [*((each, True) for each in (SECRET, "gsk_hunter2", "", "MY KEY", "MY=KEY")), ("SKHUNTER2", False)],
)
def test_a_key_in_place_of_its_variable_is_refused_unseen(variable: str, optional: bool) -> None:
    with pytest.raises(UsageError, match=r"model\.key: expected the name of an environment variable") as raised:
        Key(variable, optional=optional)
    assert "hunter2" not in str(raised.value).lower()
