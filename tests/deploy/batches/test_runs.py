"""Whole runs by batches, over two providers' interfaces on loopback; and killed."""

import asyncio
import json
import re
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from quintet.batches.store import BATCHES_FILE
from quintet.errors import EndpointUnavailable, NoAnswer, UsageError
from quintet.messages.prompts import Prompt, system, user
from quintet.models.bridge.model import Bridge
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Completion, Sampling
from quintet.runs.run_folder import RunFolder
from quintet.runtime.batched import Batched
from tests.command import command, printed, refused
from tests.deploy.batches.providers import SAID, BatchServer, Hold, batch_server
from tests.deploy.test_endpoint_run import quintet

pytestmark = pytest.mark.real_time

QUICK = ("--set", "limits.batch_window_seconds=0.05", "--set", "limits.batch_poll_seconds=0.05")
PROMPT = Prompt(system("Be short."), user("Begin."))


def run_of(server: BatchServer, *words: object, anthropic: bool = False) -> tuple[object, ...]:
    address = server.url.removesuffix("/v1")
    called = ("--model", "m", "--model-url", server.url)
    bridged = ("--model", "bridge:anthropic/claude-haiku-4-5", "--set", f"model.address={address}")
    batched = (*(bridged if anthropic else called), "--set", "model.batch=true")
    return ("eval", "react", "textcraft", *batched, *QUICK, *words)


async def kill_and_resume(server: BatchServer, hold: Hold, run: Path, *words: object) -> None:
    """Begin a run, kill it while the server holds a request of it, and resume it to its end.

    Args:
        run: its folder, which `words` name.
        words: the command that begins it.
    """
    server.holds = hold
    main = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", main, *map(str, words))
    assert await asyncio.to_thread(hold.begun.wait, 60)
    process.kill()
    assert await process.wait() == -signal.SIGKILL
    hold.ended.set()
    code, said = await quintet("resume", str(run))
    assert code == 0, said


def test_a_run_by_batches_sends_the_first_calls_of_all_episodes_together_at_their_own_price(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text('["m (batch)"]\ninput = 1.0\noutput = 4.0\n')
    with batch_server() as server:
        server.expires = {0}
        prices = ("--set", f"limits.prices={tmp_path / 'prices.toml'}", "--budget-usd", 1)
        words = run_of(server, "--tasks", 8, "--concurrency", 8, *prices, "--out", tmp_path / "run")
        said = command(*words, code=0).err
    assert "batch 1, 8 calls to m (batch), is submitted; it may take a day" in said
    assert "batch 1: 4 of 8 calls were answered after" in said
    assert [batch["total"] for batch in server.batches] == [8, 4], "the expired half again"
    assert sorted(server.submitted.values()) == [1] * 4 + [2] * 4
    (body, *_) = (request["body"] for request in server.batches[0]["requests"])
    assert (body["model"], body["messages"][0]["role"]) == ("m", "system")
    (run,) = json.loads(printed("report", tmp_path / "run", "--json"))["runs"]
    assert (run["calls"], run["usd"]) == (8, pytest.approx(8 * (100 * 1 + 10 * 4) / 1e6))
    assert run["charged"]["usd"] == run["usd"], "no more than that is reserved in the end"
    assert not any("/chat/completions" in line for line in server.heard)


def test_a_run_whose_calls_are_more_than_may_be_enqueued_sends_them_in_turn(tmp_path: Path) -> None:
    with batch_server() as server:
        server.room = 3
        said = command(*run_of(server, "--tasks", 4, "--concurrency", 4, "--out", tmp_path / "run"), code=0).err
    refused = "batch 1: m: expected answers of batch batch-0, got its refusal: Enqueued token limit reached for m."
    assert f"{refused}; its 4 calls are sent again, in batches of at most 2" in said
    assert [batch["total"] for batch in server.batches] == [4, 2, 2]
    assert [*server.submitted.values()] == [1] * 4
    (run,) = json.loads(printed("report", tmp_path / "run", "--json"))["runs"]
    assert (run["calls"], run["faulted"]) == (4, 0)


def test_what_cannot_be_called_by_batches_is_refused() -> None:
    assert "got sim-weak" in refused("eval", "react", "textcraft", "--set", "model.batch=true")
    two = ("--set", "model.planner.url=http://127.0.0.1:2/v1", "--dry-run")
    at = ("--model", "m", "--model-url", "http://127.0.0.1:1/v1", "--set", "model.batch=true")
    assert "expected one address and key for all that call m, got others" in refused(
        "eval", "adapt", "textcraft", *at, *two
    )


OPENAI, ANTHROPIC = "/v1/batches", "/v1/messages/batches"
KILLS: dict[str, tuple[str, int, bool]] = {
    "uploading": ("POST /v1/files", 1, False),
    "before it is submitted": (f"POST {OPENAI}", 1, False),
    "before its name is known": (f"POST {OPENAI}", 1, True),
    "polling": (f"GET {OPENAI}/batch-0", 2, False),
    "before it is collected": ("GET /v1/files/output-0/content", 1, False),
    "half collected": ("GET /v1/files/error-0/content", 1, False),
    "after it is collected": ("POST /v1/files", 2, False),
    "before the next one's name is known": (f"POST {OPENAI}", 2, True),
    "Anthropic, before it is submitted": (f"POST {ANTHROPIC}", 1, False),
    "Anthropic, before its name is known": (f"POST {ANTHROPIC}", 1, True),
    "Anthropic, polling": (f"GET {ANTHROPIC}/batch-0", 2, False),
    "Anthropic, before it is collected": (f"GET {ANTHROPIC}/batch-0/results", 1, False),
    "Anthropic, after it is collected": (f"POST {ANTHROPIC}", 2, False),
    "Anthropic, before the next one's name is known": (f"POST {ANTHROPIC}", 2, True),
}
"""See `Hold`."""


@pytest.mark.slow
@pytest.mark.parametrize("place", KILLS)
async def test_a_run_killed_anywhere_submits_nothing_twice_and_loses_nothing(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first batch expires with every other call unanswered: these, and no others, are submitted once more."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-bridge")
    with batch_server() as server:
        server.looks, server.expires = 4, {0}
        anthropic = place.startswith("Anthropic")
        words = run_of(server, "--tasks", 6, "--concurrency", 6, "--out", tmp_path / "run", anthropic=anthropic)
        await kill_and_resume(server, Hold(*KILLS[place]), tmp_path / "run", *words)
    assert sorted(server.submitted.values()) == [1, 1, 1, 2, 2, 2]
    with RunFolder.open_to_read(tmp_path / "run").read_journals() as read:
        ((_, reader),) = read.journals
        assert {row.state for row in reader.episodes()} == {1}


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["output-0", "results", "results_url"])
async def test_a_batch_whose_answers_the_provider_lost_is_said_and_asked_for_again(
    gone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenAI has no file of them; Anthropic has none, or says that it keeps them no more."""
    anthropic = gone != "output-0"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-bridge")
    out = tmp_path / "run"
    with batch_server() as server:
        server.gone = {gone}
        server.holds = Hold(f"POST {ANTHROPIC}" if anthropic else f"POST {OPENAI}", 2, handled=True)
        words = run_of(
            server, "--tasks", 2, "--concurrency", 2, "--out", out, "--budget-tokens", 10**6, anthropic=anthropic
        )
        running = asyncio.create_task(quintet(*map(str, words)))
        assert await asyncio.to_thread(server.holds.begun.wait, 60)
        server.gone = set()
        server.holds.ended.set()
        code, said = await running
    assert code == 0, said
    lost = "that they are kept no more" if anthropic else "that their file is gone"
    assert f"expected answers of batch batch-0, got {lost}; those of its 2 calls that are needed are sent anew" in said
    assert lost in (out / "logs" / "driver.log").read_text()
    assert "a batch of 2 calls was lost, and those that were needed were sent anew: " in printed("report", out)
    assert set(server.submitted.values()) == {2}


@pytest.mark.slow
@pytest.mark.parametrize("anthropic", [False, True])
async def test_a_batch_that_the_provider_does_not_know_suspends_the_run_until_its_day_is_over(
    anthropic: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-bridge")
    out = tmp_path / "run"
    with batch_server() as server:
        server.gone = {"batch-0"}
        code, said = await quintet(*map(str, run_of(server, "--tasks", 2, "--out", out, anthropic=anthropic)))
        assert code != 0
        assert "expected answers of batch batch-0, got that there is none; is the key that of its account?" in said
        server.batches.clear()  # or it would be listed
        with closing(sqlite3.connect(out / BATCHES_FILE)) as stored, stored:
            stored.execute("UPDATE batches SET created = created - 90000")
        code, said = await quintet("resume", str(out))
    assert code == 0, said
    assert "those of its 2 calls that are needed are sent anew" in said


@pytest.mark.slow
def test_anthropics_batches_by_the_bridge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-bridge")

    async def scene(server: BatchServer) -> list[Completion]:
        model = Bridge("anthropic/claude-haiku-4-5", address=server.url.removesuffix("/v1"))
        sampling = Sampling(max_tokens=50, stop=("\nAction",))
        body = model.batch_body(PROMPT, sampling, 1)
        assert await model.find_batch("ours", ["one", "two"], 1e9) is None
        batch = await model.submit_batch("ours", {"one": body, "two": body})
        assert await model.collect_batch(batch) is None
        answers = await model.collect_batch(batch)
        assert answers is not None
        assert list(answers) == ["one"], "the other expired"
        assert await model.find_batch("ours", ["one", "two"], 1e9) == batch
        assert await model.find_batch("another", ["one", "two"], 1e9) is None, "of a run with the same settings"
        await model.aclose()
        return [model.read_batch(answer, PROMPT, sampling)[0] for answer in answers.values()]

    with batch_server() as server:
        server.expires = {0}
        (completion,) = asyncio.run(scene(server))
    assert (completion.text, completion.usage.prompt_tokens) == (SAID.partition("\nAction")[0], 100)
    params = server.batches[0]["requests"][0]["params"]
    assert params["system"][0]["text"] == "Be short."
    assert [message["role"] for message in params["messages"]] == ["user"]


@pytest.mark.parametrize("said", [b"<html>", b"null", b"[]"])
async def test_what_is_no_batch_is_no_answer(said: bytes) -> None:
    with batch_server() as server:
        server.broken = 200, said
        endpoint = Endpoint("m", url=server.url, key=None)
        with pytest.raises(NoAnswer):
            await endpoint.submit_batch("ours", {"one": b"{}"})
        with pytest.raises(NoAnswer):
            await endpoint.collect_batch("batch-0")


@pytest.mark.parametrize("status", [404, 405])
async def test_an_endpoint_without_batches_is_said_to_have_none_and_not_to_lack_the_model(status: int) -> None:
    with batch_server() as server:
        server.broken = status, b'{"detail": "There is none."}'
        endpoint = Endpoint("m", url=server.url, key=None)
        for place, asked in (
            ("POST /v1/files", endpoint.submit_batch("ours", {"one": b"{}"})),
            ("GET /v1/batches", endpoint.find_batch("ours", ["one"], 0.0)),
        ):
            expected = f"expected batches at {place} (where there are none, model.batch=false), got {status}: There is"
            with pytest.raises(EndpointUnavailable, match=re.escape(expected)):
                await asked


@pytest.mark.slow
def test_a_model_of_another_provider_or_with_tools_or_further_parameters_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(variable, "sk-bridge")
    with pytest.raises(UsageError, match="expected a model of Anthropic"):
        Batched(Bridge("openai/gpt-4.1-mini"))
    with pytest.raises(UsageError, match=r"expected no model\.extra, got user"):
        Batched(Bridge("anthropic/claude-haiku-4-5", extra={"user": "me"}))
    with pytest.raises(UsageError, match=r"expected model\.answers text or schema, got tools"):
        Batched(Bridge("anthropic/claude-haiku-4-5", calls_tools=True))
    assert Batched(Endpoint("m", url="http://127.0.0.1:9", key=None)).name == "m (batch)"
