"""How a request travels: with the headers of the `openai` client, and by the proxy that the environment names."""

import socket
from base64 import b64encode

import pytest
from openai import AsyncOpenAI

from quintet.errors import Unreachable
from quintet.models.endpoint.model import Endpoint
from tests.actors.models.endpoint.serving import Server, called

pytestmark = pytest.mark.real_time

ELSEWHERE = "http://model.example/v1"


@pytest.fixture(autouse=True)
def proxied(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1").replace("http://", "http://me:mine@"))


def test_the_headers_are_those_of_the_openai_client(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-7")
    called(Endpoint("m", url=server.url))
    theirs = AsyncOpenAI(api_key="none", base_url=server.url).default_headers
    sent = {name: value for name, value in theirs.items() if isinstance(value, str)}
    assert sent.pop("X-Stainless-Async") == "async:false"  # there is no loop here
    assert sent["OpenAI-Organization"] == "org-7"
    assert {name: server.heard[0].headers.get(name) for name in sent} == sent


def test_a_proxy_of_the_environment_is_used_with_its_password(server: Server) -> None:
    called(Endpoint("m", url=ELSEWHERE))
    [heard] = server.heard
    assert heard.headers["host"] == "model.example"
    assert heard.headers["proxy-authorization"] == f"Basic {b64encode(b'me:mine').decode()}"
    assert heard.headers["authorization"] == "Bearer none"


def test_a_proxy_may_be_named_without_its_scheme_and_for_all(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("http_proxy")
    monkeypatch.setenv("all_proxy", server.url.removesuffix("/v1").removeprefix("http://"))
    called(Endpoint("m", url=ELSEWHERE))
    assert len(server.heard) == 1


def test_no_proxy_reaches_this_machine(server: Server) -> None:
    called(Endpoint("m", url=server.url))
    assert "proxy-authorization" not in server.heard[0].headers


def test_an_address_that_the_environment_excepts_is_not_reached_by_a_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    monkeypatch.setenv("no_proxy", "model.example")
    with pytest.raises(Unreachable):
        called(Endpoint("m", url=ELSEWHERE))
    assert server.heard == []
