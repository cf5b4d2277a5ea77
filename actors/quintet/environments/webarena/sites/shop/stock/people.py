"""Fills the shop with customers, their addresses, the clerks of its back office, and who takes its newsletter."""

import sqlite3

from quintet.environments.webarena.sites.shop.stock.draw import Draw
from quintet.environments.webarena.sites.shop.stock.tables import people_tables

CUSTOMER_EMAIL = "nora.whitfield@mailbox.example"
"""The customer who is signed in when a session opens."""
CLERK = "admin"
"""The user of the back office who is signed in when a session opens."""


def add_people(db: sqlite3.Connection) -> None:
    """Fill customers, addresses, clerks and subscribers."""
    draw = Draw("shop people")
    tables = people_tables()
    for number, (first, last) in enumerate(zip(tables.first, tables.last, strict=True), start=1):
        email = f"{first}.{last}@mailbox.example".lower()
        kind = "General" if number == 1 else draw.weighted(("General", "Wholesale", "Club"), (7, 1, 2))
        created = draw.moment(880, 140)
        phone = f"555-{draw.whole(200, 899)}-{draw.whole(1000, 9999)}"
        db.execute(
            "INSERT INTO shop_customers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (number, email, f"{first.lower()}-{number * 37 + 11}", first, last, kind, phone, created),
        )
        for place in range(2 if number == 1 or draw.chance(0.25) else 1):
            city, state, postcode = draw.pick(tables.cities)
            street = f"{draw.whole(2, 180)} {draw.pick(tables.streets)}"
            db.execute(
                "INSERT INTO shop_addresses (customer_id, name, street, city, state, postcode, phone, preferred) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (number, f"{first} {last}", street, city, state, postcode, phone, int(place == 0)),
            )
        if number > 1 and draw.chance(0.55):
            status = "Subscribed" if draw.chance(0.8) else "Unsubscribed"
            db.execute(
                "INSERT INTO shop_subscribers (email, status, created) VALUES (?, ?, ?)",
                (email, status, draw.moment(700, 690)),
            )
    db.execute("INSERT INTO shop_clerks (user, password, name) VALUES (?, 'ledger-2023', 'Agnes Thornbury')", (CLERK,))
