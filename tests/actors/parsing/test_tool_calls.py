import pytest

from quintet.parsing.tool_calls import find_tool_calls, read_tool_call


@pytest.mark.parametrize(
    "text",
    [
        "cd(folder='document')",
        ' cd(folder = "document") ',
        "`cd(folder='document')`",
        "[cd(folder='document')]",
        "GorillaFileSystem.cd(folder='document')",
        'cd {"folder": "document"}',
        '`GorillaFileSystem.cd {"folder":\n"document"}`',
    ],
)
def test_a_call_is_read_in_the_forms_that_models_write(text: str) -> None:
    call = read_tool_call(text)
    assert (call.tool, call.positional, call.named) == ("cd", (), {"folder": "document"})


def test_arguments_in_json_are_data_whatever_they_say() -> None:
    call = read_tool_call('f {"class": "g(x={1})", "a b": [-1.5, {"b": null}], "said": "it\'s \\"}\\"\\n`"}')
    assert call.positional == ()
    assert call.named == {"class": "g(x={1})", "a b": [-1.5, {"b": None}], "said": 'it\'s "}"\n`'}


def test_arguments_are_plain_values_with_or_without_a_name() -> None:
    call = read_tool_call(
        """f('a', -1.5, [1, {'b': None}], on=true, off=false, none=null, text="it's \\"so\\"", tab='\\d\\t')"""
    )
    assert call.positional == ("a", -1.5, [1, {"b": None}])
    assert call.named == {"on": True, "off": False, "none": None, "text": 'it\'s "so"', "tab": "\\d\t"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cd",
        "cd(",
        "cd document",
        "I call cd(folder='document')",
        "cd(folder='a'); ls()",
        "cd(folder='a')\nls()",
        "[cd(folder='a'), ls()]",
        "[]",
        "cd(folder='a', folder='b')",
        "cd(**{'folder': 'a'})",
        "cd(*['a'])",
        "cd(folder=ls())",
        "cd(folder=2 * 3)",
        "cd(folder=document)",
        "cd(folder={[]: 1})",
        "(lambda: 1)()",
        "a.b.cd(folder='a')",
        "x = cd(folder='a')",
        "cd('\ud800')",
        "cd(\x00)",
        "(" * 10_000,
        "[" * 10_000 + "]" * 10_000,
        f"power({'9' * 10_000}, 1)",
        "f(" * 500 + ")" * 500,
        'cd {"folder": "a"} and more',
        'cd {"folder": "a"',
        "cd {'folder': 'a'}",
        'cd {"folder": NaN}',
        'cd ["a"]',
        'cd "a"',
        'cd {"folder": "\ud800"}',
        'cd {"folder": ' + "[" * 10_000 + "]" * 10_000 + "}",
        'I call cd {"folder": "a"}',
    ],
)
def test_what_is_no_single_call_with_plain_values_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected one call with plain values, such as find_user\(name='Ann'\)"):
        read_tool_call(text)


def test_calls_amid_a_text_are_found_by_the_names_of_their_tools() -> None:
    text = "Please run `toggle_data()`, then set_mode(mode='4g'); not_one() is none (nor is look)."
    assert find_tool_calls(text, {"toggle_data", "set_mode", "look"}) == ["toggle_data()", "set_mode(mode='4g')"]


def test_nothing_of_a_text_is_evaluated(capfd: pytest.CaptureFixture[str]) -> None:
    for text in ("print('seen')", "f(print('seen'))", "f(x=__import__('os').system('echo seen'))", "f(f'{print(1)}')"):
        try:
            read_tool_call(text)
        except ValueError:
            continue
    assert capfd.readouterr() == ("", "")
