"""Records that tests write into a journal."""

from quintet.events import CallMade, Decided, Record
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling, Usage

EPISODE = episode_path("beehive", 0, 0)


def decided(number: int, incarnation: int = 1, answer: str = "1", episode: Path = EPISODE) -> Record:
    event = Decided(path=child(episode, number), question="which", answer=answer)
    return Record(event=event, incarnation=incarnation, host="here", at=1.5, seconds=0.25)


def call(number: int, prompt: Prompt, known: Prompt | None = None) -> Record:
    event = CallMade(
        path=child(EPISODE, number),
        model="m",
        prompt=prompt.node.address,
        sampling=Sampling(),
        completion=Completion(text="look", usage=Usage(prompt_tokens=7)),
    )
    nodes = prompt.nodes_since(() if known is None else (known.node.address,))
    return Record(event=event, incarnation=1, prompts=nodes)
