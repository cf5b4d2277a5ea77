"""The shop's search: English words, and BM25 as Lucene computes it."""
