"""A planner behind a web service: one run stays open, and every handler asks the same ref."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from fastapi import FastAPI, HTTPException, Request
from pydantic import BaseModel

from quintet.api import Ref, open_run
from quintet.errors import Fault, RunBusy
from quintet.messages.planning import Decompose


class Goal(BaseModel):
    goal: str
    setting: str = "Crafting commands:\ncraft 4 stick using 2 planks\ncraft 4 oak planks using 1 oak logs"


refs: dict[str, Ref] = {}


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
    async with open_run("adapt", "textcraft", model="sim-strong", tasks=1, journal=None, max_asks=1000) as run:
        refs["planner"] = run.ref("planner")
        yield


app = FastAPI(lifespan=lifespan)


async def plan(goal: Goal) -> dict[str, Any]:
    try:
        answer = await refs["planner"].ask(Decompose(setting=goal.setting, goal=goal.goal))
    except RunBusy as busy:  # 1,000 asks are under way
        raise HTTPException(429, str(busy)) from busy
    except Fault as fault:  # the endpoint is away, the budget is spent, the service is stopping
        raise HTTPException(503, str(fault)) from fault
    used = {"calls": answer.calls, "tokens": answer.usage.prompt_tokens + answer.usage.completion_tokens}
    return {"reply": msgspec.to_builtins(answer.reply), **used, "dollars": answer.dollars}


@app.post("/plan")
async def plan_here(goal: Goal, request: Request) -> dict[str, Any]:
    asking = asyncio.create_task(plan(goal))
    leaving = asyncio.ensure_future(request.receive())  # the body is read: what still comes is that the client has left
    try:
        await asyncio.wait([asking, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            raise HTTPException(499, "the client has left")
        return await asking
    finally:
        asking.cancel()
        leaving.cancel()


@app.post("/plan-in-a-thread")
def plan_in_a_thread(goal: Goal) -> dict[str, Any]:  # FastAPI runs a plain function in a thread of its pool
    return asyncio.run(plan(goal))


if __name__ == "__main__":
    from fastapi.testclient import TestClient

    with TestClient(app) as client:
        for path in ("/plan", "/plan-in-a-thread"):
            print(client.post(path, json={"goal": "craft stick"}).json())
