from collections.abc import Mapping
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.addresses import PUBLIC_ADDRESSES, SiteAddresses, SiteName
from quintet.errors import UsageError

_OWN: Mapping[SiteName, str] = {
    "shopping": "http://shopping.s3.localhost:4001",
    "shopping_admin": "http://shopping-admin.s3.localhost:4001/admin",
    "reddit": "http://reddit.s3.localhost:4001",
    "gitlab": "http://gitlab.s3.localhost:4001",
    "homepage": "http://homepage.s3.localhost:4001",
}
_USERS: Mapping[SiteName, str] = {
    "shopping": "http://shop.example.org:77",
    "shopping_admin": "http://shop.example.org:7780/admin",
    "reddit": "https://Forum.example.org/",
    "wikipedia": "http://example.org:8888/wiki/content",
    "homepage": "http://example.org:8888",
}
_SITES = st.sampled_from((_OWN, _USERS)).map(SiteAddresses)
_PATHS = st.sampled_from(("", "/", "/a", "/a/b-9", "/a_b/c.d/~e", "/admin/x"))
_RESTS = st.tuples(_PATHS, st.sampled_from(("", "?q=1", "?a=b&c=d#top", "#x"))).map("".join)


@given(_SITES, st.sampled_from(sorted(_OWN)), _RESTS)
def test_a_public_address_comes_back_from_the_real_one(sites: SiteAddresses, name: SiteName, rest: str) -> None:
    public = PUBLIC_ADDRESSES[name] + rest
    real = sites.real(public)
    if real is None:
        assert sites.site_of(public) is None
    else:
        assert sites.shown(real) == public
        assert sites.real(real) == real
        assert sites.site_of(real) == sites.site_of(public)


@given(st.sampled_from(sorted(_OWN)), _RESTS)
def test_on_our_sites_each_real_address_comes_back_from_the_public_one_also_within_a_query(
    name: SiteName, rest: str
) -> None:
    sites, public, real = SiteAddresses(_OWN), PUBLIC_ADDRESSES[name] + rest, _OWN[name] + rest
    assert (sites.real(sites.shown(real)), sites.site_of(real)) == (real, name)
    shown = sites.shown(f"http://x.test/?next={quote(real, safe='')}")
    assert shown == f"http://x.test/?next={quote(public, safe='')}"


@given(st.sampled_from((_OWN, _USERS)), st.text(max_size=60), st.text(max_size=20))
def test_any_text_can_be_mapped_and_shows_no_real_address(
    sites: Mapping[SiteName, str], before: str, after: str
) -> None:
    addresses = SiteAddresses(sites)
    for base in sites.values():
        assert base not in addresses.shown(f"{before} {base} {after}")
    addresses.real(before)
    addresses.expand(before)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see http://shopping.OWN/cart, please.", "see http://onestopmarket.com/cart, please."),
        ("on http://reddit.OWN.", "on http://reddit.com."),
        ("shopping.OWN/x", "onestopmarket.com/x"),
        ("https://shopping.OWN/x", "http://onestopmarket.com/x"),
        ("http://shopping-admin.OWN/admin/orders", "http://luma.com/admin/orders"),
        ("http://shopping-admin.OWN/static/a.css", "http://luma.com/static/a.css"),
        ("http://shopping.OWN1/", "http://shopping.OWN1/"),
        ("http://shopping.OWN.evil.org/", "http://shopping.OWN.evil.org/"),
        ("http://eshopping.OWN/", "http://eshopping.OWN/"),
        ("a\thttp://gitlab.OWN |AND| http://homepage.OWN", "a\thttp://gitlab.com |AND| http://homepage.com"),
    ],
)
def test_real_addresses_in_a_text_are_shown_as_public_ones(text: str, shown: str) -> None:
    text, shown = (each.replace("OWN", "s3.localhost:4001") for each in (text, shown))
    assert SiteAddresses(_OWN).shown(text) == shown


@pytest.mark.parametrize(
    ("url", "real"),
    [
        ("http://onestopmarket.com", "http://shop.example.org:77"),
        ("https://onestopmarket.com/a b", "http://shop.example.org:77/a b"),
        (" OneStopMarket.com/cart ", "http://shop.example.org:77/cart"),
        ("http://luma.com/admin/orders?id=1", "http://shop.example.org:7780/admin/orders?id=1"),
        ("http://luma.com/static", "http://shop.example.org:7780/static"),
        ("http://reddit.com/f/books", "https://forum.example.org/f/books"),
        ("http://wikipedia.org/A/Mug", "http://example.org:8888/wiki/content/A/Mug"),
        ("http://homepage.com/wiki/x", "http://example.org:8888/wiki/x"),
        ("http://example.org:8888/wiki/content/A", "http://example.org:8888/wiki/content/A"),
        ("http://reddit.com\\@evil.org", "https://forum.example.org\\@evil.org"),
        ("http://reddit.com@evil.org", None),
        ("http://reddit.com.evil.org", None),
        ("http://reddit.com\n.evil.org", None),
        ("http://reddit.com:81", None),
        ("http://openstreetmap.org", None),
        ("http://shop.example.org:7777/", None),
        ("file:///etc/passwd", None),
        ("javascript:alert(1)//reddit.com", None),
        ("about:blank", None),
        ("", None),
    ],
)
def test_only_addresses_of_the_sites_are_loaded(url: str, real: str | None) -> None:
    assert SiteAddresses(_USERS).real(url) == real


def test_the_longest_address_names_the_site() -> None:
    sites = SiteAddresses(_USERS)
    assert sites.site_of("http://example.org:8888/wiki/content/A/Mug") == "wikipedia"
    assert sites.site_of("http://example.org:8888/wiki") == "homepage"
    assert sites.site_of("http://shop.example.org:7780/admin") == "shopping_admin"
    assert sites.shown("http://example.org:8888/wiki/content/A") == "http://wikipedia.org/A"


def test_placeholders_become_addresses_and_a_site_that_is_not_there_keeps_its_public_one() -> None:
    sites = SiteAddresses(_OWN)
    assert sites.expand("__SHOPPING_ADMIN__/x __SHOPPING__ __MAP__ __OTHER__") == (
        f"{_OWN['shopping_admin']}/x {_OWN['shopping']} http://openstreetmap.org __OTHER__"
    )
    assert sites.starts("__GITLAB__/a/b |AND| __REDDIT__") == (f"{_OWN['gitlab']}/a/b", _OWN["reddit"])


@pytest.mark.parametrize(
    ("site", "address", "hosts"),
    [
        ("reddit", "http://a.test:9999", {"a.test:9999"}),
        ("gitlab", "http://[::1]:8023/x", {"[::1]:8023"}),
        ("reddit", "https://a.test", {"a.test:80", "a.test:443"}),
        ("map", "http://a.test:3000", {"a.test"}),
        ("map", "http://[::1]", {"[::1]"}),
    ],
)
def test_hosts_are_named_with_their_ports_and_the_maps_without(site: SiteName, address: str, hosts: set[str]) -> None:
    assert SiteAddresses({site: address}).hosts == hosts


def test_a_default_port_and_a_last_slash_are_no_part_of_an_address() -> None:
    sites = SiteAddresses({"reddit": "http://forum.test:80/"})
    assert sites.real("http://reddit.com/f") == "http://forum.test/f"
    assert sites.shown("http://forum.test/f") == "http://reddit.com/f"


@pytest.mark.parametrize(
    "address",
    [
        *("", "reddit", "ftp://a.test", "http://", "http://a.test:port"),
        *("http://u:p@a.test", "http://a.test?x=1", "http://[::1"),
    ],
)
def test_an_address_that_is_none_is_refused_with_its_site(address: str) -> None:
    with pytest.raises(UsageError, match=r"site reddit"):
        SiteAddresses({"reddit": address})


def test_two_sites_at_one_address_are_refused() -> None:
    with pytest.raises(UsageError, match=r"got one for two"):
        SiteAddresses({"reddit": "http://a.test/", "gitlab": "http://a.test"})
