"""The contracts of plug-ins, as pytest functions. `quintet check` runs them; your test module can import them.

`environment`, `method`, `learner`, `model` and `repeatable_model` each hold the tests of one contract. A test takes its
subject from the fixture `case`, which your test module defines:

    import pytest
    from quintet.testing.environment import *
    from quintet.testing.environment_case import environment_cases

    @pytest.fixture(params=environment_cases("lamps"), ids=str)
    def case(request):
        return request.param
"""

from importlib.util import find_spec

from quintet.errors import UsageError

if find_spec("pytest") is None:
    raise UsageError("contracts: expected pytest, got none; install it with pip install 'quintet-agents[testing]'")
