import pytest

from quintet.environments.webarena.browser.hosts import AllowedHosts

_HOSTS = AllowedHosts(["shop.example:7770", "map.example", "[::1]:8023"])


@pytest.mark.parametrize(
    "url",
    [
        *("http://shop.example:7770/a", "http://SHOP.example:7770", "http://map.example:3000/", "https://map.example"),
        *("http://[::1]:8023/x", "about:blank"),
    ],
)
def test_the_sites_and_an_empty_page_may_be_loaded(url: str) -> None:
    assert _HOSTS.allow(url)


@pytest.mark.parametrize(
    "url",
    [
        *("http://shop.example/", "http://shop.example:8080/", "http://user@evil.example:7770", "http://[::1]:22/"),
        *("file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "view-source:http://map.example", "about:x"),
        *(
            "ftp://map.example/",
            "http://map.example.evil.example/",
            "http://shop.example:7770@evil.example/",
            "http://[",
        ),
    ],
)
def test_nothing_else_may(url: str) -> None:
    assert not _HOSTS.allow(url)


def test_this_machine_is_asked_only_at_the_hosts_that_are_named() -> None:
    """Playwright leaves that rule out where a bare `localhost` is among the hosts."""
    assert AllowedHosts(["localhost"]).bypass == "<-loopback>,localhost"
