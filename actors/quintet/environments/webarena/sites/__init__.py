"""The project's own sites: a shop and its back office, a forum, an issue tracker, a start page; served on loopback."""
