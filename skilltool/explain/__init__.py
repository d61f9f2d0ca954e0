"""What does a runtime load, and what does its model see? `resolve` and `render`."""
