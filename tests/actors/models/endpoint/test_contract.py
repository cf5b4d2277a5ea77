"""An endpoint keeps the contract of models, and is as repeatable as the server behind it."""

from collections.abc import Iterator

import pytest
from aiohttp import web

from quintet.messages.prompts import ChatMessage, Prompt, assistant, user
from quintet.models.completion import complete_with
from quintet.ports.model import Sampling
from quintet.testing.model import *  # noqa: F403
from quintet.testing.model_case import ModelCase
from quintet.testing.repeatable_model import *  # noqa: F403
from tests.actors.models.endpoint.serving import Heard, Server, chat, counted

CONVERSATION = (user("Begin."), assistant("Thought: Hm.\nAction: inventory"), user("Inventory: [stick] (1) "))
TEXT = "Thought: I begin.\nAction: inventory"


async def draw(heard: Heard) -> web.Response:
    said = [ChatMessage(role=message["role"], content=message["content"]) for message in heard.body["messages"]]
    stop = tuple(heard.body.get("stop", ()))
    completion = complete_with(TEXT, Prompt(*said), Sampling(max_tokens=heard.body["max_tokens"], stop=stop))
    return web.json_response(chat(completion.text, finish=completion.finish, usage=counted(completion.usage)))


@pytest.fixture
def case(server: Server) -> Iterator[ModelCase]:
    server.respond = draw
    with ModelCase("m", {"url": server.url}, CONVERSATION) as case:
        yield case
