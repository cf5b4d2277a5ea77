"""The socket: commands and answers by line, and clients that cannot harm the run."""

import asyncio
import logging
import socket
import stat
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from quintet.control import client
from quintet.control.client import hosts_text, send_command
from quintet.control.messages import (
    CancelEpisode,
    CommandDone,
    CommandRefused,
    ControlCommand,
    ControlReply,
    GetStatus,
    Pause,
    Resume,
    RunStatus,
    encode_line,
    reply_decoder,
    short_name,
)
from quintet.control.server import listen
from quintet.runs.folder import SOCKET
from tests.command import printed
from tests.deploy import samples

pytestmark = pytest.mark.real_time


async def echo(command: ControlCommand) -> ControlReply:
    match command:
        case Resume():
            raise RuntimeError("a bug")
        case CancelEpisode(episode="slow"):
            await asyncio.sleep(3600)
            raise AssertionError
        case _:
            return CommandDone(text=repr(command))


@asynccontextmanager
async def connect(folder: Path) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter], None]:
    with short_name(folder / SOCKET) as name:
        reader, writer = await asyncio.open_unix_connection(name)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def listening(folder: Path) -> AsyncGenerator[None, None]:
    async with asyncio.timeout(60), listen(folder, echo):
        yield


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Generator[pytest.LogCaptureFixture, None, None]:
    logger = logging.getLogger("quintet.control")
    logger.addHandler(caplog.handler)
    yield caplog
    logger.removeHandler(caplog.handler)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def ask_once(folder: Path, command: ControlCommand) -> ControlReply:
    return await asyncio.to_thread(send_command, folder, command)


async def test_a_command_is_answered_and_several_on_one_connection(tmp_path: Path) -> None:
    async with listening(tmp_path):
        assert await ask_once(tmp_path, Pause()) == CommandDone(text="Pause()")
        async with connect(tmp_path) as (reader, writer):
            for _ in range(3):
                writer.write(encode_line(Pause()))
                assert reply_decoder.decode(await reader.readline()) == CommandDone(text="Pause()")


@pytest.mark.parametrize("below", [".", f"{'a' * 150}/{'b' * 150}"], ids=["short", "a folder of 300 characters"])
async def test_only_its_owner_may_connect_and_the_socket_goes_with_the_run(below: str, tmp_path: Path) -> None:
    folder = tmp_path / below
    folder.mkdir(parents=True, exist_ok=True)
    async with listening(folder):
        before = open_files()
        assert isinstance(await ask_once(folder, Pause()), CommandDone)
        mode = (folder / SOCKET).stat().st_mode
        assert stat.S_ISSOCK(mode)
        assert stat.S_IMODE(mode) == 0o600
        assert open_files() <= before + 1
    assert list(folder.iterdir()) == []


async def test_the_socket_of_a_killed_run_is_replaced(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / SOCKET))
    async with listening(tmp_path):
        assert isinstance(await ask_once(tmp_path, Pause()), CommandDone)


async def test_a_folder_without_sockets_leaves_the_run_without_control_and_says_so(
    tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    (tmp_path / SOCKET).mkdir()
    async with listening(tmp_path):
        assert f"the run cannot be controlled: {tmp_path / SOCKET}" in logged.text
    assert (tmp_path / SOCKET).is_dir()


@pytest.mark.parametrize(
    "garbage",
    [
        b"\n",
        b"hello\n",
        b"{}\n",
        b'{"type":"pause","more":1}\n',
        b'{"type":"cancel"}\n',
        b'{"type":"cancel","episode":3}\n',
        b'{"type":"set_concurrency","episodes":1}\n',
        b'{"type":"\xff\xfe"}\n',
        b'{"a":' + b"[" * 60_000 + b"\n",
        b"GET / HTTP/1.1\r\n",
    ],
)
async def test_garbage_is_refused_and_the_connection_goes_on(garbage: bytes, tmp_path: Path) -> None:
    async with listening(tmp_path), connect(tmp_path) as (reader, writer):
        writer.write(garbage)
        refused = reply_decoder.decode(await reader.readline())
        assert isinstance(refused, CommandRefused)
        assert "expected a command" in refused.reason
        writer.write(encode_line(Pause()))
        assert isinstance(reply_decoder.decode(await reader.readline()), CommandDone)


async def test_a_line_without_end_is_cut_off(tmp_path: Path) -> None:
    async with listening(tmp_path):
        async with connect(tmp_path) as (reader, writer):
            writer.write(b"x" * 1_000_000)
            try:
                said = await reader.read()
            except ConnectionResetError:  # the kernel's answer about unread data
                said = b""
            assert not said or isinstance(reply_decoder.decode(said), CommandRefused)
        assert isinstance(await ask_once(tmp_path, Pause()), CommandDone)


async def test_clients_that_hang_are_disconnected_and_harm_none(
    tmp_path: Path, pass_time: Callable[[float], None]
) -> None:
    async with listen(tmp_path, echo):
        async with connect(tmp_path) as (silent, _), connect(tmp_path) as (half, writer):
            writer.write(b'{"type":')
            assert isinstance(await ask_once(tmp_path, Pause()), CommandDone)
            pass_time(60.0)
            assert await silent.read() == b""
            assert await half.read() == b""
        async with connect(tmp_path) as (_, deaf):
            for _ in range(2000):
                deaf.write(encode_line(CancelEpisode(episode="x" * 1000)))
            assert isinstance(await ask_once(tmp_path, Pause()), CommandDone)
            pass_time(60.0)
            assert isinstance(await ask_once(tmp_path, Pause()), CommandDone)


async def test_a_client_that_leaves_before_its_answer_harms_no_one(tmp_path: Path) -> None:
    async with listening(tmp_path):
        for said in (encode_line(Pause()), b"", b"{"):
            async with connect(tmp_path) as (_, writer):
                writer.write(said)
        assert isinstance(await ask_once(tmp_path, Pause()), CommandDone)


async def test_a_bug_ends_its_own_connection_and_is_logged(tmp_path: Path, logged: pytest.LogCaptureFixture) -> None:
    async with listening(tmp_path):
        async with connect(tmp_path) as (reader, writer):
            writer.write(encode_line(Resume()))
            assert await reader.read() == b""
        assert isinstance(await ask_once(tmp_path, Pause()), CommandDone)
    assert "RuntimeError: a bug" in logged.text


async def test_the_end_of_the_run_waits_for_no_client(tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        async with listen(tmp_path, echo), connect(tmp_path) as (reader, writer):
            writer.write(encode_line(CancelEpisode(episode="slow")))
            await asyncio.sleep(0.05)
            ended = asyncio.create_task(reader.read())
        assert await ended == b""


def status(living: str) -> RunStatus:
    return RunStatus(
        episodes=4, done=1, paused=False, concurrency=1, running=(), queued=(), hosts=(), lost=(), hosts_text=living
    )


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return samples.write(tmp_path / "run", samples.record(), {"beehive": samples.Went()})


async def test_show_says_how_many_hosts_live_of_a_run_that_answers(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_GLANCE_SECONDS", 60.0)
    said: ControlReply = status("2 of 3 hosts live")

    async def answer(command: ControlCommand) -> ControlReply:
        assert command == GetStatus()
        return said

    async with asyncio.timeout(60), listen(run, answer):
        assert (await asyncio.to_thread(printed, "show", run)).splitlines()[-1] == "2 of 3 hosts live"
        said = CommandRefused(reason="not now")
        assert hosts_text(run / "nowhere") == await asyncio.to_thread(hosts_text, run) == ""
    assert "live" not in await asyncio.to_thread(printed, "show", run)
