from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quintet.environments.webshop.goals.instructions import (
    HumanInstruction,
    Instructions,
    SyntheticInstruction,
    pack,
    read_human_instructions,
    read_product_notes,
    unpack_human,
    unpack_synthetic,
)
from quintet.errors import UsageError

HUMAN = """{"B01": [{"asin": "B01", "instruction": "find it", "instruction_attributes": ["soft"],
 "instruction_options": ["red", "xx-large"], "worker_id": "w", "options": ["color: red"]}], "B02": []}"""
NOTES = """{"B01": {"attributes": ["soft"], "instruction": "Find me soft", "instruction_attributes": ["soft"]},
 "B02": {"attributes": ["long lasting", "soft"], "instruction": null, "instruction_attributes": null},
 "B03": {"asin": "B03"}}"""


def written(path: Path, text: str) -> Path:
    file = path / "items.json"
    file.write_text(text, "utf-8")
    return file


def test_human_instructions_are_read_by_product(tmp_path: Path) -> None:
    found = read_human_instructions(written(tmp_path, HUMAN))
    assert found == {"B01": (HumanInstruction("find it", ("soft",), ("red", "xx-large")),), "B02": ()}


def test_notes_hold_attributes_and_for_some_products_a_synthetic_instruction(tmp_path: Path) -> None:
    found = read_product_notes(written(tmp_path, NOTES))
    assert {asin: note.attributes for asin, note in found.items()} == {
        "B01": ("soft",),
        "B02": ("long lasting", "soft"),
        "B03": (),
    }
    assert [note.synthetic for note in found.values()] == [SyntheticInstruction("Find me soft", ("soft",)), None, None]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"expected a JSON object of records by product"),
        (HUMAN[:90], r"expected a JSON object of records by product"),
        ("[]", r"expected a JSON object of records by product"),
        ('{"B07": [{"instruction": 3}]}', r"\$\[0\]\.instruction.*record B07"),
        ('{"B07": [{"instruction": "x"}]}', r"instruction_attributes.*record B07"),
        ('{"B07": [{"instruction": "x", "instruction_attributes": "soft"}]}', r"instruction_attributes.*record B07"),
    ],
)
def test_a_bad_file_of_instructions_is_refused_with_record_and_field(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_human_instructions(written(tmp_path, text))


def test_instructions_are_kept_as_bytes_and_damaged_ones_are_refused() -> None:
    human = {"B01": (HumanInstruction("find it", ("soft",), ()),)}
    synthetic = {"B02": SyntheticInstruction("Find me it", ("soft", "long"))}
    packed = pack(Instructions(human, synthetic))
    assert unpack_human(memoryview(packed)) == human
    assert unpack_synthetic(memoryview(packed)) == synthetic
    for unpack in (unpack_human, unpack_synthetic):
        for damaged in (packed.replace(b"B0", b"\xff\xff"), packed[:-1], b""):
            with pytest.raises(UsageError, match="goals: expected instructions as `quintet data build` keeps them"):
                unpack(memoryview(damaged))


@given(cut=st.integers(0, len(HUMAN)), junk=st.sampled_from(["", "}", "[", "\0", "\ud800", '{"B01":' * 5_000]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_a_file_that_is_cut_off_or_damaged_anywhere_is_refused(tmp_path: Path, cut: int, junk: str) -> None:
    file = tmp_path / "items.json"
    file.write_bytes((HUMAN[:cut] + junk).encode("utf-8", "surrogatepass"))
    without_the_last = HUMAN.partition(', "B02"')[0] + "}"
    if HUMAN[:cut] + junk in {HUMAN, without_the_last, "{}"}:
        assert len(read_human_instructions(file)) in {2, 1, 0}
    else:
        with pytest.raises(UsageError, match=r"^goals: expected .*items\.json"):
            read_human_instructions(file)
