"""`serve-roles`: the roles of a run as tools of the Model Context Protocol."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from quintet.cli.console import notify
from quintet.cli.flags import EvaluationFlags, Switch, Whole
from quintet.cli.run import folder_name, new_folder
from quintet.cli.stoppable import stoppable
from quintet.errors import UsageError
from quintet.hooks.hook import Hook
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.plugins.extras import require_extra
from quintet.runs.files import allow_connections

_FLAGS = EvaluationFlags()


def serve_roles_command(
    run: str,
    environment: str | None = None,
    *,
    flags: EvaluationFlags = _FLAGS,
    port: Whole | None = None,
    host: str = "127.0.0.1",
    key: str | None = None,
    trust: Switch = False,
) -> int:
    """Serve until the client or the first SIGINT or SIGTERM ends it. No episode is played.

    Args:
        run: A run's folder, which is opened again; or, for a run in a new folder, FILE.toml as --config takes it, or a
            method as `quintet eval` takes it.
        environment: Beside a method: `quintet list environments`.
        port: Serve over streamable HTTP there, 0 for any that is free; by default over standard input and output.
        host: Whose connections to take; only this machine's by default, others' only with --key.
        key: The environment variable with the token that every request over HTTP must bring.
        trust: Approve all that a run of somebody else would run, import and contact, which is listed without this.
    """
    require_extra("mcp", "mcp", "serve-roles")
    if port is None and (key is not None or host != "127.0.0.1"):
        raise UsageError("--port: expected one beside --host and --key, got none")
    if flags.detach or flags.json or flags.dry_run:
        raise UsageError("serve-roles: expected none of --detach, --json and --dry-run, got one")
    hooks = flags.load_hooks()
    with _opened(run, environment, flags, trust=trust) as folder:
        allow_connections()
        try:
            asyncio.run(stoppable(_serve(folder, hooks, port=port, host=host, key=key)))
        except KeyboardInterrupt:
            return 0
        except UsageError:
            folder.discard()  # nothing was asked; one that was opened again stays
            raise
    return 0


def _opened(run: str, environment: str | None, flags: EvaluationFlags, *, trust: bool) -> WritableRun:
    if environment is not None:
        layers = flags.layers(method=run, environment=environment)
    elif run.endswith(".toml"):
        layers = replace(flags, config=Path(run)).layers()
    else:
        return WritableRun.open(Path(run), flags.settings(), trust=trust)
    prepared = prepare(layers)
    return WritableRun.create(new_folder(flags.out, f"roles-{folder_name(prepared.record)}"), prepared)


async def _serve(folder: WritableRun, hooks: Sequence[Hook], *, port: int | None, host: str, key: str | None) -> None:
    from quintet.serving.role_server import serve_on_port, serve_on_stdio  # imports the protocol's package
    from quintet.serving.role_tools import RoleTools

    async with open_evaluation(folder, tell=notify, hooks=hooks, collect_rarely=True) as run:
        tools = RoleTools(run)
        if port is None:
            notify(f"serving {', '.join(tools.names)} of {folder.path} on standard input and output")
            await serve_on_stdio(tools.server())
            return
        async with serve_on_port(tools.server(), host=host, port=port, key=key) as address:
            print(f"serving {', '.join(tools.names)} of {folder.path} at {address}", flush=True)
            with suppress(asyncio.CancelledError):  # it has no other end, and an end is no interruption
                await asyncio.get_running_loop().create_future()
