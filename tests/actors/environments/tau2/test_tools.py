import pytest

from quintet.environments.tau2.scenarios import scenarios
from quintet.environments.tau2.tools import CustomerTools
from quintet.parsing.tool_calls import read_tool_call
from tests.actors.environments.tau2.installed import needs_package

pytestmark = needs_package


def begin(name: str, *, alone: bool = False) -> CustomerTools:
    return CustomerTools(scenarios(name.partition("_")[0])[name], alone=alone)


def call(tools: CustomerTools, text: str) -> str:
    return tools.call(read_tool_call(text))


def test_a_call_is_answered_in_the_packages_words() -> None:
    tools = begin("airline_0")
    assert call(tools, "get_user_details('emma_kim_9957')").startswith('{"user_id": "emma_kim_9957"')
    assert call(tools, "get_user_details(user_id='nobody')") == "Error: User nobody not found"
    assert call(tools, "calculate(expression='2 * (3 + 4)')") == "14.0"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fly(to='moon')", "expected one of the tools that were shown, got fly"),
        ("_get_user(user_id='emma_kim_9957')", "expected one of the tools"),
        ("get_user_details()", "get_user_details: missing a required argument: 'user_id'"),
        ("get_user_details(user_id='a', more=1)", "get_user_details: got an unexpected keyword argument 'more'"),
        ("get_user_details(user_id={1})", "get_user_details: Object of type set is not JSON serializable"),
        ("calculate(expression='9**9**9**9')", "calculate: expected + - "),
        ("toggle_data()", "expected one of the tools"),
    ],
)
def test_a_call_that_fits_no_tool_is_refused_and_does_nothing(text: str, said: str) -> None:
    with pytest.raises(ValueError, match="^" + said.replace("+", r"\+")):
        call(begin("airline_0"), text)


def test_a_value_of_a_wrong_type_is_an_error_or_a_value_and_no_warning() -> None:
    tools = begin("retail_0")
    assert call(tools, "get_order_details(order_id=['a'])").startswith("Error: ")
    moved = "modify_user_address('mei_davis_8935', 1, 2, 'c', 's', 'u', 'z')"
    assert '"address1": 1' in call(tools, moved) or call(tools, moved).startswith("Error: ")


def test_the_users_tools_are_the_agents_where_it_is_alone() -> None:
    assert "Data" in call(begin("telecom_0", alone=True), "toggle_data()")
    with pytest.raises(ValueError, match="got toggle_data"):
        call(begin("telecom_0"), "toggle_data()")


def test_a_copy_goes_its_own_way() -> None:
    tools = begin("airline_0")
    copy = tools.copy()
    assert '"status": "cancelled"' in call(copy, "cancel_reservation(reservation_id='EHGLP3')")
    assert '"status": null' in call(tools, "get_reservation_details(reservation_id='EHGLP3')")


def test_bills_have_the_same_names_in_every_process() -> None:
    bills = list[str]()
    for _ in range(2):
        tools = begin("telecom_0", alone=True)
        call(tools, "refuel_data(customer_id='C1002', line_id='L1004', gb_amount=2.0)")
        bills.append(call(tools, "get_customer_by_id(customer_id='C1002')"))
    assert bills[0] == bills[1]
    assert '"B00000000"' in bills[0]
