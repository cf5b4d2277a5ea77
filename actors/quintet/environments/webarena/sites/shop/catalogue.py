"""What the shop's pages ask the database about products, ratings and categories."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Literal

SortKey = Literal["position", "name", "price", "rating", "newest"]
"""How a listing is sorted."""
SORTS: Mapping[str, str] = {
    "position": "id",
    "name": "name COLLATE NOCASE",
    "price": "price",
    "rating": "coalesce(rating, 0)",
    "newest": "created",
}
SORT_LABELS: Mapping[str, str] = {
    "position": "Position",
    "name": "Product Name",
    "price": "Price",
    "rating": "Rating",
    "newest": "Newest",
}
PRICE_RANGES: Sequence[tuple[int, int]] = ((0, 20), (20, 50), (50, 100), (100, 200), (200, 1000))
"""In dollars: from the first up to below the second."""
_PRODUCT = """
    SELECT p.*, r.rating, coalesce(r.reviews, 0) AS reviews, c.name AS category, c.slug AS category_slug,
        EXISTS (SELECT 1 FROM shop_options o WHERE o.product_id = p.id) AS has_options
    FROM shop_products p
    JOIN shop_categories c ON c.id = p.category_id
    LEFT JOIN (SELECT product_id, avg(rating) AS rating, count(*) AS reviews FROM shop_reviews WHERE status = 'Approved'
        GROUP BY product_id) r ON r.product_id = p.id
    WHERE p.enabled = 1"""


def category_menu(db: sqlite3.Connection) -> list[tuple[Any, list[Any]]]:
    """The categories, each with its subcategories."""
    rows = db.execute("SELECT * FROM shop_categories ORDER BY id").fetchall()
    return [
        (row, [below for below in rows if below["parent_id"] == row["id"]]) for row in rows if row["parent_id"] is None
    ]


def find_product(db: sqlite3.Connection, slug: str) -> Any:
    """A product that is sold, by the word in its address; None if there is none."""
    return db.execute(f"{_PRODUCT} AND p.slug = ?", (slug,)).fetchone()


def find_products(
    db: sqlite3.Connection,
    where: str = "",
    values: Sequence[object] = (),
    *,
    sort: str = "position",
    descending: bool = False,
) -> list[Any]:
    """Products that are sold.

    Args:
        db: the instance's database.
        where: a condition on columns of a product, written by the caller; what visitors typed goes into `values`.
        values: for the condition's question marks.
        sort: a key of `SORTS`; another sorts by position.
        descending: the other way round.
    """
    order = SORTS.get(sort, "id")
    query = f"SELECT * FROM ({_PRODUCT}) WHERE {where or '1'} ORDER BY {order} {'DESC' if descending else 'ASC'}, id"
    return db.execute(query, tuple(values)).fetchall()
