"""Serves one instance of the sites for people: `python -m quintet.environments.webarena.sites --port 8000`."""

import argparse
import asyncio
import contextlib

from quintet.environments.webarena.sites.server import SiteServer
from quintet.environments.webarena.sites.visit import Instance


async def _serve(port: int) -> None:
    server = SiteServer(port)
    await server.start()
    for name, address in server.addresses(server.add(Instance())).items():
        print(f"{name:12} {address}", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m quintet.environments.webarena.sites", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="of 127.0.0.1; 0 takes a free one (default: 8000)")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(parser.parse_args().port))


if __name__ == "__main__":
    _main()
