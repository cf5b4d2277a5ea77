"""How pages write moments."""

from quintet.environments.webarena.sites.moments import long_day, long_moment


def test_a_day_and_a_moment() -> None:
    assert long_day("2023-06-05 04:03:02") == "Jun 5, 2023"
    assert long_day("2023-12-31") == "Dec 31, 2023"
    assert long_moment("2023-06-05 04:03:02") == "Jun 5, 2023, 04:03"
