"""Programs that try inputs which nobody wrote: `python -m tests.fuzz --seconds 5 [TARGET...]`."""
