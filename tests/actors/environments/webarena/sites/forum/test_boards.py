"""Lists of submissions and forums."""

import re

from quintet.environments.webarena.sites.instance import Instance
from tests.actors.environments.webarena.sites.visitor import Page, Visitor

_TITLE = re.compile(r'submission__title"><a href="[^"]*">([^<]*)<')


def titles(page: str) -> list[str]:
    return _TITLE.findall(page)


def test_orders_of_a_forum() -> None:
    visitor = Visitor("reddit")
    assert titles(visitor.get("/f/baking/top").text)[0].startswith("Home milling")
    assert titles(visitor.get("/f/Harborview/new").text)[0].startswith("Bicycle repair evening")
    assert titles(visitor.get("/f/cycling/most_commented?t=year").text)[0].startswith("The coast route: 4 things")
    assert titles(visitor.get("/f/baking/top?t=week").text)[0].startswith("4 weeks of shortcrust")


def test_pages_go_on_where_the_last_one_ends() -> None:
    visitor = Visitor("reddit")
    first, second = titles(visitor.get("/new").text), titles(visitor.get("/new?page=2").text)
    assert len(first) == len(second) == 20
    assert not set(first) & set(second)
    assert titles(visitor.get("/new?page=999").text) == titles(visitor.get("/new?page=12").text)
    assert titles(visitor.get("/new?page=-5").text) == first


def test_a_hidden_forum_is_not_on_the_front_page_until_it_is_shown_again() -> None:
    visitor = Visitor("reddit")
    path = "/new?page=3"
    assert "/f/films/" not in visitor.get(path).text
    page = visitor.post("/f/films/hide", {"back": "/user/OliveAndOar/hidden_forums"})
    assert "You hide no forum." in page.text
    assert "/f/films/" in visitor.get(path).text


def test_subscribing_counts() -> None:
    visitor = Visitor("reddit")
    assert "8022 subscribers" in visitor.get("/f/homenetworks").text
    page = visitor.post("/f/homenetworks/subscribe")
    assert "8023 subscribers" in page.text
    assert "Unsubscribe" in page.text
    assert "8022 subscribers" in visitor.post("/f/homenetworks/subscribe").text
    assert visitor.post("/f/nowhere/subscribe").status == 404


def test_only_its_moderator_edits_a_forum() -> None:
    instance = Instance()
    visitor = Visitor("reddit", instance)
    assert visitor.get("/f/baking/edit").status == 404
    assert visitor.post("/f/baking/edit", {"title": "Mine", "description": "x", "sidebar": "y"}).status == 404
    page = visitor.post("/f/gardening/edit", {"title": "Gardens", "description": "Green.", "sidebar": "<b>Be kind</b>"})
    assert "&lt;b&gt;Be kind&lt;/b&gt;" in page.text
    assert "needs a title" in visitor.post("/f/gardening/edit", {"title": " ", "description": "x", "sidebar": "y"}).text


def test_forums_by_subscribers() -> None:
    page = Page(Visitor("reddit").get("/forums?sort=subscribers&page=2").text)
    forums = [link for link in page.links if link.startswith("/f/")]
    assert forums[-1] == "/f/stargazing"
