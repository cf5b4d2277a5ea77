"""WebShop as a world: its shop, and how its pages are shown."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, get_args

from msgspec.structs import astuple

from quintet.environments.content import content_digest
from quintet.environments.data_commands import DataCommand
from quintet.environments.options import check_choice, check_positive
from quintet.environments.webshop.data import build_shop, check_shop, generate_shop
from quintet.environments.webshop.pages import PageText
from quintet.environments.webshop.reward.score import TaggerName, find_tagger
from quintet.environments.webshop.shop.open import GoalShape, open_shop
from quintet.environments.webshop.state import Clicks, ShoppingTask, WebShopState
from quintet.environments.webshop.storefront import Storefront
from quintet.messages.environment import Task
from quintet.ports.effects import Effect
from quintet.ports.world import World

_RULES = "3"


class WebShop(World):
    """Buy what an instruction asks for: search, open a product, choose its options, buy.

    Args:
        data: a folder with the official files, or a file that `quintet data build webshop` made of them; None: a
            made-up shop. In a run $WEBSHOP_DATA names it too.
        goals: `human`: as people wrote them; `synthetic`: one for each combination of a product's options.
        text: `client`: the pages as ReAct's, ADaPT's and LATS' prompts have them; `gym`: as the released text
            environment has them and reads actions; see `Storefront`.
        page_len: products on a page of results; ReAct and ADaPT show 3.
        clicks: the client's answer when an option is chosen: `line`, or the whole `page`, with a line for each choice.
        max_steps: actions until a session ends with what was earned, rejected ones included; None: no limit.
        tagger: what finds the nouns of titles, on which the score depends: `words` or `spacy`.

    Raises:
        UsageError: an option has an unknown value, or the tagger is not installed.

    Source: Yao et al. (2022), and its released code for texts, search and score. Differs: see README.md.
    """

    name = "webshop"
    opens_on_page = True
    prompt_folder = Path(__file__).parent / "prompts"
    variables: ClassVar[Mapping[str, str]] = {"data": "WEBSHOP_DATA"}
    data_commands: ClassVar[Mapping[str, DataCommand]] = {
        "generate": generate_shop,
        "check": check_shop,
        "build": build_shop,
    }

    def __init__(
        self,
        data: Annotated[Path | str | None, Effect.NONE] = None,
        *,
        goals: GoalShape = "human",
        text: PageText = "client",
        page_len: int = 10,
        clicks: Clicks = "line",
        max_steps: int | None = None,
        tagger: TaggerName = "words",
    ) -> None:
        for option, given, known in (("text", text, get_args(PageText)), ("clicks", clicks, get_args(Clicks))):
            check_choice(option, given, known, "webshop")
        for option, number in (("page_len", page_len), ("max_steps", max_steps)):
            check_positive(option, number, "webshop")
        self._shop = open_shop(None if data is None else Path(data), goals)
        self._front = Storefront(self._shop.catalogue, page_len, released=text == "gym")
        self._nouns, self._tagger = find_tagger(tagger), tagger
        self.version = f"{_RULES}+{text}-{clicks}-{page_len}-{max_steps}+{tagger}+{self._shop.version}"
        self.counts_rejections = max_steps is not None
        self.splits = self._shop.splits
        self._text: PageText = text
        self._clicks: Clicks = clicks
        self._max_steps = max_steps
        self._opened: dict[str, ShoppingTask] = {}

    def tasks(self, split: str) -> tuple[str, ...]:
        return self._shop.tasks(split)

    def metadata(self, task: str) -> Mapping[str, str]:
        return self._shop.metadata(task)

    def scores(self, task: str) -> tuple[str, ...]:
        return ("type", "attributes", *(["options"] if self._shop.goal(task).options else []), "price")

    def content(self, split: str) -> Mapping[str, str]:
        goals = [(name, astuple(self._shop.goal(name))) for name in self.tasks(split)]
        return {"shop": self._shop.catalogue.digest, "goals": content_digest(goals), "tagger": self._tagger}

    def open(self, task: Task) -> WebShopState:
        """The state in which a task begins. The seed has no effect."""
        if task.name not in self._opened:
            self._opened[task.name] = ShoppingTask(
                goal=self._shop.goal(task.name),
                front=self._front,
                nouns=self._nouns,
                form=self._text,
                clicks=self._clicks,
                max_steps=self._max_steps,
            )
        return WebShopState(self._opened[task.name])
