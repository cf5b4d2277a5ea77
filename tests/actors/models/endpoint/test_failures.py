"""A call that brought no completion is the fault or the outcome that it should be."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import Fault
from quintet.models.endpoint.failures import retry_after
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Completion
from tests.actors.models.endpoint.serving import Server, called

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def http(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "3"}, 3.0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:07 -0000", "date": http(NOW)}, 7.0),
        ({"retry-after": http(NOW), "date": http(NOW + timedelta(seconds=9))}, 0.0),
        ({"retry-after": "Mon, 01 Jan 9999999999 00:00:00 GMT"}, None),
        ({"x-should-retry": "false"}, None),
    ],
)
def test_seconds_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@given(st.integers(0, 10**7))
def test_a_date_is_compared_with_the_servers_own(seconds: int) -> None:
    headers = {"retry-after": http(NOW + timedelta(seconds=seconds)), "date": http(NOW)}
    assert retry_after(headers) == seconds


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text() | st.floats().map(str)))
def test_any_headers_make_a_finite_wait_or_none(headers: dict[str, str]) -> None:
    seconds = retry_after(headers)
    assert seconds is None or 0 <= seconds < float("inf")


@given(st.from_regex(r"\w{0,3},? ?\d{0,3} \w{0,3} \d{0,5} \d{0,3}:\d{0,3}:\d{0,3} [+-]?\w{0,5}", fullmatch=True))
def test_anything_like_a_date_is_read_or_not(text: str) -> None:
    seconds = retry_after({"retry-after": text})
    assert seconds is None or seconds >= 0


FULL = {
    "OpenAI": "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    "OpenAI, responses": "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "OpenAI, limit": "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000.",
    "vLLM": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3976 in the "
    "messages, 1024 in the completion). Please reduce the length of the messages or completion.",
    "vLLM, passed": "You passed 4097 input tokens and requested 1024 output tokens. However, the model's context "
    "length is only 4096 tokens.",
    "vLLM, decoder": "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
    "vLLM, fit": "The prompt (total length 5000) is too long to fit into the model (context length 4096).",
    "vLLM 0.32": "This model's maximum context length is 4096 tokens. However, your prompt contains at least 4097 "
    "input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input "
    "prompt. (parameter=input_tokens, value=4097)",
    "llama.cpp": "the request exceeds the available context size, try increasing it",
    "llama.cpp, tokens": "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
    "llama-cpp-python": "Requested tokens (5000) exceed context window of 2048",
    "TGI": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 and 512",
    "TGI, inputs": "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000",
    "Ollama": "the input length exceeds the context length",
    "Ollama, cloud": "prompt too long; exceeded max context length by 12 tokens",
    "Anthropic": "prompt is too long: 205000 tokens > 200000 maximum",
    "Anthropic, both": "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "Mistral": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "Gemini": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "Bedrock": "Input is too long for requested model.",
    "xAI": "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "SGLang": "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "SGLang, count": "Requested token count exceeds the model's maximum context length of 4096 tokens.",
    "Fireworks": "The prompt is too long: 10000, model maximum context length: 8191",
    "OpenRouter": "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens",
    "LM Studio": "The number of tokens to keep from the initial prompt is greater than the context length.",
    "Groq": "Please reduce the length of the messages or completion.",
}
OTHERS = (
    "max_tokens=5000 cannot be greater than max_model_len=4096. Please request fewer output tokens. "
    "(parameter=max_tokens, value=5000)",
    "max_tokens is too large: 16384. This model supports at most 4096 completion tokens.",
    "Unsupported parameter: 'stop' is not supported with this model.",
    "Invalid value for 'temperature': expected a number.",
    "Invalid 'seed': integer above maximum value.",
    "unknown field context",
    "The server had an error while processing your request.",
    "Input should be a valid string",
)


def outcome(server: Server, status: int, body: object) -> str | None:
    server.says(body, status)
    try:
        completion = called(Endpoint("m", url=server.url))
    except Fault:
        return None
    assert completion == Completion(text="", finish=completion.finish)
    return completion.finish


LIMITED = "Request too large on tokens per min (TPM): Limit 30000, Requested 40000. Reduce the length of the messages."

FILTERED = "The response was filtered: it triggers our content management policy."


def errors(**fields: str | None) -> dict[str, object]:
    return {"error": {"message": "no", **fields}}


@pytest.mark.parametrize(
    ("status", "body", "finish"),
    [
        *(pytest.param(400, errors(message=said), "context_full", id=who) for who, said in FULL.items()),
        *((status, errors(message=FULL["OpenAI"]), "context_full") for status in (413, 422)),
        (400, errors(code="context_length_exceeded"), "context_full"),
        (400, errors(type="exceed_context_size_error"), "context_full"),
        (413, b"<html>413 Request Entity Too Large</html>", "context_full"),
        *((status, errors(message=said, code=None), None) for said in OTHERS for status in (400, 500)),
        (429, errors(message=LIMITED, code="rate_limit_exceeded"), None),
        (
            400,
            errors(message=FILTERED, code="x"),
            "content_filter",
        ),
        (400, errors(message="filtered", code="content_filter"), "content_filter"),
        (403, errors(message="Your chosen model requires moderation and your input was flagged"), "content_filter"),
    ],
)
def test_a_full_context_and_a_filter_are_known_by_words_and_codes_and_other_errors_are_neither(
    server: Server, status: int, body: object, finish: str | None
) -> None:
    assert outcome(server, status, body) == finish
