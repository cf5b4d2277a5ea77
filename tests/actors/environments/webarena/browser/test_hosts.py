import pytest

from quintet.environments.webarena.browser.requests import AllowedHosts

_HOSTS = AllowedHosts(["shop.example:7770", "map.example", "[::1]:8023"])


@pytest.mark.parametrize(
    ("allowed", "urls"),
    [
        (True, "http://shop.example:7770/a http://SHOP.example:7770 http://map.example:3000/ https://map.example"),
        (True, "http://[::1]:8023/x about:blank"),
        (False, "http://shop.example/ http://shop.example:8080/ http://user@evil.example:7770 http://[::1]:22/"),
        (False, "file:///etc/passwd javascript:alert(1) data:text/html,x view-source:http://map.example about:x"),
        (False, "ftp://map.example/ http://map.example.evil.example/ http://shop.example:7770@evil.example/ http://["),
    ],
)
def test_the_sites_and_an_empty_page_may_be_loaded_and_nothing_else(allowed: bool, urls: str) -> None:
    for url in urls.split():
        assert _HOSTS.allow(url) is allowed, url


def test_this_machine_is_asked_only_at_the_hosts_that_are_named() -> None:
    """Playwright leaves that rule out where a bare `localhost` is among the hosts."""
    assert AllowedHosts(["localhost"]).bypass == "<-loopback>,localhost"
