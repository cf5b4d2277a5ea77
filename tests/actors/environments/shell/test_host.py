"""The process that starts commands, and what is left when the process that it belongs to ends."""

import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from quintet.environments.shell import host
from quintet.environments.shell.host import ShellHost, shell_host
from quintet.environments.shell.sandbox import try_sandbox
from quintet.environments.shell.scratch import abandoned, make_scratch
from quintet.errors import UsageError, WorldFault
from tests.actors.environments.shell.sandboxes import NEEDS_SANDBOX, Commands

_MARK = f"quintet_left_{os.getpid()}"
_SCRIPT = """
from quintet.environments.shell.host import shell_host
from tests.actors.environments.shell.sandboxes import Commands
commands = Commands(shell_host())
print(shell_host().layers.parent, flush=True)
commands.run("{command}", seconds=1000)
"""
_SECONDS = 60


def _start(command: str) -> tuple[subprocess.Popen[str], Path]:
    """A process that runs a command in a sandbox, and its scratch folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT.format(command=command)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    scratch = Path(process.stdout.readline().strip())
    process.stdout.close()
    return process, scratch


def _below(process: int) -> dict[int, bytes]:
    """All processes below one, with their words."""
    found: dict[int, bytes] = {}
    try:
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (thread / "children").read_text(encoding="utf-8").split()):
                found |= {child: Path(f"/proc/{child}/cmdline").read_bytes(), **_below(child)}
    except (FileNotFoundError, ProcessLookupError):
        pass  # one of them has just ended
    return found


@NEEDS_SANDBOX
def test_a_process_that_is_killed_in_mid_command_leaves_no_process_and_the_next_start_removes_its_folder() -> None:
    process, scratch = _start(f"setsid -f bash -c 'exec -a {_MARK} sleep 999'; exec -a {_MARK} sleep 998")
    running = _below(process.pid)
    while sum(words.startswith(_MARK.encode()) for words in running.values()) < 2:
        assert process.poll() is None
        running = _below(process.pid)
    handles = [os.pidfd_open(number) for number in running]
    process.send_signal(signal.SIGKILL)
    process.wait()
    for handle in handles:
        ended = select.select([handle], [], [], _SECONDS)[0]
        os.close(handle)
        assert ended
    assert scratch.exists()
    assert scratch in list(abandoned())
    ShellHost().close()
    assert not scratch.exists()


@NEEDS_SANDBOX
def test_a_process_that_ends_removes_its_folder() -> None:
    process, scratch = _start("mkdir -p a/b; touch a/b/c; chmod 000 a")
    assert process.wait() == 0
    assert not scratch.exists()


@NEEDS_SANDBOX
def test_the_folder_of_a_living_process_is_not_swept() -> None:
    here = shell_host()
    assert here.layers.parent not in list(abandoned())
    own = make_scratch(here.user)
    assert own.folder not in list(abandoned())
    own.lock.close()
    assert own.folder in list(abandoned())
    here.remove(own.folder)


@NEEDS_SANDBOX
def test_a_child_that_was_forked_leaves_its_parents_folder_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    here = shell_host()
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: 1)
        here.close()
    assert here.layers.exists()


@NEEDS_SANDBOX
def test_a_bubblewrap_that_makes_no_sandbox_is_a_fault_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho Unknown option --disable-userns >&2; exit 1\n", encoding="utf-8")
    (tmp_path / "bwrap").chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    other = ShellHost()
    with pytest.raises(WorldFault, match="expected a sandbox, got: "):
        try_sandbox(other)
    other.close()


@NEEDS_SANDBOX
def test_a_program_that_fails_is_a_fault_in_its_words() -> None:
    with pytest.raises(WorldFault, match=r"rm failed: .*No such file"):
        shell_host().call(["rm", "no such file"])


@NEEDS_SANDBOX
def test_a_program_with_more_errors_than_a_pipe_holds_is_a_fault() -> None:
    with pytest.raises(WorldFault, match=r"sh failed: .*last"):
        shell_host().call(["sh", "-c", "seq 100000 >&2; seq 100000; echo last >&2; exit 1"])


@NEEDS_SANDBOX
def test_a_process_that_is_forked_from_the_owner_leaves_the_folders_alone() -> None:
    here = ShellHost()
    commands = Commands(here)
    child = os.fork()
    if child == 0:
        try:
            here.remove(commands.folder.top.top)
            here.close()
            with pytest.raises(WorldFault, match="got one that was forked from it"):
                commands.run("true")
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert commands.run("touch a; ls").output == "a\n"
    here.close()


@NEEDS_SANDBOX
def test_a_keeper_that_was_killed_is_started_again_and_nothing_is_lost() -> None:
    others = set(_below(os.getpid()))
    here = ShellHost()
    commands = Commands(here)
    commands.run("touch a")
    ours = {number: words for number, words in _below(os.getpid()).items() if number not in others}
    (keeper,) = (number for number, words in ours.items() if b"keeper.py" in words and b"guard.py" not in words)
    guard = Path(f"/proc/{keeper}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]
    os.kill(keeper, signal.SIGKILL)
    os.waitid(os.P_PID, int(guard), os.WEXITED | os.WNOWAIT)
    assert commands.run("ls").output == "a\n"
    here.close()


@NEEDS_SANDBOX
@pytest.mark.skipif(os.geteuid() != 0, reason="commands are run by the user of this process")
def test_a_place_that_whoever_runs_commands_cannot_enter_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(UsageError, match="expected a folder for temporary files that user 65534 can enter, got "):
        ShellHost()
    assert not list(tmp_path.iterdir())


@NEEDS_SANDBOX
def test_an_overlay_that_cannot_be_mounted_is_a_fault() -> None:
    with pytest.raises(WorldFault, match="mount overlay"):
        shell_host().call(["true"], "lowerdir=missing,upperdir=missing,workdir=missing")


def test_a_machine_without_bubblewrap_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert host.lacking() == "bubblewrap (Debian, Ubuntu: apt install bubblewrap)"
    with pytest.raises(UsageError, match=r"expected bubblewrap .*apt install bubblewrap.*, got a machine without"):
        ShellHost()
