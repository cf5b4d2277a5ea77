"""All sites: every page that a link leads to is there."""

import pytest

from quintet.environments.webarena.addresses import SiteName
from tests.actors.environments.webarena.sites.visitor import Visitor

STARTS: dict[SiteName, tuple[str, ...]] = {
    "homepage": ("/",),
    "reddit": ("/", "/forums", "/user/OliveAndOar", "/messages", "/f/Harborview/1246"),
    "gitlab": (
        "/",
        "/mvoss/potluck",
        "/mvoss/potluck/-/issues/14",
        "/dashboard/todos",
        "/openloom/loom/-/milestones/2",
    ),
}


@pytest.mark.parametrize("site", STARTS)
def test_pages_that_are_linked_are_there(site: SiteName) -> None:
    visitor = Visitor(site, signed_in=site != "homepage")
    broken = [
        f"{path} (from {origin}): {answer.status}"
        for start in STARTS[site]
        for path, answer, origin in visitor.crawl(start, 10)
        if answer.status not in (200, 303)
    ]
    assert broken == []


@pytest.mark.slow
@pytest.mark.parametrize("site", STARTS)
def test_all_pages_that_are_linked_are_there(site: SiteName) -> None:
    pages = list(Visitor(site, signed_in=site != "homepage").crawl("/", 4_000))
    assert [f"{path} (from {origin})" for path, answer, origin in pages if answer.status not in (200, 303)] == []
    assert len(pages) < 4_000
    assert {answer.location is None for _, answer, _ in pages if answer.status == 200} == {True}


@pytest.mark.parametrize("site", STARTS)
def test_a_visitor_who_is_not_signed_in_is_sent_to_sign_in_or_shown_a_page(site: SiteName) -> None:
    visitor = Visitor(site, signed_in=False)
    for start in STARTS[site]:
        answer = visitor.get(start)
        assert answer.status == 200
    assert visitor.get("/no/such/page/at/all").status == 404
