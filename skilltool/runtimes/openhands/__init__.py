"""The OpenHands SDK."""
