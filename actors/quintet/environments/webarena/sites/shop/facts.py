"""What the evaluators ask the shop beside its pages."""

import sqlite3


class ShopFacts:
    """Answers from an instance's database."""

    def __init__(self, db: sqlite3.Connection, address: str) -> None:
        """Take the database, and where the shop is."""
        self._db = db
        self._address = address

    async def latest_order_url(self) -> str:
        """Where the customer sees the order that was made last."""
        row = self._db.execute("SELECT number FROM shop_orders ORDER BY id DESC LIMIT 1").fetchone()
        return f"{self._address}/customer/orders/{row['number']}" if row else ""

    async def latest_review_author(self, sku: str) -> str:
        """The nickname under a product's last review, in whatever state it is; empty: there is none."""
        return str(self._latest_review("nickname", sku))

    async def latest_review_rating(self, sku: str) -> str:
        """The rating of a product's last review in percent; empty: there is none."""
        return str(self._latest_review("rating * 20", sku))

    def _latest_review(self, column: str, sku: str) -> object:
        row = self._db.execute(
            f"SELECT {column} FROM shop_reviews r JOIN shop_products p ON p.id = r.product_id WHERE p.sku = ? "
            "ORDER BY r.created DESC, r.id DESC LIMIT 1",
            (sku,),
        ).fetchone()
        return row[0] if row else ""
