"""Shows runs in a browser: a small server that only reads, and pages that need nothing from elsewhere: `quintet view`."""
