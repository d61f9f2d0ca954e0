"""How do the libraries of runtimes read and write YAML, JSON and text, and what do they say of errors?

One file per library or language, as it behaves: each names its version and the source of the facts, and knows
neither runtimes nor skills.

    bun_yaml, js_yaml, npm_yaml                  Bun's YAML, js-yaml 3 and 4, the npm package yaml
    npm_yaml_errors, libyaml_differences         the words of yaml's errors; what those three share
    gray_matter, json_repair, picomatch, zod     other npm packages
    icu_collation, javascript                    ICU's order of names, ECMAScript and Node.js
    go, go_json                                  Go's text and files, encoding/json
    go_yaml, go_yaml_v2, go_yaml_v3              gopkg.in/yaml.v2 and yaml.v3, and what both share
    rust, serde_yaml, jiter                      Rust's text and files, serde_yaml, pydantic-core's JSON
    pydantic, python_call_errors, pyyaml         pydantic 2, CPython's errors of calls, PyYAML's loaders
    python_frontmatter, strictyaml               the packages of these names
    fence_lines, fence_pattern                   two ways of programs in Python to find frontmatter

What is rarely needed, such as the words of errors, is a file of its own and loaded when it is.
"""
