"""The open specification and its reference library."""
