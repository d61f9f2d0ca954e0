"""Agno, a framework."""
