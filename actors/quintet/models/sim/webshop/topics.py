"""What goals and observations in the shop are about: kinds of products, and kinds of pages."""

import re
from collections.abc import Mapping

from quintet.models.sim.sorting import Topic
from quintet.models.sim.stems import stem_of
from quintet.models.sim.webshop.pages import ItemPage, ResultsPage, SearchPage, ShopAnswer, TextPage, read_page
from quintet.models.sim.webshop.wanted import read_wanted

_AREAS: Mapping[str, str] = {
    "clothing": (
        "belt blouse boots boxer bra clothes coat dress gloves hat heels hoodie jacket jeans jumpsuit leggings "
        "loafers pajamas pants polo sandals scarf shirt shoes shorts skirt slippers sneakers socks suit sweater "
        "sweatshirt swimsuit tee top trousers tunic underwear vest"
    ),
    "beauty": (
        "balm brush concealer conditioner cosmetic cream deodorant eyeliner eyelash foundation fragrance gel hair "
        "lipstick lotion makeup mascara mask moisturizer nail oil perfume razor serum shampoo skin soap sunscreen "
        "toothbrush toothpaste wig"
    ),
    "food": (
        "almond bar bean bread candy cereal cheese chips chocolate coffee cookie cracker drink flour fruit honey "
        "jam jerky juice milk mix noodle nut pasta popcorn rice salt sauce seasoning snack soup spice sugar syrup tea "
        "water"
    ),
    "electronics": (
        "adapter amplifier antenna battery bluetooth cable camera case charger computer display drive earbuds hdmi "
        "headphones headset keyboard laptop lens memory microphone monitor mouse phone player printer projector remote "
        "router screen smartwatch speaker stand tablet television tripod tv usb"
    ),
    "home": (
        "bed bench blanket blinds bookcase bookshelf bottle bowl box cabinet candle carpet chair clock couch curtain "
        "cushion desk drawer dresser frame furniture holder jar kettle lamp light mat mattress mirror mug nightstand "
        "ottoman pan pillow plate pot rack rug sconce sheet shelf sofa stool storage table towel tray vase wallpaper"
    ),
}
_AREA_OF = {stem_of(word): area for area, words in _AREAS.items() for word in words.split()}
_BUTTON = re.compile(r"click\[(?P<button>[^\]]+)\]", re.IGNORECASE)


def shop_topic(text: str) -> Topic | None:
    """The kind of product of a goal, or the kind of page of an observation; None if the text is neither."""
    match read_page(text):
        case SearchPage():
            return Topic("searching", "search")
        case ResultsPage():
            return Topic("searching", "results")
        case ItemPage():
            return Topic("a product", "item")
        case TextPage():
            return Topic("a product", "text")
        case ShopAnswer(kind="clicked"):
            return Topic("choosing and buying", "option")
        case ShopAnswer(kind="bought"):
            return Topic("choosing and buying", "purchase")
        case ShopAnswer():
            return Topic("refusals", "refusal")
        case None:
            pass
    wanted = read_wanted(text)
    if wanted.limit is None:
        return None
    known = [word for word in wanted.words if word in _AREA_OF]
    return Topic(_AREA_OF[known[0]], known[0]) if known else Topic("other things", "thing")
