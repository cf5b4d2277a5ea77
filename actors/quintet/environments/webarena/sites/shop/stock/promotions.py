"""Fills the shop with coupons, searches, messages and the first customer's wish list."""

import sqlite3

from quintet.environments.webarena.sites.shop.stock.draw import Draw

_COUPONS = (
    ("WELCOME10", "Ten percent for new customers", "percent", 10, "2021-06-01", "2024-12-31", 1),
    ("SPRING15", "Spring sale", "percent", 15, "2023-03-01", "2023-05-31", 1),
    ("SUMMER20", "Summer sale", "percent", 20, "2023-06-01", "2023-08-31", 1),
    ("FIVEOFF", "Five dollars off", "amount", 500, "2022-01-01", "2023-12-31", 1),
    ("CLUB25", "For members of the club", "percent", 25, "2022-09-01", "2023-12-31", 0),
)
_SEARCHES = (
    "mug", "lamp", "blanket", "cast iron", "walnut", "puzzle", "oak", "trowel", "fountain pen", "cork", "planter",
    "wool", "tent", "headphones", "bird bath", "ukulele", "umbrella", "travel mug", "copper", "notebook",
)  # fmt: skip
_LETTERS = (
    ("Hedda Falk", "hedda.falk@mailbox.example", "Do you deliver to islands? We live on one, and most shops do not."),
    ("Elias Brandt", "elias.brandt@mailbox.example", "The lamp that I bought in March flickers. May I send it back?"),
    ("Corin Vale", "corin.vale@mailbox.example", "Will the large terracotta planters come back this year?"),
    ("Mei Huang", "mei.huang@mailbox.example", "I would like an invoice with the name of my company on it."),
)


def add_promotions(db: sqlite3.Connection) -> None:
    """Fill them; the searches count products that are there already."""
    draw = Draw("shop promotions")
    db.executemany(
        "INSERT INTO shop_coupons (code, name, kind, amount, starts, ends, active) VALUES (?, ?, ?, ?, ?, ?, ?)",
        _COUPONS,
    )
    for term in _SEARCHES:
        found = db.execute("SELECT count(*) FROM shop_products WHERE name LIKE ?", (f"%{term}%",)).fetchone()[0]
        db.execute(
            "INSERT INTO shop_searches (term, results, uses, last_used) VALUES (?, ?, ?, ?)",
            (term, found, draw.whole(1, 400), draw.moment(60, 60)),
        )
    moments = sorted(draw.moment(30, 30) for _ in _LETTERS)
    for (name, email, text), created in zip(_LETTERS, moments, strict=True):
        db.execute(
            "INSERT INTO shop_messages (name, email, phone, text, created) VALUES (?, ?, '', ?, ?)",
            (name, email, text, created),
        )
    wished = db.execute("SELECT id FROM shop_products WHERE stock > 20 ORDER BY id").fetchall()
    for row in draw.some(wished, 4):
        db.execute(
            "INSERT INTO shop_wishes (customer_id, product_id, created) VALUES (1, ?, ?)",
            (row["id"], draw.moment(90, 80)),
        )
