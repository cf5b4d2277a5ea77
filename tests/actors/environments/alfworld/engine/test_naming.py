"""Names of things."""

from quintet.environments.alfworld.engine.naming import names_of


def test_things_of_a_kind_are_numbered_downwards_in_the_order_of_their_ids() -> None:
    assert names_of(["cd_bar_2", "cd_bar_1", "mug_bar_9", "cd_bar_10"]) == {
        "cd_bar_1": "cd 3",
        "cd_bar_10": "cd 2",
        "cd_bar_2": "cd 1",
        "mug_bar_9": "mug 1",
    }


def test_a_basin_is_told_from_what_it_belongs_to() -> None:
    assert names_of(["sink_bar_1_bar_sinkbasin", "sink_bar_1"]) == {
        "sink_bar_1": "sink 1",
        "sink_bar_1_bar_sinkbasin": "sinkbasin 1",
    }


def test_an_id_without_coordinates_is_a_name_with_a_blank() -> None:
    assert names_of(["agent1", "ap_plus_ple"]) == {"agent1": "agent1 ", "ap_plus_ple": "ap+ple "}
