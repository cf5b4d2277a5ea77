"""The Responses dialect: what is sent, how it is answered, and the reasoning that goes from turn to turn."""

from typing import Any

import msgspec
import pytest

from quintet.errors import NoAnswer
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Completion, Sampling, Usage
from quintet.roles.conversations import with_question
from tests.actors.models.endpoint.serving import Server, called

pytestmark = pytest.mark.real_time

REASONING: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"}
OPENING = Prompt(system("Be brief.")).extend(user("Task."))


def said(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def call(arguments: str) -> dict[str, Any]:
    return {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "act", "arguments": arguments}


def answer(*output: dict[str, Any], **further: Any) -> dict[str, Any]:
    usage = {
        "input_tokens": 20,
        "input_tokens_details": {"cached_tokens": 16},
        "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 5},
    }
    return {"id": "resp_1", "object": "response", "status": "completed", "output": output, "usage": usage, **further}


def test_a_call_is_one_post_that_nothing_is_stored_of(server: Server) -> None:
    server.says(answer(REASONING, said("Hello. ### more")))
    endpoint = Endpoint("gpt-5-mini", url=server.url, dialect="responses", extra={"reasoning": {"effort": "low"}})
    completion = called(endpoint, OPENING, max_tokens=50, stop=("###",), seed=7)
    assert (completion.text, completion.finish) == ("Hello. ", "stop")
    assert completion.usage == Usage(prompt_tokens=20, completion_tokens=9, cached_tokens=16, reasoning_tokens=5)
    assert msgspec.json.decode(completion.reasoning) == [REASONING]
    (heard,) = server.heard
    assert heard.path == "/v1/responses"
    assert heard.body == {
        "model": "gpt-5-mini",
        "max_output_tokens": 50,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Task."}],
        "reasoning": {"effort": "low"},
    }


def test_a_model_that_does_not_reason_is_asked_for_no_reasoning_and_is_sampled(server: Server) -> None:
    server.says(answer(said("Hello.")))
    completion = called(Endpoint("gpt-4.1-mini", url=server.url, dialect="responses"), OPENING, temperature=0.5)
    assert completion.reasoning == ""
    assert "include" not in server.heard[0].body
    assert server.heard[0].body["temperature"] == 0.5


@pytest.mark.parametrize(
    ("body", "finish", "text"),
    [
        (answer(said("Hel"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "length", "Hel"),
        (answer(status="incomplete", incomplete_details={"reason": "content_filter"}), "content_filter", ""),
        (answer(said("")), "empty", ""),
        (answer(REASONING), "empty", ""),
        (answer(call("{}")), "tool_calls", ""),
        (answer({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}), "refusal", "No."),
    ],
)
def test_how_an_answer_ended(server: Server, body: dict[str, Any], finish: str, text: str) -> None:
    server.says(body)
    completion = called(Endpoint("gpt-5-mini", url=server.url, dialect="responses"))
    assert (completion.finish, completion.text) == (finish, text)


def test_an_answer_that_went_on_after_a_stop_sequence_to_its_limit_is_whole(server: Server) -> None:
    limited = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    endpoint = Endpoint("gpt-5-mini", url=server.url, dialect="responses")
    for text, finish in (("Hello.### more", "stop"), ("### more", "empty")):
        server.says(answer(said(text), **limited))
        completion = called(endpoint, stop=("###",))
        assert (completion.text, completion.finish) == (text.partition("###")[0], finish)


NO_ANSWERS: list[object] = [
    *(b"{}", b"[", {"output": "text"}),
    *(answer({"type": "message", "content": content}) for content in ("Hello.", [None], 5)),
    answer(status="failed", error={"message": "no"}),
]


@pytest.mark.parametrize("body", NO_ANSWERS)
def test_what_is_no_answer_is_a_fault(server: Server, body: object) -> None:
    server.says(body)
    with pytest.raises(NoAnswer, match="expected a completion, got"):
        called(Endpoint("gpt-5-mini", url=server.url, dialect="responses"))


def test_reasoning_goes_back_before_the_answer_that_it_led_to_also_after_a_restart(server: Server) -> None:
    server.says(answer(said("Done.")))
    asked = with_question(OPENING, "What now?")
    first = Completion(text="Thought: I look.\nAction: look", reasoning=msgspec.json.encode([REASONING]).decode())
    endpoint = Endpoint("gpt-5-mini", url=server.url, dialect="responses")
    endpoint.keep(asked, first)
    following = OPENING.extend(assistant("Thought: I look.\nAction: look"), user("Seen."))
    called(endpoint, with_question(following, "What now?"))
    sent = server.heard[0].body["input"]
    assert sent[2:] == [
        REASONING,
        {"role": "assistant", "content": "Thought: I look.\nAction: look"},
        {"role": "user", "content": "Seen.\n\nWhat now?"},
    ]
    called(endpoint, Prompt(system("Be brief."), user("Another task."), assistant("Action: look"), user("Seen.")))
    assert REASONING not in server.heard[1].body["input"]


def test_of_several_answers_to_one_prompt_each_keeps_its_own(server: Server) -> None:
    server.says(answer(said("Done.")))
    endpoint = Endpoint("gpt-5-mini", url=server.url, dialect="responses")
    for action in ("look", "go"):
        items = [{**REASONING, "id": action}]
        endpoint.keep(OPENING, Completion(text=f"Action: {action}", reasoning=msgspec.json.encode(items).decode()))
    for action in ("go", "look", "sleep"):
        called(endpoint, OPENING.extend(assistant(f"Action: {action}"), user("Seen.")))
    sent = [[item["id"] for item in heard.body["input"] if "id" in item] for heard in server.heard]
    assert sent == [["go"], ["look"], []]


def test_a_call_of_a_tool_goes_back_with_what_the_world_said_to_it(server: Server) -> None:
    arguments = '{"thought":"I look.","action":"look"}'
    server.says(answer(REASONING, call(arguments)))
    endpoint = Endpoint("gpt-5-mini", url=server.url, dialect="responses", calls_tools=True)
    completion = called(endpoint, OPENING, form="decision")
    assert (completion.text, completion.finish) == (arguments, "stop")
    sent = server.heard[0].body
    assert sent["tool_choice"] == {"type": "function", "name": "act"}
    (tool,) = sent["tools"]
    assert (tool["type"], tool["name"], list(tool["parameters"]["properties"])) == (
        "function",
        "act",
        ["thought", "action"],
    )
    endpoint.keep(OPENING, completion)
    called(endpoint, OPENING.extend(assistant("Thought: I look.\nAction: look"), user("Seen.")), form="decision")
    assert server.heard[1].body["input"][2:] == [
        REASONING,
        call(arguments),
        {"type": "function_call_output", "call_id": "call_1", "output": "Seen."},
    ]


def test_what_a_model_said_before_its_call_goes_back_with_it_and_a_call_that_is_not_made_does_not(
    server: Server,
) -> None:
    look, go = call('{"thought":"","action":"look"}'), {**call('{"thought":"","action":"go"}'), "call_id": "call_2"}
    server.says(answer(REASONING, said("I look first."), look, {**REASONING, "id": "rs_2"}, go))
    endpoint = Endpoint("gpt-5-mini", url=server.url, dialect="responses", calls_tools=True)
    completion = called(endpoint, OPENING, form="decision")
    endpoint.keep(OPENING, completion)
    called(endpoint, OPENING.extend(assistant("Action: look"), user("Seen.")), form="decision")
    assert server.heard[1].body["input"][2:] == [
        REASONING,
        said("I look first."),
        look,
        {"type": "function_call_output", "call_id": "call_1", "output": "Seen."},
    ]


def test_json_of_a_shape_is_asked_for_by_its_schema(server: Server) -> None:
    server.says(answer(said('{"thought":"I look.","action":"look"}')))
    called(Endpoint("gpt-5-mini", url=server.url, dialect="responses"), OPENING, form="decision")
    form = server.heard[0].body["text"]["format"]
    assert (form["type"], form["name"], form["strict"]) == ("json_schema", "decision", True)


@pytest.mark.parametrize("usage", [5, {"input_tokens": "many"}, {"input_tokens": -1.5}])
def test_an_answer_is_read_whatever_is_said_of_its_tokens(server: Server, usage: object) -> None:
    server.says(answer(said("Hello."), usage=usage))
    completion = called(Endpoint("m", url=server.url, dialect="responses"), OPENING)
    assert (completion.text, completion.usage) == ("Hello.", Usage())


def test_a_call_of_a_tool_without_a_name_of_its_own_is_sent_back_as_text(server: Server) -> None:
    nameless = {"type": "function_call", "name": "act", "arguments": '{"thought":"I look.","action":"look"}'}
    server.says(answer(REASONING, nameless))
    endpoint = Endpoint("gpt-5-mini", url=server.url, dialect="responses", calls_tools=True)
    completion = called(endpoint, OPENING, form="decision")
    endpoint.keep(OPENING, completion)
    called(endpoint, OPENING.extend(assistant("look")).extend(user("A room.")), form="decision")
    assert server.heard[1].body["input"][-1] == {"role": "user", "content": "A room."}


def test_several_answers_are_drawn_one_by_one_and_no_batch_is_made() -> None:
    endpoint = Endpoint("gpt-5-mini", url="http://127.0.0.1:9", dialect="responses")
    assert endpoint.draws_at_once(Sampling(temperature=1.0), 5) == 1
    assert endpoint.without_batches == "expected model.dialect chat, got responses"
