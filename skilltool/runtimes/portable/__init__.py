"""portable: the strictest common ground of the runtimes of the design documents."""
