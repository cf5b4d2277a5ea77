"""A world of ours through the door keeps the contract of worlds, with the server's own copies."""

import signal
import subprocess
import sys

import pytest

from tests.actors.environments.openenv.test_world import MUG
from tests.command import printed

_MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.slow
def test_a_served_world_keeps_the_contract_of_worlds() -> None:
    words = [sys.executable, "-c", _MAIN, "serve-world", "alfworld", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        said = printed("check", "environment", f"openenv:{address}", "--task", MUG)
        server.send_signal(signal.SIGINT)
    assert " 0 broken" in said, said
