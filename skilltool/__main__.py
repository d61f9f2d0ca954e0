"""`python -m skilltool` is the `skilltool` command."""

from skilltool.cli import main

if __name__ == "__main__":
    main()
