"""What does an author see in a browser: the skills, what each client makes of them, and the findings?

The data comes from `lint`, `resolve`, `render` and `cost`; nothing is computed a second time. Skills are
untrusted: they are read in a process that can be ended, and every text of theirs is escaped.

    model       the project and one skill as plain data
    sessions    which session answers for which copy of a skill
    clients     one client: its budget, its roots, the copies that lose
    overview    the project: skills, clients, findings
    edits       the same after a save in one skill
    matrix      which columns agree, how bad each row is, and the sentence about all
    page        one skill: its source, its findings, its files, and what each client gives its model
    fates       the distinct fates of one skill, and their causes
    marks       what a client does with the characters of a source
    routing     what a model called for which prompt, of a result of `route`
    worker      the process in which all of that happens
    signs, markup, rows, html
                the same as HTML
    app, live   the server, and how pages follow changes
    connections what clients of the server may keep
    export      one file without a server
"""
