"""What an episode went through, as its journal tells it."""

from collections.abc import Sequence

from quintet.events import CallMade, EpisodeEnded, Record, SessionOpened, StepTaken
from quintet.messages.execution import Act, Turn
from quintet.messages.learning import Experience
from quintet.parsing.forms import as_paper_text
from quintet.roles.telling import put_together
from quintet.roles.turns import thought_in


def experience(task: str, records: Sequence[Record]) -> Experience:
    """The steps in the session that was acted in last, each under its action and the executor's thought before it.

    A thought is one of the conversation that took the step: whoever plans, or decides without doing it, is another one.
    Left out are turns without an action, a claim, and other sessions; and, of a session that was forked, what had been
    done before, since the journal does not say which one it was forked from.

    Args:
        task: its name.
        records: of one attempt, as the conversation went.
    """
    opening, acted_in, reason = "", "", ""
    thoughts: dict[str, str] = {}
    turns: dict[str, list[Turn]] = {}
    for record in records:
        conversation = record.event.path.rpartition("/")[0]
        match record.event:
            case SessionOpened(observation=observation):
                opening = opening or observation
            case CallMade(completion=completion, sampling=sampling):
                thought = thought_in(as_paper_text(completion.text, sampling.form), sampling)
                if thought is not None:
                    thoughts[conversation] = thought
            case StepTaken(session=acted_in, action=action, observation=observation):
                thought = thoughts.pop(conversation, "")
                said = put_together(thought, Act(thought=thought, action=action))
                turns.setdefault(acted_in, []).append(Turn(completion=said, observation=observation))
            case EpisodeEnded(why=reason):
                pass
            case _:
                pass
    return Experience(task=task, opening=opening, turns=tuple(turns.get(acted_in, ())), reason=reason)
