"""documented_fields.py FILE.md COMMAND < JSON: the paragraph of FILE.md that begins with `COMMAND` names every field."""
import json
import re
import sys

KEYS_ARE_DATA = {"bodies", "seconds", "cuts_found", "units"}


def fields(value):
    if isinstance(value, list):
        for item in value:
            yield from fields(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            if name not in KEYS_ARE_DATA:
                yield from fields(item)
            elif name == "units":
                yield from fields(list(item.values()))


document, command = sys.argv[1:]
paragraphs = re.split(r"\n\s*\n", open(document).read())
described = [text for text in paragraphs if text.startswith(f"`{command}`")]
if len(described) != 1:
    sys.exit(f"{document}: {len(described)} paragraphs begin with `{command}`, not one")
missing = sorted({name for name in fields(json.load(sys.stdin)) if not re.search(rf"\b{name}\b", described[0])})
if missing:
    sys.exit(f"{document}: the paragraph on `{command}` does not name {', '.join(missing)}; add them there")
