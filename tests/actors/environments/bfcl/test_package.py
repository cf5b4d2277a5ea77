from quintet.environments.bfcl.package import package_version, tool_docs
from quintet.environments.bfcl.world import Bfcl
from tests.actors.environments.bfcl.installed import needs_package


@needs_package
def test_the_world_says_which_version_of_the_package_it_is_made_of() -> None:
    assert Bfcl().version.endswith(f"+{package_version()}")


@needs_package
def test_a_tool_is_described_by_one_line_of_the_package() -> None:
    docs = tool_docs("GorillaFileSystem")
    assert docs["cd"].startswith('{"name": "cd", "description": ')
    assert not any("\n" in each for each in docs.values())
