"""Rules of the group `frontmatter`."""
