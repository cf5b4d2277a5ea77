"""Every world of ours passes the contract."""

from protocols.environment import Task
from tests.contracts.world import WorldContract


class TestTextCraft(WorldContract):
    factory = "actors.environments.textcraft.world:TextCraft"
    task = Task(name="beehive", seed=7)
    walk = (
        "inventory",
        "get 2 oak logs",
        "craft 4 oak planks using 1 oak logs",
        "get 3 honeycomb",
        "craft 4 oak planks using 1 oak logs",
        "inventory",
        "craft 1 beehive using 3 honeycomb, 6 oak planks",
    )
    hostile = (
        "think: I craft 1 beehive using 3 honeycomb, 6 oak planks",
        "get 1000000000 diamond",
        "get " + "9" * 10_000 + " diamond",
        "get " + "0" * 10_000 + "1 diamond",
        "get 0 diamond",
        "get -1 diamond",
        "get ١ diamond",
        "get 1 " + "x" * 10_000,
        "craft  using ",
        "craft 1 beehive using ",
        "craft 1 beehive using , ,",
        "craft 1 beehive using 0 honeycomb",
        "craft 1 beehive using " + "1 honeycomb, " * 1_000,
        "craft " + "9" * 10_000 + " beehive using " + "9" * 10_000 + " planks",
        "craft " + "using " * 2_000,
    )


class TestTextCraftWithADeeperGoal(WorldContract):
    """A bed, of wool and planks that have to be made first."""

    factory = "actors.environments.textcraft.world:TextCraft"
    task = Task(name="magenta bed", seed=-3)
    walk = (
        "get 12 string",
        "get 3 allium",
        "craft 1 white wool using 4 string",
        "craft 1 magenta dye using 1 allium",
        "craft 1 magenta wool using 1 magenta dye, 1 white wool",
        "craft 1 white wool using 4 string",
        "craft 1 magenta dye using 1 allium",
        "craft 1 magenta wool using 1 white wool, 1 magenta dye",
        "craft 1 white wool using 4 string",
        "craft 1 magenta dye using 1 allium",
        "craft 1 magenta wool using 1 magenta dye, 1 white wool",
        "get 1 warped stems",
        "craft 4 warped planks using 1 warped stems",
        "craft 1 magenta bed using 3 warped planks, 3 magenta wool",
    )
