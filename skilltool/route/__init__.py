"""Is the right skill called? What clients list, which descriptions compete, and with a model how often."""
