"""Commands that mean harm end as observations, and leave nothing behind."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quintet.environments.shell.host import ShellHost, shell_host
from quintet.environments.shell.sandbox import Ran, SandboxCommand, run_command
from quintet.environments.shell.tree import measure, settle
from quintet.errors import WorldFault
from tests.actors.environments.shell.sandboxes import HOME, LIMITS, NEEDS_SANDBOX, Commands

pytestmark = NEEDS_SANDBOX

_MARK = f"quintet_test_mark_{os.getpid()}"


@pytest.fixture
def shell() -> Iterator[Commands]:
    """A folder with one file; afterwards no process that a command has started is left, and no mount."""
    yield Commands(shell_host(), {"given": "text\n"})
    assert not _marked()
    assert "overlay" not in Path("/proc/self/mountinfo").read_text(encoding="utf-8")


def _marked() -> list[str]:
    """Processes of this machine whose words hold the mark."""
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if _MARK.encode() in words:
            found.append(f"{place.name}: {words[-80:]!r}")
    return found


def test_a_command_has_its_output_its_exit_code_and_its_directory(shell: Commands) -> None:
    ran = shell.run("mkdir -p a/b; cd a/b; echo out; echo err >&2; exit 3")
    assert ran == Ran("out\nerr\n", 3, None, f"{HOME}/a/b")
    assert shell.run("pwd; ls ../..", directory=ran.directory).output == f"{HOME}/a/b\na\ngiven\n"


def test_a_command_that_leaves_the_folder_or_removes_it_goes_on_at_home(shell: Commands) -> None:
    assert shell.run("cd /usr").directory == HOME
    assert shell.run("mkdir x; cd x; rm -r ../x").directory in (HOME, f"{HOME}/x")
    assert shell.run("pwd", directory=f"{HOME}/x").output == f"{HOME}\n"


def test_removing_the_folder_itself_empties_it(shell: Commands) -> None:
    assert shell.run(f"mkdir -p a/b; rm -rf {HOME} 2>/dev/null; rm -rf {HOME}/*").code == 0
    assert shell.output("ls -A; echo still here") == "still here\n"


def test_the_same_variables_are_set_for_every_command(shell: Commands) -> None:
    seen = shell.output("export X=1; echo $HOME $TZ $LANG $(hostname) $(whoami) $(id -u) $PWD; cat")
    assert seen == f"/tmp UTC C.UTF-8 sandbox agent 1000 {HOME}\n"
    assert shell.output("echo [$X]; env | cut -d= -f1 | sort | tr '\\n' ' '") == (
        "[]\nHOME LANG PATH PWD PYTHONDONTWRITEBYTECODE PYTHONHASHSEED SHLVL TERM TZ USER _ "
    )


def test_a_fork_bomb_is_bounded_and_ends(shell: Commands) -> None:
    refused = "until read -r line <said && [[ $line == *unavailable* ]]; do true; done; echo $line"
    ran = shell.run(f"bomb(){{ bomb|bomb; }}; bomb 2>said & touch said; {refused}")
    assert "Resource temporarily unavailable" in ran.output
    assert ran.code == 0


def test_the_first_process_and_the_parent_cannot_be_killed(shell: Commands) -> None:
    assert shell.run("kill -9 1; kill -9 -1; kill -9 $PPID; echo alive").output.endswith("alive\n")
    assert shell.run("kill -9 $$").code == 137


def test_a_command_that_sleeps_for_ever_is_killed(shell: Commands) -> None:
    ran = shell.run(f"exec -a {_MARK} sleep 1000", seconds=1)
    assert (ran.code, ran.stopped, ran.directory) == (None, "seconds", HOME)


def test_what_a_command_leaves_in_the_background_dies_with_it(shell: Commands) -> None:
    text = f"setsid -f bash -c 'exec -a {_MARK} sleep 1000' >/dev/null 2>&1; (exec -a {_MARK} sleep 999) & echo gone"
    assert shell.run(text) == Ran("gone\n", 0, None, HOME)
    assert not _marked()


def test_a_command_that_closes_its_files_is_still_watched(shell: Commands) -> None:
    text = f"exec <&- >&- 2>&- 3>&- 4>&-; exec -a {_MARK} sleep 1000"
    assert shell.run(text, seconds=1).stopped == "seconds"


def test_endless_output_is_cut_in_its_middle_and_stopped(shell: Commands) -> None:
    ran = shell.run("echo first; yes")
    assert ran.stopped == "output"
    assert ran.output.startswith("first\ny\n")
    assert "characters left out ..." in ran.output
    assert len(ran.output) < LIMITS.shown + 50


def test_output_that_is_no_text_is_shown_as_text(shell: Commands) -> None:
    assert shell.output(r"printf 'a\xff\x00\x1b[31mb\xc3'") == "a\ufffd\ufffd\ufffd[31mb\ufffd"


def test_a_file_beyond_its_limit_is_cut(shell: Commands) -> None:
    ran = shell.run("head -c 100M /dev/zero > big; stat -c %s big")
    assert "File too large" in ran.output
    assert ran.output.endswith(f"{LIMITS.file_mb * 2**20}\n")


@pytest.mark.parametrize(
    "text",
    [
        "i=0; while :; do head -c 5M /dev/zero > f$i; i=$((i+1)); sleep 0.01; done",
        "i=0; while :; do : > f$i; i=$((i+1)); done",
        "while :; do mkdir d; cd d; done",
    ],
    ids=["bytes", "names", "depth"],
)
def test_filling_the_folder_is_stopped(shell: Commands, text: str) -> None:
    assert shell.run(text).stopped == "folder"


def test_memory_is_bounded_in_a_process_and_in_all_together(shell: Commands) -> None:
    assert "memory exhausted" in shell.output("tail /dev/zero")
    hoard = "(head -c 60M /dev/zero; sleep 99) | tail & "
    assert shell.run(hoard * 8 + "wait").stopped == "memory"


def test_computing_for_ever_ends_at_the_limit_of_computing(shell: Commands) -> None:
    ran = shell.run("bash -c 'while :; do :; done'; echo $?", cpu_seconds=1)
    assert ran.output.splitlines()[-1] in ("137", "152")


def test_nothing_of_the_host_is_seen(shell: Commands) -> None:
    secret = Path("/tmp") / f"{_MARK}-{os.getpid()}"
    secret.write_text("secret", encoding="utf-8")
    try:
        seen = f"ls {secret} /root /home /etc/shadow /sys 2>&1 | grep -vc 'No such'; ls -A /tmp | wc -l"
        assert shell.output(seen) == "0\n0\n"
    finally:
        secret.unlink()
    assert shell.output("ls /") == "bin\ndev\netc\nlib\nlib64\nproc\nsbin\ntmp\nusr\nwork\n"
    assert shell.output(f"ls /proc | grep -c '^[0-9]'; cat /proc/{os.getpid()}/environ 2>&1 | grep -c 'No such'") in (
        f"{number}\n1\n" for number in range(3, 8)
    )


def test_no_variable_of_the_host_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    here = ShellHost()
    try:
        seen = Commands(here).output(
            "tr '\\0' '\\n' < /proc/1/environ | cut -d= -f1; cat /proc/*/environ | grep -c secret"
        )
    finally:
        here.close()
    assert set(seen.split()) <= {"PATH", "LD_LIBRARY_PATH", "LC_CTYPE", "0"}


def test_nothing_outside_the_folder_is_written(shell: Commands) -> None:
    tried = "for each in / /usr /etc /dev /usr/bin /proc/sys/kernel; do touch $each/x 2>/dev/null && echo $each; done"
    assert shell.output(f"{tried}; echo 1 > /proc/sys/kernel/panic; echo 1 > /dev/null; echo end").endswith("end\n")
    assert shell.output("echo kept > /tmp/x; cat /tmp/x; ls /dev/shm") == "kept\n"
    assert "No such file" in shell.output("cat /tmp/x")


def test_a_link_out_of_the_folder_leads_nowhere(shell: Commands) -> None:
    target = Path("/tmp") / f"{_MARK}-target-{os.getpid()}"
    target.mkdir()
    try:
        shell.run(f"ln -s {target} out; echo x > out/file; ln -s /etc/passwd users; ln -s out again")
        assert not list(target.iterdir())
        settle(shell.folder.top.top, 0, 0)
        assert target.stat().st_mtime > 1
    finally:
        target.rmdir()


def test_there_is_no_network_and_no_way_to_more_rights(shell: Commands) -> None:
    assert "ok" not in shell.output("exec 5<>/dev/tcp/127.0.0.1/80 && echo ok")
    assert shell.output("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '") == "lo\n"
    assert "ok" not in shell.output("unshare -Ur true && echo ok")
    assert "ok" not in shell.output("mount -t tmpfs none /tmp && echo ok; chown 0 given && echo ok")
    shell.run("cp /usr/bin/id mine; chmod u+s mine")
    assert shell.output("./mine -u; grep NoNewPrivs /proc/self/status | cut -f2") == "1000\n1\n"


def test_names_of_odd_bytes_and_thousands_of_files_are_kept(shell: Commands) -> None:
    shell.run(r"""touch -- $'a\xff b' '-rf' '*' ' '; mkdir $'d\xfe'; cd $'d\xfe'""")
    assert shell.output("ls -A | wc -l") == "6\n"
    ran = shell.run("pwd", directory=shell.run(r"cd $'d\xfe'").directory)
    assert ran.directory == f"{HOME}/d\udcfe"
    assert shell.run("touch $(seq 400); ls -A | wc -l").output == "406\n"


@pytest.mark.parametrize("name", [r"a\nb", r"a\u2028b", r"a\x0cb", r"a\n"])
def test_a_current_directory_may_have_any_name(shell: Commands, name: str) -> None:
    ran = shell.run(f"mkdir $'{name}'; cd $'{name}'; touch here")
    assert shell.run("ls", directory=ran.directory).output == "here\n"


@pytest.mark.parametrize("letter", ["x", r"\xff"])
def test_a_current_directory_whose_path_is_too_long_is_left_and_the_folder_is_too_deep(
    shell: Commands, letter: str
) -> None:
    ran = shell.run(f"n=$(printf '{letter}%.0s' {{1..250}}); for i in {{1..60}}; do mkdir $n && cd $n; done")
    assert ran.directory == HOME
    assert measure(shell.folder.top.top).too_deep
    assert shell.run("true", directory=ran.directory).directory == HOME


def test_a_command_may_write_what_it_likes_to_the_sandboxs_own_files(shell: Commands) -> None:
    assert shell.run("echo /etc >&4; trap - EXIT; echo x >&3").directory == HOME
    assert shell.run(f"echo {HOME}/../etc >&4; trap - EXIT").directory.startswith(HOME)
    assert shell.run("yes >&4 & sleep 0.2; echo ok").output == "ok\n"


def test_a_hidden_folder_of_the_hosts_is_empty(shell: Commands) -> None:
    command = SandboxCommand("ls -A /usr/share/doc | wc -l", HOME, HOME, hidden=(Path("/usr/share/doc"),))
    assert run_command(shell.host, shell.folder, command, LIMITS).output == "0\n"


def test_a_sandbox_that_cannot_be_made_is_a_fault_in_its_own_words(shell: Commands) -> None:
    command = SandboxCommand("true", HOME, HOME, hidden=(Path("/usr/bin"),))
    with pytest.raises(WorldFault, match="expected a sandbox, got: bwrap: execvp /bin/bash"):
        run_command(shell.host, shell.folder, command, LIMITS)
