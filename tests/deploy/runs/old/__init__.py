"""Small folders of every format that was ever released, as they were written then."""
