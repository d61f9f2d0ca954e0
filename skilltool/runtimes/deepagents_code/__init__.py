"""Deep Agents Code, the program `dcode`, which loads skills as the framework Deep Agents does."""
