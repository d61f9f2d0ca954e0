"""Rules of the group `runtime`."""
