"""The evaluators: what an answer, an address and the pages that were left are worth."""
