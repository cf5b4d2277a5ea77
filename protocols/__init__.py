"""What may be said: messages, ports, events and the wire codec. Imports msgspec and the standard library only."""
