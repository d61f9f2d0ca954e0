"""What characters are in a file, and on which line and column is each of them?"""
