"""How a request travels: with the headers of the `openai` client, and by the proxy that the environment names."""

import asyncio
import socket
from base64 import b64encode

import pytest
from openai import AsyncOpenAI

from quintet.errors import Unreachable, UsageError
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Sampling
from tests.actors.models.endpoint.serving import PROMPT, Server, called

pytestmark = pytest.mark.real_time

ELSEWHERE = "http://model.example/v1"
SECRET = "sk-3f9a77c1"


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


async def refused_by_a_proxy(monkeypatch: pytest.MonkeyPatch, user: str = "") -> tuple[str, str]:
    """All that a proxy is told which lets nobody through, and the text of the fault."""
    told: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    proxy = await asyncio.start_server(refuse, "127.0.0.1", 0)
    monkeypatch.setenv("https_proxy", f"http://{user}127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
    monkeypatch.setenv("MY_KEY", SECRET)
    endpoint = Endpoint("m", url="https://model.example/v1", key="MY_KEY")
    with pytest.raises(Unreachable) as caught:
        await endpoint.complete(PROMPT, Sampling())
    await endpoint.aclose()
    proxy.close()
    [heard] = told
    return heard.decode(), str(caught.value)


async def test_a_proxy_is_told_where_to_connect_but_neither_the_key_nor_any_header_of_the_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard, fault = await refused_by_a_proxy(monkeypatch)
    assert heard.startswith("CONNECT model.example:443 ")
    assert "authorization" not in heard.lower()
    assert "stainless" not in heard.lower()
    assert SECRET not in heard
    assert "407" in fault


async def test_the_password_of_a_proxy_is_sent_to_it_and_stands_in_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, fault = await refused_by_a_proxy(monkeypatch, "me:it%40s@")
    assert f"Proxy-Authorization: Basic {b64encode(b'me:it@s').decode()}\r\n" in heard
    assert SECRET not in heard
    assert "407" in fault
    assert [part for part in ("me:", "it%40s", "it@s") if part in fault] == []


def test_a_proxy_without_a_password_is_told_no_key(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
    called(Endpoint("m", url=ELSEWHERE))
    assert "proxy-authorization" not in server.heard[0].headers


@pytest.mark.parametrize(
    "named", ["http://me:mine#@host:1", "http://m%3Ae:mine@host:1", "socks5://me:mine@host:1", "http://"]
)
def test_what_is_no_http_proxy_is_refused_without_quoting_it(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("http_proxy", named)
    with pytest.raises(UsageError, match="proxy for http: expected") as caught:
        Endpoint("m", url=ELSEWHERE)
    assert [part for part in ("mine", "host") if part in str(caught.value)] == []


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
