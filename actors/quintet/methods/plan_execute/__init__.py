"""Plan-and-Execute: one plan, each step of which is attempted."""
