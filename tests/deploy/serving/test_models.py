"""The models that are served, requests as clients write them, and the latencies of answers."""

import asyncio
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.events import CallMade, StepTaken
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.ports.model import Sampling
from quintet.questions.shape import response_format
from quintet.runtime.counters import RunCounters
from quintet.serving.latency import parse_latency
from quintet.serving.models import served_models
from quintet.serving.request import CompletionRequest, read_request
from quintet.serving.wire import Refusal
from tests.faulty.endpoint import serve_models

LEVELS = ("weak", "strong", "fallible(0.1)")


@pytest.mark.parametrize(
    ("name", "served"),
    [
        ("sim", {"sim": "weak", **{f"sim-{level.partition('(')[0]}": level for level in LEVELS}}),
        ("sim-strong", {"sim": "strong", "sim-strong": "strong"}),
    ],
)
def test_a_level_answers_under_its_name_and_one_of_them_as_sim(name: str, served: dict[str, str]) -> None:
    shown = {asked: model.name for asked, model in served_models(name).items()}
    assert shown == {asked: f"sim-{level} (simulated)" for asked, level in served.items()}


def test_scripted_says_its_script(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["first"]', encoding="utf-8")
    models = served_models("scripted", script=script, cycle=True)
    assert list(models) == ["scripted"]
    assert asyncio.run(models["scripted"].complete(Prompt(user("go")), Sampling())).text == "first"


@pytest.mark.parametrize(
    ("name", "script", "cycle", "said"),
    [
        (
            "gpt",
            None,
            False,
            "--model: expected one of 'sim', 'sim-weak', 'sim-strong', 'sim-fallible', 'random', 'echo', 'scripted', ",
        ),
        ("sim-strng", None, False, "--model: expected 'sim-strong', got 'sim-strng'"),
        ("scripted", None, False, "--script: expected a file for the model scripted, got none"),
        ("scripted", Path("none.json"), False, "script: expected a file, got No such file or directory (none.json)"),
        ("sim", Path("some.json"), False, "--model: expected scripted, since --script is given, got 'sim'"),
        ("sim", None, True, "--model: expected scripted, since --cycle is given, got 'sim'"),
    ],
)
def test_an_unknown_model_or_script_is_an_error(name: str, script: Path | None, cycle: bool, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        served_models(name, script=script, cycle=cycle)


def body(**format_: Any) -> bytes:
    messages = [{"role": "user", "content": "Go."}]
    return json.dumps({"model": "sim-weak", "messages": messages, "response_format": format_}).encode()


def test_a_form_is_known_by_the_name_of_its_schema() -> None:
    assert read_request(body(**response_format("plan"))).sampling.form == "plan"
    assert read_request(body(type="text")).sampling.form is None
    unknown: list[dict[str, Any]] = [
        {"type": "json_schema"},
        {"type": "json_schema", "json_schema": {"name": "sonnet", "schema": {}}},
    ]
    for format_ in unknown:
        with pytest.raises(Refusal, match="Expected a JSON schema by one of the names decision, "):
            read_request(body(**format_))


LEARNING = {
    "run": {"learn": True},
    "learning": {"tasks": 1, "batch": 1, "iterations": 1, "eval_every": 0, "temperature": 0.0},
}
REMEMBERING = {"run": {"learn": True}, "learning": {"tasks": 2, "batch": 1, "goals": 1, "eval_every": 0}}


@pytest.mark.parametrize(
    ("sections", "forms"),
    [
        ({"method": {"name": "adapt"}}, {"decision", "plan"}),
        ({"method": {"name": "autoplan"}, **LEARNING}, {"thought", "action", "reflection", "task_plan"}),
        (
            {"method": {"name": "ldm2"}, **REMEMBERING},
            {"evaluation", "summary", "action", "candidates", "clusters", "index", "comparison"},
        ),
        pytest.param(
            {"method": {"name": "devils_advocate", "summarize_above": 40}},
            {"steps", "decision", "alignment", "verdict", "condensed"},
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.parametrize("environment", ["textcraft", pytest.param("alfworld", marks=pytest.mark.slow)])
def test_a_run_takes_the_same_steps_as_in_text(
    sections: dict[str, Any], forms: set[str], environment: str, tmp_path: Path
) -> None:
    async def steps(answers: str) -> tuple[list[tuple[str, str]], set[str | None]]:
        async with serve_models(served_models("sim")) as served:
            model = {"name": "sim-weak", "url": served.url, "answers": answers}
            run = {**sections.get("run", {}), "tasks": 1}
            settings = {**sections, "environment": {"name": environment}, "model": model, "run": run}
            with WritableRun.create(tmp_path / answers, prepare([from_table(settings, "test")])) as folder:
                assert await run_left(folder, RunCounters()) == "done"
                reader = JournalReader.open(folder.journal)
                events = [record.event for record in reader.records()]
                reader.close()
        taken = [(event.path, event.action) for event in events if isinstance(event, StepTaken)]
        return sorted(taken), {event.sampling.form for event in events if isinstance(event, CallMade)}

    in_text, none = asyncio.run(steps("text"))
    in_json, asked = asyncio.run(steps("schema"))
    assert none == {None}
    # ALFWorld's two training tasks leave no pair of trajectories to compare.
    assert forms - ({"comparison"} if environment == "alfworld" else set()) <= asked
    assert in_text
    assert in_json == in_text


SAID = {"role": "user", "content": "go"}


def _read(**fields: Any) -> CompletionRequest:
    return read_request(json.dumps({"model": "sim", "messages": [SAID], **fields}).encode())


BARE = Sampling(temperature=1.0, top_p=1.0, max_tokens=2**31 - 1)
"""OpenAI's defaults."""
NULLS = ("temperature", "top_p", "max_tokens", "max_completion_tokens", "stop", "seed", "n", "stream")


@pytest.mark.parametrize(
    ("fields", "messages", "sampling"),
    [
        pytest.param(
            {
                "messages": [{"role": "system", "content": "Craft."}, SAID, {"role": "assistant", "content": "went"}],
                "temperature": 0,
                "top_p": 0.5,
                "max_tokens": 9,
                "stop": ["\n", "END"],
                "seed": -3,
            },
            (system("Craft."), user("go"), assistant("went")),
            Sampling(temperature=0.0, top_p=0.5, max_tokens=9, stop=("\n", "END"), seed=-3),
            id="in-full",
        ),
        pytest.param({}, (user("go"),), BARE, id="missing-fields-have-defaults"),
        pytest.param(dict.fromkeys(NULLS), (user("go"),), BARE, id="so-do-nulls"),
        pytest.param(
            {"max_completion_tokens": 5, "max_tokens": 9},
            (user("go"),),
            replace(BARE, max_tokens=5),
            id="the-newer-name-of-the-limit-counts-first",
        ),
        pytest.param(
            {"messages": [{"role": "developer", "content": [{"type": "text", "text": t} for t in ("You ", "craft.")]}]},
            (system("You craft."),),
            BARE,
            id="a-developer-is-the-system-and-parts-are-one-text",
        ),
        pytest.param(
            {"stop": "END", "logit_bias": {"5": 1}, "user": "me"},
            (user("go"),),
            replace(BARE, stop=("END",)),
            id="a-stop-word-may-stand-alone-and-unknown-fields-are-ignored",
        ),
    ],
)
def test_a_request_is_read(fields: dict[str, Any], messages: tuple[ChatMessage, ...], sampling: Sampling) -> None:
    wanted = _read(**fields)
    assert (wanted.messages, wanted.sampling) == (messages, sampling)


def test_a_digest_depends_on_model_messages_and_sampling_and_not_on_how_the_json_was_written() -> None:
    one = read_request(b'{"model":"sim","messages":[{"role":"user","content":"go"}],"temperature":0}')
    other = read_request(
        b'{ "user": "me", "temperature": 0.0, "messages": [{"content": [{"type": "text", "text": "g\\u006f"}],'
        b' "role": "user"}], "model": "sim", "n": 1 }'
    )
    assert one.digest == other.digest
    base = _read()
    others = [_read(model="sim-weak"), _read(messages=[SAID, SAID]), _read(seed=1), _read(stop="x")]
    assert len({base.digest, *(other.digest for other in others)}) == 5


@pytest.mark.parametrize(
    ("fields", "param", "said"),
    [
        ({"messages": []}, "messages", "length >= 1"),
        ({"messages": "go"}, "messages", "Expected `array`"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].role", "'tool'"),
        ({"messages": [{"role": "user"}]}, "messages[0]", "missing required field `content`"),
        ({"messages": [{"role": "user", "content": None}]}, "messages[0].content", "Expected `str | array`"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": "x"}]}]},
            "messages[0].content[0].type",
            "'image_url'",
        ),
        ({"model": None}, "model", "Expected `str`"),
        ({"temperature": -1}, "temperature", ">= 0"),
        ({"temperature": "hot"}, "temperature", "Expected `float"),
        ({"top_p": 2}, "top_p", "<= 1"),
        ({"max_tokens": 0}, "max_tokens", ">= 1"),
        ({"seed": 2**70}, "seed", "<="),
        ({"n": 2}, "n", "<= 1"),
        ({"stream": True}, "stream", "Streaming is not served here"),
    ],
)
def test_a_request_that_cannot_be_served_is_refused_by_its_field(fields: dict[str, Any], param: str, said: str) -> None:
    with pytest.raises(Refusal) as refusal:
        _read(**fields)
    assert (refusal.value.status, refusal.value.error.param) == (400, param)
    assert said in refusal.value.error.message


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b'{"model": "\xff"}', b'{"model": "\\ud800"}', b'{"x": ' + b"[" * 100_000]
)
def test_bytes_that_are_no_request_are_refused(body: bytes) -> None:
    with pytest.raises(Refusal) as refusal:
        read_request(body)
    assert (refusal.value.status, refusal.value.error.type) == (400, "invalid_request_error")


_DAY = 86_400.0
durations = st.builds("{}{}".format, st.integers(0, 9_999), st.sampled_from(["ms", "s"])) | st.just("0")
sigmas = st.integers(0, 100).map(lambda tenths: f"{tenths / 10}")
distributions = st.one_of(
    durations,
    st.lists(st.integers(0, 9_999), min_size=2, max_size=2).map(
        lambda ends: "uniform({}ms,{}ms)".format(*sorted(ends))
    ),
    st.builds("normal({}, {})".format, durations, durations),
    st.builds("exponential({})".format, durations),
    st.builds("lognormal({},{})".format, durations, sigmas),
)


def _draws(text: str, count: int = 2_000) -> list[float]:
    random = Random(7)
    return sorted(parse_latency(text)(random) for _ in range(count))


@given(distributions, st.integers())
def test_every_drawn_latency_is_finite_and_repeats_with_its_seed(text: str, seed: int) -> None:
    drawn = parse_latency(text)(Random(seed))
    assert 0 <= drawn <= _DAY
    assert drawn == parse_latency(f" {text} ")(Random(seed))


@given(st.text(alphabet="0123456789.ms(),uniformalexp \N{ARABIC-INDIC DIGIT FOUR}") | st.text())
def test_any_text_is_a_distribution_or_a_usage_error(text: str) -> None:
    try:
        drawn = parse_latency(text)(Random(0))
    except UsageError as error:
        assert str(error).startswith("--latency: expected ")  # noqa: PT017  either way is right
    else:
        assert 0 <= drawn <= _DAY


@pytest.mark.parametrize(
    ("text", "seconds"), [("0", 0.0), ("200ms", 0.2), ("2s", 2.0), ("0.5s", 0.5), ("1.5ms", 0.0015)]
)
def test_a_duration_is_always_the_same(text: str, seconds: float) -> None:
    assert _draws(text, 3) == pytest.approx([seconds] * 3)


@given(st.integers(0, 1_000), st.integers(0, 1_000), st.integers())
def test_uniform_stays_between_its_ends(one: int, other: int, seed: int) -> None:
    low, high = sorted((one, other))
    drawn = parse_latency(f"uniform({low}ms,{high}ms)")(Random(seed))
    assert low - 1e-6 <= drawn * 1_000 <= high + 1e-6


def test_the_values_are_what_their_names_say() -> None:
    normal = _draws("normal(2s,500ms)")
    assert normal[1_000] == pytest.approx(2.0, abs=0.05)
    assert normal[1_683] - normal[1_000] == pytest.approx(0.5, abs=0.05)
    assert sum(_draws("exponential(1s)")) / 2_000 == pytest.approx(1.0, abs=0.1)
    lognormal = _draws("lognormal(1s,0.5)")
    assert lognormal[1_000] == pytest.approx(1.0, abs=0.05)
    assert lognormal[1_683] == pytest.approx(1.65, abs=0.1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2", "expected 0 or a duration of at most a day, as 200ms or 2s, got '2' (2)"),
        ("", "expected 0 or a duration of at most a day, as 200ms or 2s, got '' ()"),
        ("-1s", "got '-1s' (-1s)"),
        ("99999999s", "of at most a day, as 200ms or 2s, got '99999999s'"),
        ("uniform(1s,2)", "got '2' (uniform(1s,2))"),
        ("uniform(1s)", "expected 2 values in uniform(...), got 1 (uniform(1s))"),
        ("uniform(2s,1s)", "expected the lower bound first, got 2s before 1s (uniform(2s,1s))"),
        ("gamma(1s)", "expected one of uniform, normal, exponential, lognormal, got 'gamma' (gamma(1s))"),
        ("lognormal(1s,1s)", "expected a plain number of at most 10, got '1s' (lognormal(1s,1s))"),
        ("lognormal(1s,11)", "expected a plain number of at most 10, got '11'"),
    ],
)
def test_a_malformed_latency_is_an_error_with_what_was_expected(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_latency(text)
