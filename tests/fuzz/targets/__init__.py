"""What is tried: one module per target, with `INPUTS`, and `check`, which raises where something is wrong."""
