"""Where an endpoint is."""

import pytest

from quintet.errors import UsageError
from quintet.models.endpoint.address import is_on_this_machine, resolve_url

SECRET = "hunter2"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/v1",
        "https://api.example.com",
        "http://[::1]:8000/v1",
        "https://h/a/b",
        "http://localhost",
    ],
)
def test_an_http_address_is_taken_as_it_is(url: str) -> None:
    assert resolve_url(url) == url
    assert resolve_url(f"{url}/") == url


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://127.8.0.1", True),
        ("http://[::1]:8000/v1", True),
        ("https://localhost/v1", True),
        ("http://10.0.0.1:8000/v1", False),
        ("https://127.0.0.1.example.com/v1", False),
    ],
)
def test_a_loopback_address_is_on_this_machine(url: str, here: bool) -> None:
    assert is_on_this_machine(url) is here


@pytest.mark.parametrize(
    ("url", "got"),
    [
        (f"http://me:{SECRET}@host/v1", "a user name or a password"),
        (f"https://{SECRET}@host/v1", "a user name or a password"),
        (f"https://host/v1?key={SECRET}", "a query"),
        (f"https://host/v1#{SECRET}", "a query or a fragment"),
        (f"http://me:{SECRET}/v1", "something else"),
        (f"me:{SECRET}@host/v1", "another scheme, or no host"),
        (f"ftp://host/{SECRET}", "another scheme"),
        (f"{SECRET}.example.com/v1", "another scheme, or no host"),
        (f"http:///{SECRET}", "another scheme, or no host"),
        (f"http://host/{SECRET}\n", "something else"),
        (f"http://[::{SECRET}/v1", "something else"),
        ("http://host:0/v1", "port 0"),
        ("http://host:99999/v1", "port 99999"),
        ("", "another scheme, or no host"),
    ],
)
def test_anything_else_is_a_usage_error_that_quotes_no_secret(url: str, got: str) -> None:
    with pytest.raises(UsageError, match=f"model.url: expected http.*got {got}") as raised:
        resolve_url(url)
    assert SECRET not in str(raised.value)


def test_by_default_it_is_openais_or_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolve_url(None) == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gateway.example.com/v1/")
    assert resolve_url(None) == "https://gateway.example.com/v1"


def test_the_environments_address_is_held_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"https://me:{SECRET}@gateway.example.com")
    with pytest.raises(UsageError, match="OPENAI_BASE_URL: expected http") as raised:
        resolve_url(None)
    assert SECRET not in str(raised.value)
