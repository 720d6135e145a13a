"""`python -m kinfolk` is the `kinfolk` command."""

from kinfolk.cli.main import main

if __name__ == "__main__":
    main()
