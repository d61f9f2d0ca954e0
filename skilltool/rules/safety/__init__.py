"""Rules of the group `safety`."""
