"""docs/api/c.md, from hetc.h: a section for each comment and the declarations below it."""

import os
import re

from .markdown import code, prose

BEGINNING = """# C

What `#include <hetc.h>` declares, in its order; link with `-lhetc_c`. [From C](../c.md) shows how it is used. Made by `tools/api` from
[hetc.h](../../c/include/hetc.h).
"""
COMMENT = re.compile(r"/\*(.*?)\*/", re.S)


def comment_text(comment):
    return " ".join(re.sub(r"\n \* ?", "\n", COMMENT.fullmatch(comment)[1]).split())


def name_of(declaration):
    """The name that a declaration declares."""
    plain = COMMENT.sub("", declaration)
    if plain.startswith(("typedef", "enum")):
        last = re.search(r"(\w+)\s*;\s*$", plain)
        return last[1] if last else "Options"
    if plain.startswith("#define"):
        return plain.split()[1]
    return re.search(r"(\w+)\s*\(", plain)[1]


def groups(text):
    """Pairs of a comment's text and the declarations that follow it without a comment between them."""
    comment, declarations, lines = "", [], iter(text.splitlines())
    for line in lines:
        if line.startswith("/*"):
            if declarations:
                yield comment, declarations
            while "*/" not in line:
                line += "\n" + next(lines)
            comment, declarations = comment_text(line.strip()), []
        elif re.match(r"[a-z]|#define HETC_INTERFACE", line):
            declaration = line
            while not line.startswith("#") and (declaration.count("{") != declaration.count("}") or
                                                not COMMENT.sub("", declaration).rstrip().endswith(";")):
                declaration += "\n" + next(lines)
            declarations.append(declaration)
        elif not line.strip() and declarations:
            yield comment, declarations
            comment, declarations = "", []
    if declarations:
        yield comment, declarations


def page(source):
    with open(os.path.join(source, "c", "include", "hetc.h"), encoding="utf-8") as file:
        text = file.read()
    body = text[text.index('extern "C" {'):text.rindex("#ifdef __cplusplus")]
    body = body[body.index("#endif") + len("#endif"):]
    parts = [BEGINNING]
    for comment, declarations in groups(body):
        declarations = [each for each in declarations if not each.startswith("typedef struct hetc_executor")] or declarations
        parts.append(f"## {name_of(declarations[0])}\n\n{code(chr(10).join(declarations))}")
        if comment:
            parts.append(prose(comment) + "\n")
    return "\n".join(parts)
