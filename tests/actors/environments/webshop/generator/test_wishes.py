import re
from functools import cache

from quintet.environments.webshop.generator.wishes import WantedProduct, wanted_products


@cache
def shop() -> tuple[WantedProduct, ...]:
    return tuple(wanted_products(300, 450, seed=0))


def test_instructions_are_spread_evenly() -> None:
    assert [len(each.human) for each in shop()] == [2] * 150 + [1] * 150
    assert sum(len(each.human) for each in wanted_products(10, 3, seed=0)) == 3


def test_instructions_ask_for_what_the_product_has_in_plain_sentences() -> None:
    for each in shop():
        attributes = {*each.product.attributes}
        values = {value for of_one in each.product.options.values() for value in of_one}
        for wish in each.human:
            assert wish.instruction_attributes
            assert {*wish.instruction_attributes} <= attributes
            assert {*wish.instruction_options} <= values
            assert all(value in wish.instruction for value in wish.instruction_options)
            assert wish.instruction == wish.instruction.strip(" .,")
            assert re.search(r"[*]|  |\ba [aeio]|\ban [bcdfgjklmnpqrstvwxyz]", wish.instruction) is None
        wanted = each.synthetic.instruction_attributes
        assert each.synthetic.instruction == f"Find me {', '.join(wanted)} {each.product.query}"
        assert {*wanted} <= attributes


def test_instructions_are_varied_and_are_no_copies_of_titles() -> None:
    said = [wish.instruction for each in shop() for wish in each.human]
    assert len({*said}) == len(said)
    assert len({instruction.split()[0] + instruction.split()[1] for instruction in said}) > 10
    shared = [
        len({*words(wish.instruction)} & {*words(each.product.title)}) / len({*words(each.product.title)})
        for each in shop()
        for wish in each.human
    ]
    assert max(shared) < 0.8
    assert sum(shared) / len(shared) < 0.35


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())
