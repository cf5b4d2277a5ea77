from importlib import import_module
from typing import Any

import pytest

from quintet.environments.bfcl.conversations import Conversation, conversations
from quintet.environments.bfcl.tools import ToolBox
from quintet.parsing.tool_calls import read_tool_call
from tests.actors.environments.bfcl.installed import needs_package

pytestmark = needs_package


def conversation(kind: str, split: str = "base") -> Conversation:
    return next(each for each in conversations(split).values() if each.kind == kind)


def called(tools: ToolBox, text: str) -> str:
    return tools.call(read_tool_call(text))


def test_a_tool_answers_as_the_package_writes_it() -> None:
    tools = ToolBox(conversation("files"))
    assert called(tools, "cd('document')") == '{"current_working_directory": "document"}'
    assert called(tools, "mkdir(dir_name='temp')") == "None"
    assert "error" in called(tools, "cd(folder='nowhere')")


def test_what_a_tool_raises_is_told() -> None:
    assert called(ToolBox(conversation("files")), "cd(folder=[])").startswith("Error during execution: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fly(to='moon')", "expected one of the tools that were shown, or reply, got fly"),
        ("_load_scenario({})", "expected one of the tools that were shown, or reply, got _load_scenario"),
        ("root()", "expected one of the tools that were shown, or reply, got root"),
        ("cd()", "cd: missing a required argument: 'folder'"),
        ("cd(folder='a', to='b')", "cd: got an unexpected keyword argument 'to'"),
    ],
)
def test_a_call_that_no_tool_takes_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=rf"^{said}$"):
        called(ToolBox(conversation("files")), text)


@pytest.mark.parametrize("text", ["power(9, 99999999999)", "logarithm(value=8, base=2, precision=1e12)"])
def test_a_call_that_would_take_hours_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r": expected (exponent|precision) <= 10000, got more$"):
        called(ToolBox(conversations("base")["multi_turn_base_15"]), text)


def test_a_call_means_the_same_with_and_without_names_and_defaults() -> None:
    tools = ToolBox(conversation("files"))
    meant = [tools.meaning(read_tool_call(text)) for text in ("ls()", "ls(False)", "ls(a=false)", "ls(a=True)")]
    assert meant[0] == meant[1] == meant[2] != meant[3]


def test_a_copy_shares_nothing_that_can_change() -> None:
    tools = ToolBox(conversation("files"))
    copy = tools.copy()
    called(copy, "mkdir('mine')")
    called(copy, "cd('document')")
    assert "mine" not in called(tools, "ls()")
    assert called(tools, "cd('document')") == called(ToolBox(conversation("files")), "cd('document')")


def test_sessions_with_a_long_context_do_not_share_its_filling() -> None:
    long = conversation("travel", "long_context")
    api, other = (ToolBox(long).apis["TravelAPI"] for _ in range(2))
    filling: Any = import_module("bfcl_eval.eval_checker.multi_turn_eval.func_source_code.long_context")
    number, card = next(iter(filling.CREDIT_CARD_EXTENSION.items()))
    before = card["balance"]
    api.credit_card_list[number]["balance"] -= 1
    assert other.credit_card_list[number]["balance"] == card["balance"] == before


def test_what_a_tool_names_out_of_a_set_is_in_the_same_order_in_every_process() -> None:
    tools = ToolBox(conversation("travel"))
    api = tools.apis["TravelAPI"]
    api.access_token, api.token_expires_in, api.credit_card_list = "token", 9, {"1": {"balance": 9}}
    said = called(tools, "book_flight('token', '1', '2024-01-01', 'SFO', 'LAX', 'First')")
    assert "Must be one of {'business', 'economy', 'first'}" in said
