import sys

from quintet.environments.tau2.package import described_tools, imported, new_environment, tau2_version
from quintet.environments.tau2.world import Tau2
from tests.actors.environments.tau2.installed import needs_package


@needs_package
def test_the_world_says_which_version_of_the_package_it_is_made_of() -> None:
    assert Tau2().version.endswith(f"+{tau2_version()}")


@needs_package
def test_a_tool_is_described_by_one_line_of_json() -> None:
    docs = described_tools("airline", alone=False)
    assert len(docs) == 14
    assert docs[0].startswith('{"name":"book_reservation","description":"Book a reservation."')
    assert not any("\n" in each for each in docs)
    assert len(described_tools("telecom", alone=True)) == 13 + 30


@needs_package
def test_an_import_leaves_no_module_in_another_ones_place() -> None:
    imported("utils.utils")
    assert all(hasattr(sys.modules[name], "__file__") for name in ("deepdiff", "dotenv") if name in sys.modules)


@needs_package
def test_an_environment_shares_nothing_that_a_tool_changes() -> None:
    first, second = (new_environment("telecom", alone=False) for _ in range(2))
    first.user_tools.break_vpn()
    second.user_tools.connect_vpn()
    assert second.user_tools.device.vpn_details.server_performance.value == "excellent"
