"""Worlds served over OpenEnv's protocol: `quintet serve-world`."""
