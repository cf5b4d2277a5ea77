from quintet.models.sim.thinking import aloud, decided


def test_the_action_is_read_out_of_the_thought() -> None:
    thought = aloud(3, "I hold egg 1.", "craft 1 a using 2 b, 1 c")
    assert thought == "Thought: I am at step 3 of the plan. I hold egg 1. Next: craft 1 a using 2 b, 1 c."
    assert decided(thought) == "craft 1 a using 2 b, 1 c"
    assert aloud(None, "Hm.", "look") == "Thought: Hm. Next: look."


def test_a_thought_may_leave_the_action_open() -> None:
    assert decided("The next thing is unclear.") is None
    assert decided("") is None
