"""Kimi CLI, as its package runs it when its notice of retirement is passed by."""
