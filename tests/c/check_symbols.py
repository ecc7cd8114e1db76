"""Checks that libhetc_c.so exports the functions that its map lists and hetc.h declares.

usage: check_symbols.py LIBRARY SYMBOLS_MAP HEADER"""

import re
import subprocess
import sys


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    library, symbols_map, header = sys.argv[1:]
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    exported = {line.split()[-1] for line in listed.splitlines() if line.split()[1] != "A"}
    version = re.search(r"^(\w+) \{", text_of(symbols_map), re.M).group(1)
    mapped = set(re.findall(r"^\s+(hetc_\w+);", text_of(symbols_map), re.M))
    declared = set(re.findall(r"\b(hetc_\w+)\(", re.sub(r"/\*.*?\*/", "", text_of(header), flags=re.S)))
    expected = {f"{name}@@{version}" for name in mapped}
    for name in sorted(exported ^ expected):
        print(f"{name} is {'exported, not in the map' if name in exported else 'in the map, not exported'}")
    for name in sorted(mapped ^ declared):
        print(f"{name} is {'in the map, not in the header' if name in mapped else 'declared, not in the map'}")
    print(f"{len(exported)} symbols")
    return 1 if exported != expected or mapped != declared or not mapped else 0


sys.exit(main())
