"""Routes, requests and listings: what all sites stand on."""

from pathlib import Path

import pytest

from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.sites.notices import find_notice
from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import Site, SiteRoute
from quintet.environments.webarena.sites.templates import day, long_day, long_moment, money


def answer(request: SiteRequest) -> SiteResponse:
    return SiteResponse(body=repr(dict(request.params)).encode())


SITE = Site(
    name="homepage",
    label="A site",
    folder=Path(),
    routes=(
        SiteRoute("GET", "/", answer),
        SiteRoute("GET", "/f/{forum}", answer),
        SiteRoute("GET", "/p/{group}/{project}/-/issues/{id}", answer),
        SiteRoute("GET", "/raw/{file*}", answer),
        SiteRoute("POST", "/f/{forum}", answer),
        SiteRoute("GET", "/a.b", answer),
    ),
)


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/", {}),
        ("/f/cooking", {"forum": "cooking"}),
        ("/f/cooking/", {"forum": "cooking"}),
        ("/p/a/b/-/issues/7", {"group": "a", "project": "b", "id": "7"}),
        ("/raw/docs/a/b.md", {"file": "docs/a/b.md"}),
        ("/a.b", {}),
    ],
)
def test_a_path_is_of_a_form(path: str, params: dict[str, str]) -> None:
    found = SITE.find("GET", path)
    assert found is not None
    assert found[1] == params


@pytest.mark.parametrize("path", ["/f", "/f/", "/f/a/b", "/raw/", "/aXb", "/p/a/b/c/-/issues/7"])
def test_a_path_of_no_form_is_no_page(path: str) -> None:
    assert SITE.find("GET", path) is None
    assert SITE.find("PUT", "/") is None


def request(target: str = "", *, form: tuple[tuple[str, str], ...] = (), notice: str = "") -> SiteRequest:
    instance = Instance()
    pairs = [(key, value) for key, _, value in (part.partition("=") for part in target.split("&") if part)]
    return SiteRequest(
        SITE,
        instance.db,
        path="/list",
        query=pairs,
        form=form,
        params={},
        token="",
        user=None,
        now="2023-06-15 12:00:00",
        notice=find_notice(instance.db, notice),
        addresses={},
    )


def test_an_address_is_written_anew_with_other_fields_and_without_the_notice() -> None:
    asked = request("sort=price&p=3&notice=4")
    assert asked.here(p=4) == "/list?sort=price&p=4"
    assert asked.here(sort=None, p=None) == "/list"
    assert asked.url == "/list?sort=price&p=3"


@pytest.mark.parametrize(
    ("given", "number"),
    [("12", 12), ("0", 0), ("-1", 7), ("1.5", 7), ("\u0663", 7), ("9" * 12, 7), ("", 7)],
)
def test_a_number_of_a_form_is_whole_or_the_default(given: str, number: int) -> None:
    assert request(form=(("quantity", given),)).number("quantity", 7) == number


def test_a_field_may_stand_several_times() -> None:
    asked = request("ids=1", form=(("ids", "2"), ("ids", "3")))
    assert asked.values("ids") == ["2", "3", "1"]
    assert asked.form["ids"] == "3"


@pytest.mark.parametrize("number", ["", "x", "1", "99999999999999", "-1", "\u0661"])
def test_a_notice_that_is_not_there_is_none(number: str) -> None:
    assert find_notice(Instance().db, number) is None


def test_a_listing_has_at_least_one_page_and_no_page_beyond_its_last() -> None:
    assert paged([], 3, 10).last == 1
    assert paged([], 3, 10).first == 0
    assert paged(range(25), 0, 10).items == range(10)
    assert paged(range(25), 9, 10).items == range(20, 25)
    assert paged(range(20), 2, 10).first == 11


def test_amounts_and_days_are_shown_as_in_the_united_states() -> None:
    assert [money(cents) for cents in (5, 123450, -100)] == ["$0.05", "$1,234.50", "-$1.00"]
    assert day("2023-06-05 10:00:00") == "6/5/2023"
    assert [long_day(at) for at in ("2023-06-05 04:03:02", "2023-12-31")] == ["Jun 5, 2023", "Dec 31, 2023"]
    assert long_moment("2023-06-05 04:03:02") == "Jun 5, 2023, 04:03"
