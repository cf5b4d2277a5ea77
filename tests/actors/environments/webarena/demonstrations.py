"""The worked examples of WebArena's prompts, played on our sites.

After a change of a site's pages, write them anew: `python -m tests.actors.environments.webarena.demonstrations`.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from quintet.environments.webarena.world import WebArena
from tests.actors.environments.webarena.live import named, number_of, tasks_file, world_of

FILE = WebArena.prompt_folder / "react" / "demonstrations.txt"

_BEFORE = (
    "Here are some tasks and parts of tasks, as they were done. Where you are, pages have other contents, and elements "
    "other numbers."
)
_AFTER = "Now it is your turn, with another goal."


class Turn(NamedTuple):
    """A thought and what follows from it."""

    thought: str
    action: str
    """With `#` in place of an element's number, or a claim."""
    role: str = ""
    name: str = ""
    """The element's."""


class Example(NamedTuple):
    """A task of the examples. None of the world's own tasks is like it."""

    site: str
    start: str
    goal: str
    turns: tuple[Turn, ...]


EXAMPLES = (
    Example(
        "reddit",
        "__REDDIT__/search",
        "In which forum does somebody ask whether sourdough needs a proofing basket",
        (
            Turn(
                "I can search for the words of the question.",
                "type [#] [proofing basket] [1]",
                "searchbox",
                "Search query",
            ),
            Turn(
                "There is one such post, and it is in the forum baking. That is all that is asked for.", "stop [baking]"
            ),
        ),
    ),
    Example(
        "shopping",
        "__SHOPPING__/contact",
        "Tell me which price the microphone stand on my wish list has",
        (
            Turn("The wish list has a link at the top of this page.", "click [#]", "link", "My Wish List"),
            Turn(
                "The microphone stand is the last one in the table. The price stands in the same row: $28.99.",
                "stop [$28.99]",
            ),
        ),
    ),
    Example(
        "reddit",
        "__REDDIT__/user/OliveAndOar/edit_biography",
        'Change my biography to "Rowing, mostly upstream"',
        (
            Turn(
                "The field holds the biography so far. I put the new one in its place, and save it with the button.",
                "type [#] [Rowing, mostly upstream] [0]",
                "textbox",
                "Biography",
            ),
            Turn("The field holds the new text, but it is not saved yet.", "click [#]", "button", "Save"),
            Turn("My page shows the new biography. Nothing else is asked for, and no answer.", "stop []"),
        ),
    ),
    Example(
        "reddit",
        "__REDDIT__/user/OliveAndOar/hidden_forums",
        "Tell me on which day I hid the forum films",
        (
            Turn(
                "The forum films is listed as hidden, but without a day, and no page of the site says when one was "
                "hidden. So this cannot be answered.",
                "stop [N/A]",
            ),
        ),
    ),
    Example(
        "reddit",
        "__REDDIT__/messages",
        "open: my messages with kestrel_nine",
        (
            Turn(
                "This is the list of my messages. The latest one with kestrel_nine is a link to all of them.",
                "click [#]",
                "link",
                "130, and you get the star chart",
            ),
            Turn(
                "The messages with kestrel_nine are open. This is a part of a task, so I do not stop.", "task completed"
            ),
        ),
    ),
)


async def played() -> str:
    """The text of the prompt: each example with what the world answers."""
    with TemporaryDirectory() as folder:
        tasks = [
            {"sites": [each.site], "start_url": each.start, "intent": each.goal, "eval": _asks()} for each in EXAMPLES
        ]
        async with world_of(tasks_file(Path(folder), *tasks)) as world:
            shown = [await _play(world, number, example) for number, example in enumerate(EXAMPLES)]
    return "\n\n".join((_BEFORE, *shown, _AFTER)) + "\n"


def _asks() -> dict[str, object]:
    answers = {"must_include": ["any"]}
    return {"eval_types": ["string_match"], "reference_answers": answers, "reference_url": "", "program_html": []}


async def _play(world: WebArena, number: int, example: Example) -> str:
    session = await world.open(named(number))
    said = session.opening.setting
    lines = [said, "", f"Goal: {example.goal}."]
    for turn in example.turns:
        element = f"[{number_of(said, turn.role, turn.name)}]" if turn.role else ""
        action = turn.action.replace("[#]", element)
        lines += [f"Thought: {turn.thought}", f"Action: {action}"]
        if turn.action.startswith(("stop", "task ")):
            continue
        outcome = await session.step(action)
        assert not outcome.rejected, outcome.observation
        said = outcome.observation
        lines.append(f"Observation: {said}")
    await session.close()
    return "\n".join(lines)


if __name__ == "__main__":
    FILE.write_text(asyncio.run(played()), encoding="utf-8")
