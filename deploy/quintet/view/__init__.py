"""Shows runs in a browser: a server that only reads, and pages that fetch nothing from elsewhere: `quintet view`."""
