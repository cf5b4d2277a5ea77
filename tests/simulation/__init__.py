"""The whole system on a virtual event loop, over a transport that delays, reorders, drops and kills."""
