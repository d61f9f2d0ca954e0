"""How do the YAML libraries and languages of runtimes read a document?"""
