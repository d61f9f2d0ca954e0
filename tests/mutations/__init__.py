"""Would the tests notice? `python -m tests.mutations` changes the code at random places and runs them."""
