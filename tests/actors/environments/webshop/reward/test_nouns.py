import sys
from types import SimpleNamespace

import pytest

from quintet.environments.webshop.reward.nouns import find_tagger, nouns_by_words
from quintet.errors import UsageError


@pytest.mark.parametrize(
    ("title", "nouns"),
    [
        ("Soft Cotton Towels for the Bath, 2 Pack", ("cotton", "towels", "bath", "pack")),
        ("Stainless-Steel Kettle (1.7L), Cordless", ("steel", "kettle")),
        ("Women's Padded Washable Coat", ("women's", "coat")),
        ("red seed bed", ("seed", "bed")),
        ("Shoe Rack Shoe Bench", ("shoe", "rack", "shoe", "bench")),
        ("100% 4K", ()),
        ("", ()),
    ],
)
def test_nouns_are_the_words_of_no_other_class(title: str, nouns: tuple[str, ...]) -> None:
    assert nouns_by_words(title) == nouns


_LEAD = "BRST AC Power Cord Outlet Socket Cable Plug Lead for Panasonic SC-HT830V DVD/VCR Combo Home Theater System"


# Pairs of the released tests of the reward, with the share of nouns that spaCy gives there.
@pytest.mark.parametrize(
    ("wanted", "bought", "share"),
    [
        (
            "adidas Unisex-Adult D.o.n. Issue 2 Basketball Shoe",
            "adidas Unisex-Adult D.o.n. Issue 2 Indoor Court Shoe",
            0.85,
        ),
        (
            "Saireed UL Listed 2 Prong Power Cord for JBL Bar 3.1 Bar 2.1 Channel 4K Ultra HD Soundbar Home Theater "
            "System Subwoofer",
            _LEAD,
            0.31,
        ),
        (
            "Saireed UL Listed 2 Prong Power Cord for JBL Bar 3.1 Bar 2.1 Channel 4K Ultra HD Soundbar",
            _LEAD,
            0.17,
        ),
        (
            "Rusticware 921ORB Kitchen and Bath Cabinet Knob",
            "Minkissy 2pcs Stainless Steel Eyebrow Tweezers Blackhead Acne Remover Portable Makeup Tweezers (Silver)",
            0.0,
        ),
    ],
)
def test_published_shares_of_nouns_come_out(wanted: str, bought: str, share: float) -> None:
    nouns = nouns_by_words(wanted)
    assert len({*nouns} & {*nouns_by_words(bought)}) / len(nouns) == pytest.approx(share, abs=0.01)


def test_a_tagger_or_a_model_that_is_not_there_is_refused_with_what_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        raise OSError(f"[E050] Can't find model '{name}'.")

    with pytest.raises(UsageError, match="expected one of words, spacy, got 'nltk'"):
        find_tagger("nltk")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"got none installed; pip install 'quintet-agents\[spacy\]'.*en_core_web_sm"):
        find_tagger("spacy")
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))
    with pytest.raises(UsageError, match="expected spaCy's model en_core_web_sm, got none installed"):
        find_tagger("spacy")


def test_spacys_nouns_and_names_are_taken_in_lower_case(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = {"Marl": "PROPN", "Red": "ADJ", "Kettle": "NOUN", "boils": "VERB"}

    def model(title: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(text=word, pos_=classes[word]) for word in title.split()]

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load={"en_core_web_sm": model}.__getitem__))
    assert find_tagger("spacy")("Marl Red Kettle boils Kettle") == ("marl", "kettle", "kettle")
