"""The same service under aiohttp, which cancels a handler whose client has left if it is told to."""

from collections.abc import AsyncGenerator

import msgspec
from aiohttp import web

from quintet.api import Ref, open_run
from quintet.errors import Fault, RunBusy
from quintet.messages.planning import Decompose

PLANNER = web.AppKey("planner", Ref)
SETTING = "Crafting commands:\ncraft 4 stick using 2 planks\ncraft 4 oak planks using 1 oak logs"


async def planner(app: web.Application) -> AsyncGenerator[None, None]:
    async with open_run("adapt", "textcraft", model="sim-strong", tasks=1, journal=None, max_asks=1000) as run:
        app[PLANNER] = run.ref("planner")
        yield


async def plan(request: web.Request) -> web.Response:
    goal = (await request.json())["goal"]
    try:
        answer = await request.app[PLANNER].ask(Decompose(setting=SETTING, goal=goal))
    except RunBusy as busy:
        raise web.HTTPTooManyRequests(text=str(busy)) from busy
    except Fault as fault:
        raise web.HTTPServiceUnavailable(text=str(fault)) from fault
    return web.json_response({"reply": msgspec.to_builtins(answer.reply), "calls": answer.calls})


app = web.Application()
app.cleanup_ctx.append(planner)
app.router.add_post("/plan", plan)

if __name__ == "__main__":
    web.run_app(app, handler_cancellation=True)  # else a handler goes on when its client has left
