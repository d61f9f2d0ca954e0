"""Rules of the group `pedantic`."""
