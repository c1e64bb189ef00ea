#!/usr/bin/env python3
"""The JSON documents of the programs: prints their fields, from docs/vkskin.schema.json, and validates documents.

usage: scripts/documents.py [--check | FILE...]

Without arguments it prints the fields of all documents as a page of tables. --check compares the list of documents in
docs/json.md with the schema. With files it validates each of them against the schema, which needs the package
python3-jsonschema. Exit status: 0 good, 1 not.
"""
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
SCHEMA = DOCS / "vkskin.schema.json"
PAGE = DOCS / "json.md"

HEAD = """# Fields of the JSON documents

The rules are in [json.md](json.md). `a.b` is field `b` of the object `a`; `a[].b` is field `b` of each element of the array
`a`.
"""


def type_name(node):
    kinds = node.get("type", "object")
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    if kinds[0] == "array" and node["items"].get("type") != "object":
        kinds[0] = "array of " + node["items"]["type"]
    return " or ".join(kinds)


def rows(node, prefix):
    """The fields of an object: name, type, unit, description, choices."""
    for name, field in node.get("properties", {}).items():
        yield prefix + name, type_name(field), field.get("unit", ""), field["description"], field.get("enum", [])
        yield from rows(field, prefix + name + ".")
        yield from rows(field.get("items", {}), prefix + name + "[].")


def page(schema):
    text = HEAD
    for name, document in schema["definitions"].items():
        text += f"\n## {name}\n\n{document['title']}\n\n| field | type | unit | meaning |\n| --- | --- | --- | --- |\n"
        for path, kind, unit, meaning, choices in rows(document, ""):
            values = ", ".join(f"`{json.dumps(choice)}`" for choice in choices)
            text += f"| `{path}` | {kind} | {unit} | {meaning}{': ' if values else ''}{values} |\n"
    return text


def validate(schema, path):
    import jsonschema

    try:
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        print(f"{path}: no JSON: {error}")
        return False
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(document))
    for error in errors:
        place = "/".join(str(step) for step in error.absolute_path)
        print(f"{path}: {place or 'the document'}: {error.message[:200]}")
    return not errors


def main(arguments):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    if arguments and arguments[0] in ("--help", "-h"):
        print(__doc__, end="")
        return 0
    if not arguments:
        print(page(schema), end="")
        return 0
    if arguments == ["--check"]:
        listed = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.M)
        good = listed == list(schema["definitions"])
        print("docs/json.md and the schema agree" if good else "docs/json.md lists other documents than the schema")
        return 0 if good else 1
    return 0 if all([validate(schema, path) for path in arguments]) else 1


sys.exit(main(sys.argv[1:]))
