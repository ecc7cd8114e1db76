"""The text that help() shows of an algorithm: its call, its own comment, and its parameters."""

import glob
import os
import re

_FOLDER = os.path.dirname(os.path.realpath(__file__))
# Inside the wheel, or in the source that this package is in.
_SOURCES = (os.path.join(_FOLDER, "algorithms"), os.path.join(_FOLDER, "..", "..", "algorithms"))
_PARTS = {"G": "", "L": ", lower triangle", "U": ", upper triangle"}
_DEFAULTS = {111: "NoTrans", 112: "Trans", 113: "ConjTrans", 121: "Upper", 122: "Lower", 131: "NonUnit", 132: "Unit",
             141: "Left", 142: "Right"}


_ALGORITHM = re.compile(r"(?P<comment>(?:^///[^\n]*\n)*)^#pragma tla algorithm(?:[^\n]*\\\n)*[^\n]*\n(?:template\s*<[^>]*>\s*)?"
                        r"void\s+(?P<name>\w+)\s*\(", re.M)


def algorithms_in(text):
    """The algorithms of a .tla's text in their order: a dict of their comments, "" without one, by name."""
    return {found["name"]: "\n".join(line[3:].strip() for line in found["comment"].splitlines())
            for found in _ALGORITHM.finditer(text)}


def text_of(name, source):
    """The comment of an algorithm in its file, or, where it has none, in those that come with hetc."""
    files = [source] if source else [file for folder in _SOURCES for file in sorted(glob.glob(os.path.join(folder, "*.tla")))]
    for file in files:
        try:
            with open(file, encoding="utf-8") as opened:
                found = algorithms_in(opened.read())
        except (OSError, UnicodeDecodeError):
            continue
        if name in found or (not name and found):
            return found[name or list(found)[-1]]
    return ""


def _value(scalar):
    kind, value = scalar.type.decode(), scalar.value
    if kind == "int":
        return str(value.integer)
    if kind in ("T", "real"):
        return f"{value.real:g}" if not value.imag else f"{complex(value.real, value.imag):g}"
    return _DEFAULTS.get(value.integer, str(value.integer))


def documentation(name, source, compiled):
    """The text for help(). `compiled`: the algorithm for some type; None where it is not compiled yet."""
    lines = []
    if compiled:
        arrays = [m for m in compiled.matrices if not m.workspace]
        scalars = [s.name.decode() + (f"={_value(s)}" if s.has_default else "") for s in compiled.scalars]
        call = ", ".join([m.name.decode() for m in arrays] + scalars + ["threads=None", "tile=0"])
        lines += [f"{name or 'algorithm'}({call})", ""]
    lines.append(text_of(name, source) or "(its file has no comment on it)")
    if compiled:
        lines.append("")
        for m in arrays:
            shape = " x ".join(f"({side})" if " " in side and "(" not in side else side for side in m.shape.decode().split(" x "))
            kind = "an int32 array" if m.type == b"i" else "an array"
            changed = "is changed in place" if m.written else "is only read"
            lines.append(f"{m.name.decode()}: {kind} of {shape}{_PARTS.get(m.part.decode(), '')}, which {changed}")
        lines += [f"{s.name.decode()}: {s.type.decode()}" + (f", {_value(s)} if not given" if s.has_default else "")
                  for s in compiled.scalars]
        lines.append("threads: number of threads, None: all cores; tile: rows and columns of a tile, 0: hetc chooses")
    else:
        lines += ["", "It is compiled, and its parameters are known, once it has been called."]
    return "\n".join(lines)


class Documentation:
    """A class's docstring, and beside it one for each object, which is made when somebody asks."""

    def __init__(self, text):
        self._text = text

    def __get__(self, instance, owner):
        return self._text if instance is None else instance.documentation()
