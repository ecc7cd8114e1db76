"""Each docstring begins with a sentence, or a noun phrase, that stands alone: not with words that continue the name or
point to another docstring.

usage: check_docstrings.py SOURCE_DIR; exits 1 and names each docstring whose first sentence is a fragment."""

import ast
import os
import re
import sys

SOURCES = (".cpp", ".hpp", ".h", ".cu", ".cuh", ".c", ".tla")
TOP = ("algorithms", "c", "compiler", "dsl", "kernels", "lapack", "python", "runtime", "tests", "tools")
# Words that need another docstring, or the name, before them.
CONTINUES = re.compile(
    r"(of|which|whose|that|those|these|its?|they|their|so (many|much)|told|asked|none|nobody else|what|whatever|than|nor|"
    r"but|and|or|also|likewise|else|"
    r"(for|with|to|from|in|on|at|by|under|over|after|before|without|of|behind) (which|whom|those|these|that|it|them|what)|"
    r"(the|all|both) of (which|whom|them|it)|(null|empty|0|-1): (none|nothing|nobody)|"
    r"the (same|others?|rest)(?=[,.:;]|$| (as|with|for|of|in|on|at|by|from|to|but|when|where|so|without|after|before)\b)|"
    r"not (of|in|for|to|by|from|at|on|with)|as (in|for|of|above|before|there|they|it|that|if))(?![\w'-])", re.IGNORECASE)
# Prepositions that may begin a sentence, but not be all of it.
PREPOSITION = re.compile(
    r"(for|with|without|in|on|at|by|to|from|into|as|over|under|between|among|behind|beside|after|before|until|since|up|"
    r"where|when|once)(?![\w'-])(?! (which|order)\b)", re.IGNORECASE)
VERB = re.compile(
    r"\b(is|are|was|were|has|have|had|does|do|can|cannot|may|must|will|would|need|becomes?|gets?|gives?|goes?|go|makes?|"
    r"takes?|runs?|stands?|holds?|keeps?|counts?|returns?|adds?|writes?|reads?|sends?|says?|waits?|comes?|needs?|begins?|"
    r"ends?|lies?|stays?|remains?|calls?|throws?|uses?|finds?|tells?|shows?|fails?|sees?|lets?|puts?|starts?|belongs?|"
    r"follows?|works?|sets?|knows?|chooses?|decides?|serves?|means?|names?|prints?|leaves?|asks?|computes?|copies|copy|"
    r"drops?|wakes?|passes|pass|stops?|checks?|moves?|replaces?|appends?|ignores?|yields?|fills?|multiplies|multiply)\b",
    re.IGNORECASE)
# A full stop here does not end the sentence.
ABBREVIATION = re.compile(r"(\b(e\.g|i\.e|cf|vs|al|pp?|Sec|No|Fig|St|Dr|etc)|\b[A-Z]|\.\.)\.$")


def first_sentence(text):
    """The text up to its first full stop that ends a sentence, and the text behind it."""
    for match in re.finditer(r"(?<=\S)[.?!]['\")]?(?=\s+([A-Z0-9\"'`(\[*|<-]|hetc\b)|\s*$)", text):
        if not ABBREVIATION.search(text[:match.end()]):
            return text[:match.end()], text[match.end():].strip()
    return text, ""


def is_fragment(text):
    """Whether the first sentence of the text continues something that is not there."""
    sentence = first_sentence(text)[0]
    if CONTINUES.match(sentence):
        return True
    opener = PREPOSITION.match(sentence)
    return bool(opener) and not VERB.search(sentence[opener.end():]) and " = " not in sentence


def docstrings_of_cpp(source):
    """Pairs of a line number and the first paragraph of a docstring, above a declaration ('///') or behind it ('///<')."""
    lines, number = source.split("\n"), 0
    while number < len(lines):
        begin, line = number, lines[number]
        number += 1
        if match := re.match(r"\s*///(?![<|/])(.*)", line):
            text = [match.group(1).strip()]
            while number < len(lines) and (match := re.match(r"\s*///(?![</])(.*)", lines[number])):
                text.append(match.group(1).strip())
                number += 1
        elif match := re.match(r".*?///<(.*)", line):
            text = [match.group(1).strip()]
            while number < len(lines) and (match := re.match(r"\s*///<(.*)", lines[number])):
                text.append(match.group(1).strip())
                number += 1
        else:
            continue
        paragraph = text[:text.index("")] if "" in text[1:] else text
        yield begin + 1, " ".join(paragraph)


def docstrings_of_python(source):
    """Pairs of a line number and the first paragraph of a docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if text := ast.get_docstring(node):
                yield node.body[0].lineno, " ".join(text.split("\n\n")[0].split())


def is_python(path):
    if os.path.splitext(path)[1]:
        return path.endswith((".py", ".pyi"))
    with open(path, "rb") as source:
        return source.read(40).startswith(b"#!/usr/bin/env python3")


def files(root):
    for top in TOP:
        for path, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(each for each in folders if each not in ("Inputs", "build", "__pycache__"))
            for name in sorted(names):
                yield os.path.relpath(os.path.join(path, name), root)


def docstrings(root):
    """Triples of a path, a line number and the first paragraph of a docstring."""
    for path in files(root):
        full = os.path.join(root, path)
        reader = docstrings_of_cpp if path.endswith(SOURCES) else docstrings_of_python if is_python(full) else None
        if reader is None:
            continue
        with open(full, encoding="utf-8") as source:
            yield from ((path, number, text) for number, text in reader(source.read()))


def main():
    total, errors = 0, []
    for path, number, text in docstrings(sys.argv[1]):
        total += 1
        if is_fragment(text):
            errors.append(f"{path}:{number}: '{first_sentence(text)[0]}' does not stand alone; begin with a subject and "
                          "a verb, with a verb, or with a noun that names the thing")
    print("".join(error + "\n" for error in errors), end="")
    print(f"{total} docstrings, {len(errors)} out of place")
    return 1 if errors or not total else 0


if __name__ == "__main__":
    sys.exit(main())
