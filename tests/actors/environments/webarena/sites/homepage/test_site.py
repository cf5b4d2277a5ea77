"""The start page."""

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.instance import Instance
from tests.actors.environments.webarena.sites.visitor import Page, Visitor


def test_the_start_page_links_to_all_sites() -> None:
    names: tuple[SiteName, ...] = ("shopping", "shopping_admin", "reddit", "gitlab", "homepage")
    addresses: dict[SiteName, str] = {name: f"http://{name}.test" for name in names}
    answer = Instance().respond("homepage", "GET", "/", addresses=addresses)
    links = Page(answer.text).links
    assert {address for name, address in addresses.items() if name != "homepage"} <= set(links)


def test_the_accounts_open_their_sites() -> None:
    words = Page(Visitor("homepage", signed_in=False).get("/accounts").text).text.split()
    place = words.index("Forum", words.index("Username"))
    visitor = Visitor("reddit", signed_in=False)
    page = visitor.post("/login", {"username": words[place + 1], "password": words[place + 2], "next": "/messages"})
    assert "Messages (2)" in Page(page.text).text


def test_the_calculator_shows_the_sum_or_why_there_is_none() -> None:
    visitor = Visitor("homepage", signed_in=False)
    assert ">42<" in visitor.get("/calculator?expression=6*7").text
    assert "A division by zero has no value." in visitor.get("/calculator?expression=1/0").text
    assert "<script>" not in visitor.get("/calculator?expression=<script>alert(1)</script>").text.replace(
        "<script src", ""
    )
