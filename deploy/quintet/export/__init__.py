"""Runs as Parquet, for pandas, DuckDB and Ray Data."""
