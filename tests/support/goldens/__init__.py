"""Answers the records of a pack of goldens, for `tests/goldens/drive.py` and the tests."""
