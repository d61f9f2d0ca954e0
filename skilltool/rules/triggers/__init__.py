"""Rules of the group `triggers`."""
