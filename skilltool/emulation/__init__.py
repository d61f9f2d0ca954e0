"""How do the libraries of runtimes read and write YAML, JSON and text, and which errors do they raise?

Each module reproduces one library or language standard, and names its version and the source of the facts:

    go_yaml, go_yaml_v2, go_yaml_v3, go_yaml_scalars    gopkg.in/yaml.v2 2.4.0 and yaml.v3 3.0.1
    go_json, go_text                                    Go's encoding/json, strconv and UTF-8 handling
    npm_yaml, npm_yaml_*                                the npm package yaml 2.8.2 (YAML 1.2 core schema)
    javascript, zod                                     ECMAScript strings and objects, zod 4.3.5
    serde_yaml, serde_yaml_errors, rust                 serde_yaml 0.9, Rust's text and messages about files
    pyyaml, strictyaml, key_value_lines                 PyYAML, strictyaml 1.6.2, plain `key: value` lines
    libyaml, python_frontmatter, fence_lines    PyYAML's CSafeLoader, python-frontmatter 1.3.0, lines `---`
    pydantic_fields, pydantic_errors, python_call_errors    pydantic 2, CPython 3.13
"""
