"""Answers the records of a pack: `python tests/goldens/drive.py PACK <records.jsonl >answers.jsonl`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support.goldens.driving import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin, sys.stdout))
