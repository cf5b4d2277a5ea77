"""Serves the simulated models over HTTP, in the wire format of OpenAI's chat completions: `quintet serve-sim`."""
