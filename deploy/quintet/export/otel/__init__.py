"""Spans by the GenAI conventions of OpenTelemetry."""
