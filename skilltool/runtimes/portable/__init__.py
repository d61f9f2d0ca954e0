"""The profile of the common ground `portable`."""
