"""docs/api/cpp.md, from the comments of the headers for hosts. It reads what clang-format writes: a declaration begins on a line
of its own, and a class ends with a line '};' as far to the right as it began."""

import os
import re

from .markdown import code, prose

HEADERS = ["executor", "ranks", "tile_size", "call_devices", "devices", "error"]
BEGINNING = """# C++

What a program in C++ calls, header by header. [In your own C++ program](../embedding.md) shows how it is built, and
[on its ranks](../mpi.md). `hetc_add_algorithm()` and `hetc --emit=header` write the function of an algorithm, `hetc::NAME(executor, ...)`;
matrices are those of [the language](../reference/matrices.md). Made by `tools/api` from
[runtime/include/tla/runtime](../../runtime/include/tla/runtime).
"""
SKIPPED = re.compile(r"= delete|\boperator=|^friend |^~|^using |^explicit .*\bImpl\b")


class Item:
    """A declaration, its comment, and, of a class, its public members."""

    def __init__(self, declaration, comment):
        self.declaration, self.comment, self.members = declaration, comment, None


def declaration_at(lines, at):
    """(declaration without a body, comment behind it, index of the line behind it)."""
    text, behind, depth, parens = "", [], 0, 0
    body = False
    while at < len(lines):
        line, _, said = lines[at].partition("///<")
        line = re.sub(r"\s//(?!/).*", "", line)
        at += 1
        if said:
            behind.append(said.strip())
        for char in line.strip() + " ":
            parens += (char == "(") - (char == ")")
            if char == "{" and depth == 0 and parens == 0 and re.search(r"(\)|const|noexcept|override)\s*$|\)\s*:\s", text):
                body = True
            depth += (char == "{") - (char == "}")
            if not body:
                text += char
            if depth == 0 and parens == 0 and (char == ";" or (char == "}" and body)):
                # A comment of a field may go on below it.
                while at < len(lines) and lines[at].strip().startswith("///<"):
                    behind.append(lines[at].strip()[4:].strip())
                    at += 1
                return re.sub(r"\)\s*: .*$", ")", " ".join(text.split()).rstrip(";").rstrip()), " ".join(behind), at
    return None, "", at


def read(lines, at, end, members):
    """The documented declarations of lines[at:end]; of a class, `members`, all public ones."""
    items, comment, access, group = [], [], "public", None
    if members == "class":
        access = "private"
    while at < end:
        line = lines[at].strip()
        if line.startswith("///") and not line.startswith("///<"):
            comment.append(line[3:].strip())
            at += 1
            continue
        label = re.match(r"(public|private|protected):$", line)
        if label or not line or line.startswith(("//", "#", "}", "namespace")):
            access = label[1] if label else access
            comment, group, at = [], None, at + 1
            continue
        opened = re.match(r"(?:template <[^>]*>\s*)?(class|struct)\s+(\w+)[^;]*\{$", line)
        if opened:
            indent = len(lines[at]) - len(lines[at].lstrip())
            last = next(i for i in range(at, end) if lines[i].rstrip() == " " * indent + "};")
            item = Item(line[:-1].strip(), " ".join(comment))
            item.members = read(lines, at + 1, last, opened[1])
            if access == "public" and (comment or not members):
                items.append(item)
            comment, group, at = [], None, last + 1
            continue
        declaration, behind, at = declaration_at(lines, at)
        if declaration is None:
            break
        said = " ".join([*comment, behind]).strip()
        is_forward = re.match(r"(class|struct)\s+\w+$", declaration)
        if access == "public" and not is_forward and not SKIPPED.search(declaration) and (said or members or group):
            if group and not said and members:
                group.declaration += "\n" + declaration
            else:
                items.append(Item(declaration, said))
                group = items[-1] if comment else None # a comment behind a declaration is of that one only
        comment = []
    return items


def name_of(declaration):
    plain = re.sub(r"^template <[^>]*>\s*", "", declaration)
    found = re.match(r"(?:class|struct|enum class|enum)\s+(\w+)", plain) or re.search(r"([\w:]+)\s*\(", plain)
    return found[1] if found else plain


def text_of(item):
    said = prose(item.comment) + "\n" if item.comment else ""
    if item.members is None:
        return f"{code(item.declaration + ';')}\n{said}"
    lines = [code(item.declaration + ";"), said]
    for member in item.members:
        names = ", ".join(f"`{each}`" for each in member.declaration.split("\n"))
        inner = " Its members: " + ", ".join(f"`{each.declaration}`" for each in member.members) + "." if member.members else ""
        lines.append(f"- {names}" + (f": {prose(member.comment)}" if member.comment else "") + inner)
    return "\n".join(lines) + "\n"


def page(source):
    parts = [BEGINNING]
    for header in HEADERS:
        name = f"tla/runtime/{header}.hpp"
        with open(os.path.join(source, "runtime", "include", name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        introduction = []
        while lines[len(introduction)].startswith("//"):
            introduction.append(lines[len(introduction)][2:].strip())
        namespace = re.findall(r"^namespace (\S+) \{", "\n".join(lines), re.M)[-1]
        parts.append(f"## {name}\n\n{prose(' '.join(introduction))} Names are in the namespace `{namespace}`.\n")
        # Classes first: what a program makes and calls; then what it gives them, and gets.
        for item in sorted(read(lines, len(introduction), len(lines), ""), key=lambda each: not each.declaration.startswith("class")):
            parts.append(f"### {name_of(item.declaration)}\n\n{text_of(item)}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))
