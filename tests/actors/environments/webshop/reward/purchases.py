"""A product and a goal that fits it, to be varied."""

from quintet.environments.webshop.goals.instructions import Goal, WantedOption
from quintet.environments.webshop.products import Product

SHAMPOO = Product(
    asin="B0SHAMPOO1",
    title="Mild Shampoo for Curly Hair",
    description="Best used daily, and made with natural ingredients.",
    bullets=("Smells of essential oils and lemons", "Sulfate Free"),
    price_text="$12.5",
    price_range=(12.5, 12.5),
    options={"scent": ("lemon", "dark rose"), "size": ("8 ounce", "16 ounce (pack of 2)")},
    category="beauty",
    query="shampoo",
    product_category="Beauty & Personal Care › Hair Care › Shampoo",
    attributes=("tea tree", "cruelty free"),
)
WANTED = Goal(
    asin="B0SHAMPOO1",
    instruction="i need a tea tree shampoo that is cruelty free, in a rose scent, and price lower than 20.00 dollars",
    attributes=("tea tree", "cruelty free"),
    options=(WantedOption("dark rose"), WantedOption("8 ounce")),
    price_limit=20.0,
    title="Mild Shampoo for Curly Hair",
    category="beauty",
    query="shampoo",
    product_category="Beauty & Personal Care › Hair Care › Shampoo",
)
