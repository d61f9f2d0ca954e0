"""Programs that compare skilltool with itself or with another program, on any directory of skills."""
