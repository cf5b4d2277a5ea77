import asyncio
import os
import select
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.environments.webarena.provision.users import read_reset, run_reset
from quintet.errors import UsageError, WorldFault


def _python(code: str) -> tuple[str, ...]:
    return read_reset(f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}")


_FAILS = _python("import sys; print('starting'); print('no\\x1b[31m x', file=sys.stderr); sys.exit(3)")


def test_a_command_is_words_and_no_shell_reads_it() -> None:
    assert read_reset("docker restart 'my shop' $HOME | cat") == ("docker", "restart", "my shop", "$HOME", "|", "cat")


def test_true_is_the_command_of_that_name_and_false_is_none() -> None:
    assert read_reset(True) == read_reset("true") == ("true",)
    assert read_reset(False) == read_reset(None) == ()


@pytest.mark.parametrize(("command", "got"), [("", "an empty text"), ("  ", "an empty text"), ("a 'b", "No closing")])
def test_a_text_that_is_no_command_is_refused(command: str, got: str) -> None:
    with pytest.raises(UsageError, match=f"^reset: expected a command, got {got}"):
        read_reset(command)


async def test_a_command_that_ends_well_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    await run_reset(_python(f"open({str(tmp_path / 'ran')!r}, 'x'); print('done')"))
    assert (tmp_path / "ran").exists()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("words", "seconds", "expected"),
    [
        (_FAILS, 60, r"code 0, got 3: no\?\[31m x$"),
        (_python("raise SystemExit(1)"), 60, "code 0, got 1: no output$"),
        (("/no/such/program",), 60, "reset: /no/such/program: expected a command that can be started"),
        (_python("import time; time.sleep(60)"), 0.2, "expected its end within 0.2 s, got none$"),
    ],
    ids=["fails", "fails in silence", "cannot be started", "takes too long"],
)
async def test_a_command_that_fails_is_an_error_with_its_last_line(
    words: tuple[str, ...], seconds: float, expected: str
) -> None:
    with pytest.raises(WorldFault, match=expected):
        await run_reset(words, seconds=seconds)


async def test_a_command_may_leave_a_server_running(tmp_path: Path) -> None:
    end = tmp_path / "end"
    os.mkfifo(end)
    server = f"open({str(end)!r}).read()"  # until somebody writes there, with the command's output open
    await run_reset(_python(f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {server!r}])"))
    assert end.write_text("now") == 3  # it is written once the server, which lives on, reads it


def test_a_command_ends_with_the_process_that_runs_it_and_so_does_what_it_started(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    os.mkfifo(numbers)
    server = "import os; os.setsid(); os.read(0, 1)"
    command = (
        "import os, subprocess, sys;"
        f"child = subprocess.Popen([sys.executable, '-c', {server!r}], stdin=subprocess.PIPE);"
        f"open({str(numbers)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}'); child.wait()"
    )
    code = (
        "import asyncio, sys; from quintet.environments.webarena.provision.users import run_reset;"
        "asyncio.run(run_reset((sys.executable, '-c', sys.argv[1])))"
    )
    with subprocess.Popen([sys.executable, "-c", code, command]) as driver:
        ended = [os.pidfd_open(int(number)) for number in numbers.read_text().split()]
        assert len(ended) == 2
        driver.kill()
    for process in ended:
        assert select.select([process], [], [], 60)[0]
        os.close(process)


async def test_a_command_that_is_cancelled_is_ended_with_what_it_started(tmp_path: Path) -> None:
    held = tmp_path / "held"
    os.mkfifo(held)
    other = f"import time; file = open({str(held)!r}, 'w'); time.sleep(60); file.write('lives')"
    task = asyncio.create_task(
        run_reset(_python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {other!r}])"))
    )
    file = await asyncio.to_thread(held.open)  # as soon as the other process has it open
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(file.read) == ""
    file.close()


async def test_a_command_that_is_cancelled_as_it_begins_is_no_error() -> None:
    task = asyncio.create_task(run_reset(_python("input()")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
