"""WebShop: time of steps, forks and searches, in the made-up shop and in one of the size of the official one."""

import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks.measuring import ROUNDS, Figure, rate
from quintet.environments.webshop.catalogue.catalogue import Catalogue, build_catalogue, catalogue_of, open_catalogue
from quintet.environments.webshop.generator.products import made_up_products
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.shop.open import priced
from quintet.environments.webshop.world import WebShop
from quintet.messages.environment import Task

_FEW = 1_000
OFFICIAL = 1_180_000
"""Products, about as many as the official file has."""
_MANY = 20_000


def figures() -> Iterator[Figure]:
    """On one core. The large shop takes ten minutes to build: `python -m benchmarks.webshop FILE` has it."""
    world = WebShop()
    tasks = [Task(name=name, seed=0) for name in world.tasks("test")]
    advice = [world.open(task).expert() or () for task in tasks]
    yield Figure("webshop steps of the expert, searches kept", rate(partial(_steps, world, tasks, advice)), "/s")
    bought = world.open(tasks[0])
    for action in advice[0][:-1]:
        bought.step(action)
    yield Figure(
        "webshop fork before the purchase", 1e6 / rate(lambda: len([bought.fork() for _ in range(_MANY)])), "us"
    )
    products = [made_up.product for made_up in islice(made_up_products(0), _FEW)]
    yield Figure("webshop index of 1,000 products", 1e3 / rate(lambda: len([catalogue_of(priced(products))])), "ms")
    instructions = [world.open(task).opening.goal for task in tasks]
    yield from _searches(catalogue_of(priced(products)), instructions, "1,000 products")


def large_figures(path: Path) -> Iterator[Figure]:
    """Of a shop of the official one's size, which is built if there is no such file."""
    if not path.exists():
        started = time.perf_counter()
        build_catalogue(path, priced(_products()))
        yield Figure("webshop 1,180,000 products built", time.perf_counter() - started, "s")
    yield Figure("webshop 1,180,000 products, file", path.stat().st_size / 1e6, "MB")
    world = WebShop()
    instructions = [world.open(Task(name=name, seed=0)).opening.goal for name in world.tasks("test")]
    started = time.perf_counter()
    shop = open_catalogue(path)
    shop.search("lamp")
    yield Figure("webshop 1,180,000 products opened, first search", 1e3 * (time.perf_counter() - started), "ms")
    yield from _searches(shop, instructions, "1,180,000 products")
    yield Figure("webshop resident after them", _resident() / 1e6, "MB")


def _products() -> Iterator[Product]:
    return (made_up.product for made_up in islice(made_up_products(1), OFFICIAL))


def _steps(world: WebShop, tasks: Sequence[Task], advice: Sequence[Sequence[str]]) -> int:
    for task, actions in zip(tasks, advice, strict=True):
        state = world.open(task)
        for action in actions:
            state.step(action)
    return sum(map(len, advice))


def _searches(shop: Catalogue, queries: Sequence[str], of: str) -> Iterator[Figure]:
    """Whole instructions, as the naive buyer searches for them, and some of their words; each at its best round."""
    for what, texts in (
        ("instruction", queries),
        ("four words", [" ".join(text.split()[-14:-10]) for text in queries]),
    ):
        distinct = list(dict.fromkeys(texts))
        rounds = [[_seconds(shop, text) for text in distinct] for _ in range(ROUNDS)]
        best = [min(times) for times in zip(*rounds, strict=True)]
        last = quantiles(best, n=100)[98]
        yield Figure(
            f"webshop search of {of}, {what}, p99", 1e3 * last, "ms", f"median {1e3 * sorted(best)[len(best) // 2]:.2f}"
        )


def _seconds(shop: Catalogue, query: str) -> float:
    """Of this thread alone, since the machine is shared and a search waits for nothing."""
    shop.search.cache_clear()
    started = time.thread_time()
    shop.search(query)
    return time.thread_time() - started


def _resident() -> int:
    """Bytes of this process in memory, mapped files included."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        for figure in large_figures(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder) / "large.shop"):
            print(figure, flush=True)
