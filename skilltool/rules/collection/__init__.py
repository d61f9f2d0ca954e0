"""Rules of the group `collection`."""
