"""Cursor, as third parties report it."""
