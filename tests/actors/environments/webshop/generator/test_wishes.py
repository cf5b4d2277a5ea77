import re
from functools import cache

from quintet.environments.webshop.generator.wishes import WantedProduct, wanted_products


@cache
def shop() -> tuple[WantedProduct, ...]:
    return tuple(wanted_products(300, 450, seed=0))


def test_instructions_are_spread_evenly() -> None:
    assert [len(each.human) for each in shop()] == [2] * 150 + [1] * 150
    assert sum(len(each.human) for each in wanted_products(10, 3, seed=0)) == 3


def test_an_instruction_asks_for_what_the_product_has() -> None:
    for each in shop():
        values = {value for of_one in each.product.options.values() for value in of_one}
        for wish in each.human:
            assert wish.instruction_attributes
            assert {*wish.instruction_attributes} <= {*each.product.attributes}
            assert {*wish.instruction_options} <= values
            assert all(value in wish.instruction for value in wish.instruction_options)


def test_a_synthetic_instruction_lists_attributes_and_the_search() -> None:
    for each in shop():
        wanted = ", ".join(each.synthetic.instruction_attributes)
        assert each.synthetic.instruction == f"Find me {wanted} {each.product.query}"
        assert {*each.synthetic.instruction_attributes} <= {*each.product.attributes}


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


def test_instructions_are_plain_sentences() -> None:
    for each in shop():
        for wish in each.human:
            assert wish.instruction == wish.instruction.strip(" .,")
            assert "*" not in wish.instruction
            assert "  " not in wish.instruction
            assert re.search(r"\ba [aeio]", wish.instruction) is None
            assert re.search(r"\ban [bcdfgjklmnpqrstvwxyz]", wish.instruction) is None


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())
