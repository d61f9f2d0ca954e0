"""Roo Code: an agent in VS Code, as its source says."""
