"""Rules of the group `file`."""
