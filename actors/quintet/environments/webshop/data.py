"""WebShop's data commands: make up a shop, check a shop, and build one into a file that opens at once."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from quintet.environments.data_commands import DataSummary
from quintet.environments.webshop.catalogue.catalogue import build_catalogue
from quintet.environments.webshop.generator.layout import write_shop
from quintet.environments.webshop.generator.wishes import WantedProduct, wanted_products
from quintet.environments.webshop.goals.instructions import pack
from quintet.environments.webshop.purchase import Purchase, best_purchase
from quintet.environments.webshop.reward.score import Nouns, PurchaseScore, TaggerName, find_tagger, score_purchase
from quintet.environments.webshop.shop.open import OFFICIAL, GoalShape, Shop, locate, open_shop, priced, read_shop_files
from quintet.errors import UsageError

_MOST = 10_000_000
_NAMED = 20
"""Goals that a check names."""


def generate_shop(*, products: int, goals: int, out: Path, seed: int = 0) -> DataSummary:
    """Write made-up products and goals in the layout of the official files.

    Args:
        products: How many. More products begin with those of fewer.
        goals: How many human instructions. Each product has a synthetic one besides.
        out: The folder to write, new or empty.
        seed: The same seed gives the same shop; 0 begins with the products that are built in.

    Raises:
        UsageError: a number is too large, or the folder cannot be written.
    """
    for flag, number in (("--products", products), ("--goals", goals)):
        if not 1 <= number <= _MOST:
            raise UsageError(f"{flag}: expected 1 to {_MOST:,}, got {number:,}")
    by_category: dict[str, Counter[int]] = {}

    def counted() -> Iterator[WantedProduct]:
        for each in wanted_products(products, goals, seed):
            by_category.setdefault(each.product.category, Counter())[len(each.product.options)] += 1
            yield each

    write_shop(out, counted())
    numbers = sorted({number for counts in by_category.values() for number in counts})
    table = {
        category: {f"{number} option{'s' * (number != 1)}": counts[number] for number in numbers}
        for category, counts in by_category.items()
    }
    note = f"{goals:,} human goals; --set environment.data={out} plays them"
    return DataSummary(title="made-up products", rows_are="category", counts=table, notes=(note,))


def check_shop(path: Path | None = None, *, goals: GoalShape = "human", tagger: TaggerName = "words") -> DataSummary:
    """Read a whole shop, and make the best purchase for every goal.

    Args:
        path: A folder of official files, its file of products, or a built file; by default the built-in shop.
        goals: The goals' shape, human or synthetic.
        tagger: What finds the nouns of titles, words or spacy.

    Raises:
        UsageError: a record cannot be read, or there are no goals; the text names record and field.
    """
    shop = open_shop(path, goals)
    counts: dict[str, Counter[str]] = {split: Counter() for split in ("test", "eval", "train") if split in shop.splits}
    warnings: list[str] = []
    total = 0.0
    for checked in check_goals(shop, find_tagger(tagger)):
        score = 0.0 if checked.score is None else checked.score.reward
        total += score
        outcome = "not found" if checked.purchase is None else "score 1" if score == 1.0 else "less"
        counts[checked.split][outcome] += 1
        if outcome != "score 1" and len(warnings) < _NAMED:
            goal = shop.goal(checked.task)
            got = "none that a search finds" if checked.purchase is None else f"one of score {score:.2f}"
            where = f"{checked.task}, product {goal.asin}: {goal.instruction}"
            warnings.append(f"goal: expected a purchase of score 1, got {got} ({where})")
    number = sum(each.total() for each in counts.values())
    note = f"{len(shop.catalogue):,} products; the best purchases score {100 * total / number:.1f} on average"
    return DataSummary(
        title=f"{goals} goals by their best purchase",
        rows_are="split",
        counts=counts,
        warnings=tuple(warnings),
        notes=(note,),
    )


class CheckedGoal(Struct, frozen=True):
    """A goal, and the best purchase for it."""

    task: str
    split: str
    purchase: Purchase | None
    """None: no search that was tried finds its product."""
    score: PurchaseScore | None


def check_goals(shop: Shop, nouns: Nouns) -> Iterator[CheckedGoal]:
    """Check every goal once, in order."""
    seen: set[str] = set()
    for split in shop.splits:
        for task, goal in shop.goals[split].items():
            if task in seen:
                continue
            seen.add(task)
            purchase = best_purchase(shop.catalogue, goal)
            number = shop.catalogue.number(goal.asin)
            if purchase is None or number is None:
                yield CheckedGoal(task, split, None, None)
                continue
            product, price = shop.catalogue.product(number), shop.catalogue.price(number)
            score = score_purchase(product, goal, purchase.options, price, nouns=nouns)
            yield CheckedGoal(task, split, purchase, score)


def build_shop(path: Path, *, out: Path) -> DataSummary:
    """Write a shop to one file that opens at once, however many products it has, and is shared by all sessions.

    Args:
        path: A folder of official files, or its file of products.
        out: The file to write, new; its name may not end in .json.

    Raises:
        UsageError: a record cannot be read, or the file exists, ends in .json or cannot be written; the text names
            record and field.
    """
    if out.exists() or out.suffix == OFFICIAL:
        got = "one that exists" if out.exists() else f"one that ends in {OFFICIAL}, as official files do"
        raise UsageError(f"--out: expected a new file, got {got} ({out})")
    products, instructions = read_shop_files(locate(path))
    written = build_catalogue(out, priced(products), pack(instructions))
    goals = sum(map(len, instructions.human.values()))
    note = f"{goals:,} human instructions; --set environment.data={out} plays them"
    return DataSummary(
        title="products in one file", rows_are="file", counts={out.name: {"products": written}}, notes=(note,)
    )
