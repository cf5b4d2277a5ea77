import pytest

from quintet.models.sim.webarena.narrowing import applying, choices_left, closed_filters, days_to_fill
from quintet.models.sim.webarena.page import BrowsedPage, read_web_page
from quintet.models.sim.webarena.picture import Deed
from quintet.models.sim.webarena.task import read_web_goal

_URL = "http://luma.com/admin/orders"
_LIST = f"""Tab 0 (current): Orders

[1] RootWebArea 'Orders'
	[2] DisclosureTriangle 'Filters' expanded: False
	[3] textbox 'Purchase Date from' required: False
	[4] textbox 'Purchase Date to' required: False
	[5] combobox 'Status'
		[6] option 'Any' selected: True
		[7] option 'On Hold' selected: False
		[8] option 'Complete' selected: False
	[9] button 'Apply Filters'
	[10] button 'Export'
URL: {_URL}"""


def page() -> BrowsedPage:
    read = read_web_page(_LIST)
    assert read is not None
    return read


def test_a_goals_days_go_into_the_fields_that_bound_them() -> None:
    goal = read_web_goal("Show the orders of April 2023")
    assert [(node.number, text) for node, text in days_to_fill(goal, page())] == [(3, "4/1/2023"), (4, "4/30/2023")]


def test_a_choice_is_meant_if_the_goal_says_it() -> None:
    assert [node.number for node in choices_left(read_web_goal("Show the orders on hold"), page())] == [7]
    assert list(choices_left(read_web_goal("Show the orders"), page())) == []


def test_closed_filters_are_found() -> None:
    assert [node.number for node in closed_filters(page())] == [2]


@pytest.mark.parametrize(
    ("last", "button"),
    [(Deed(_URL, "option", "On Hold"), 9), (Deed(_URL, "link", "On Hold"), None), (None, None)],
)
def test_what_was_chosen_has_to_be_applied(last: Deed | None, button: int | None) -> None:
    found = applying(page(), last)
    assert (None if found is None else found.number) == button
