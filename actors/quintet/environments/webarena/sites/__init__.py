"""The project's own sites: a shop, a forum and a tracker, one small web server on loopback."""
