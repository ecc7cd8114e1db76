"""documented_fields.py FILE.md COMMAND < JSON: the section of FILE.md whose heading is COMMAND names every field."""
import json
import re
import sys

KEYS_ARE_DATA = {"bodies", "seconds", "cuts_found", "passed_on", "units", "tuned", "open_ended_last"}


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
sections = re.split(r"^## ", open(document).read(), flags=re.M)
described = [text for text in sections if text.startswith(command + "\n")]
if len(described) != 1:
    sys.exit(f"{document}: {len(described)} sections are called '{command}', not one")
missing = sorted({name for name in fields(json.load(sys.stdin)) if f"`{name}`" not in described[0]})
if missing:
    sys.exit(f"{document}: the section '{command}' does not name {', '.join(missing)}; add them there")
