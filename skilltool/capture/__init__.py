"""Does a client that is installed here do what `render` says? It is started, and what it sends is compared.

`client` says what must be known of a client, `clients` has a module for each. `run` starts one in directories
of its own, `inside` is the process that does it, `protocols` speaks for the model. `compare` says what
changed, `kept` writes a capture to a directory.
"""
