"""The keeper: a process that starts every command, each where an overlay is mounted for it alone.

It runs as a script, `keeper.py UID`, with a socket as its standard input. It becomes that user (0: it stays who it is)
and the root of a user namespace of its own, which owns nothing outside: so what it starts may mount, and read whatever
the user's own files are. A request is one message, `[folder, overlay, words]` as JSON, with the files that become 0, 1
and 2 (the second twice), 3 and 4. When the socket's other end is closed it ends, and with it all that it has started.
"""

import ctypes
import fcntl
import json
import os
import signal
import socket
import sys

MOUNT_POINT = "m"
"""The name, in the folder of a request, of the folder on which its overlay is mounted."""

_CLONE_NEWNS = 0x00020000
_CLONE_NEWUSER = 0x10000000
_MS_PRIVATE_ALL = (1 << 18) | 0x4000
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_LONGEST = 2**16
_FILES = 4
_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: str, target: str, kind: str | None, flags: int, options: str | None) -> None:
    texts = (source, target, kind, options)
    source_, target_, kind_, options_ = (None if text is None else text.encode() for text in texts)
    _check(_libc.mount(source_, target_, kind_, ctypes.c_ulong(flags), options_), f"mount {kind or target}")


def _become(user: int) -> None:
    """Become a user, and the root of a user namespace in which this user is the only one."""
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        _libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)  # or its own files in /proc are root's
    users = {"uid_map": os.getuid(), "gid_map": os.getgid()}
    _check(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS), "a user namespace")
    for name, text in (("setgroups", "deny"), *((name, f"0 {number} 1") for name, number in users.items())):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123  this script imports no more than it needs
            file.write(text)
    _mount("none", "/", None, _MS_PRIVATE_ALL, None)


def _start(keeper: int, request: bytes, files: list[int]) -> None:
    """In a child: become the command."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != keeper:
        return
    folder, overlay, words = json.loads(request)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123  as above
        score.write("1000")  # the first to go where the machine's memory runs out
    high = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 16) for file in files]
    for number, file in enumerate((high[0], high[1], high[1], high[2], high[3])):
        os.dup2(file, number)
    try:
        os.chdir(folder)
        if overlay:
            _check(_libc.unshare(_CLONE_NEWNS), "a mount namespace")
            _mount("overlay", MOUNT_POINT, "overlay", 0, overlay)
        os.closerange(5, 16)
        os.execv(words[0], words)
    except OSError as error:
        os.write(1, f"{error}\n".encode())


def _serve(channel: socket.socket) -> None:
    keeper = os.getpid()
    # What has ended is waited for by nobody, nor is what bubblewrap leaves: that becomes a child of this process.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    while True:
        request, files, _, _ = socket.recv_fds(channel, _LONGEST, _FILES)
        if not request:
            return
        if os.fork() == 0:
            try:
                _start(keeper, request, files)
            finally:
                os._exit(127)
        for file in files:
            os.close(file)


if __name__ == "__main__":
    with socket.socket(fileno=0) as channel:
        try:
            _become(int(sys.argv[1]))
        except OSError as error:
            channel.send(str(error).encode())
        else:
            channel.send(b"ready")
            _serve(channel)
