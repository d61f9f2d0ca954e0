"""Authoring and linting toolchain for skill packages."""

__version__ = "0.1.0"
