"""What several runtimes do alike, in small named pieces: readers of files, YAML and JSON, scanners."""
