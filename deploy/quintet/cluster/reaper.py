"""The reaper: a process that starts a local Ray, and ends all of it when the process that started the reaper ends.

Ray ends most of its processes with their parent, but not all, and not soon. The reaper adopts every orphan below it
(Linux: a subreaper), so that it finds them all. It runs as a script, `reaper.py dashboard|plain`. Its owner holds its
standard input open as long as Ray is needed. Once Ray runs, it writes its address as one line of JSON.
"""

import json
import os
import sys
import threading
import traceback
from typing import Any, cast

from quintet.environments.guard import adopt_orphans, end_children

OBJECT_STORE_BYTES = 128 * 2**20
"""Small: all messages of a run travel inside the calls."""


def make_token() -> None:
    """Turn Ray's authentication on; make its token for this user if there is none, readable by this user alone."""
    from quintet.cluster import ray_private

    os.environ.setdefault("RAY_AUTH_MODE", "token")
    before = os.umask(0o077)
    try:
        ray_private.read_authentication()
        ray_private.make_token_if_missing()
    finally:
        os.umask(before)


def _start(*, dashboard: bool) -> str:
    import ray

    make_token()
    context = cast("Any", ray).init(
        address="local",
        include_dashboard=dashboard,
        log_to_driver=False,
        configure_logging=False,
        object_store_memory=OBJECT_STORE_BYTES,
    )
    return str(context.address_info["gcs_address"])


def _watch() -> None:
    while os.read(0, 1):
        pass
    end_children()
    os._exit(0)  # there is nothing left for Ray's exit handlers


def _main(mode: str) -> None:
    """Start Ray, report its address, and keep it until standard input ends, even if that is during the start."""
    output = os.dup(1)
    os.dup2(2, 1)  # what Ray prints is not for our reader
    adopt_orphans()
    watch = threading.Thread(target=_watch)
    watch.start()
    try:
        address = _start(dashboard=mode == "dashboard")
        os.write(output, json.dumps({"address": address}).encode() + b"\n")
    except Exception:  # noqa: BLE001  our owner reports it, and nothing of Ray may stay
        traceback.print_exc()
        end_children()
        os._exit(1)
    watch.join()


if __name__ == "__main__":
    _main(*sys.argv[1:])
