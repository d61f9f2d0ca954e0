"""Tests of the room `bounds`."""
