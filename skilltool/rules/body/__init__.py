"""Rules of the group `body`."""
