"""The seed: the same in every process."""

import subprocess
import sys

from quintet.environments.webarena.sites.seed import the_seed


def test_two_processes_make_the_same_seed() -> None:
    code = "from quintet.environments.webarena.sites.seed import the_seed; print(the_seed().digest)"
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == the_seed().digest
