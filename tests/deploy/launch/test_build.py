"""What a Ray host builds is what the driver has."""

from typing import Any

import pytest

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.build import build_spec_on_host
from quintet.launch.prepare import prepare
from quintet.plugins.brought import BroughtObject


class Nothing:
    """No objects of the user's."""

    def unpack(self) -> tuple[BroughtObject, ...]:
        return ()


def test_a_host_whose_world_has_other_data_is_refused() -> None:
    tables = {"method": {"name": "expert"}, "environment": {"name": "hotpotqa"}, "model": {"name": "sim-weak"}}
    run = prepare([from_table(tables, "a test")])
    version = run.spec.world.version
    packed: Any = Nothing()
    assert build_spec_on_host(run.config, run.spec.prompts, version, packed).world.version == version
    with pytest.raises(UsageError, match=r"environment hotpotqa: expected version other as where .*: its data differ"):
        build_spec_on_host(run.config, run.spec.prompts, "other", packed)
