"""Rules of the group `package`."""
