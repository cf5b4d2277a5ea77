"""The simulated model: the embedded default, which needs no key and no network.

It is no language model but a player made of rules: it reads the prompt as a person would (what the instructions ask
to be answered with, the crafting commands, the goal, the inventory, the steps so far) and says what it would do next,
or which steps it would plan. It is called simulated wherever its results are shown.

Levels of skill, each weak by one mechanism, the same under every method:

    weak      reads only the last two steps of a conversation, and knows nothing of what it fetched or crafted before.
    shallow   looks one recipe deep, and takes every ingredient of its goal for something that can be fetched.
    strong    has no weakness: it reads everything and follows recipes as far down as they go.

All levels read the instructions and the task in full, the inventory that the task states included, and plan alike: a
plan rests on the task alone and on one recipe, so neither weakness touches it. They look into the inventory of their
own accord only where a task is to start from it without stating it, or where items they counted on were not there.

An answer is a pure function of the messages and the sampling parameters. At temperature 0 the seed is ignored; above
it, the seed picks among actions that could as well come first, and orders of plan steps. What is believed of the world
comes from observations alone, so with observations blanked no level gets anywhere. A prompt that no reader makes
sense of is answered "I do not understand."

    skills.py     the levels
    model.py      the model: asks one reader after the other
    reader.py     what a reader is; there is one for each world, in a folder of its name
    asked.py      whether instructions ask for an action or for a plan
    chance.py     variation by temperature and seed
    textcraft/    the reader of TextCraft
"""
