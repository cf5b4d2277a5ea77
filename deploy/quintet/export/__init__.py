"""Runs as Parquet for pandas, DuckDB and Ray Data, as logs of inspect_ai, and as spans of OpenTelemetry."""
