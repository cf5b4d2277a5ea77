"""The shop's products, their prices and their search, in one file that is mapped, or in memory."""
