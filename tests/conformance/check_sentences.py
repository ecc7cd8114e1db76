"""Sentences of the pages have at most 40 words: README.md, CONTRIBUTING.md, docs/ and the folders' READMEs. Code, tables
and lists of names do not count.

usage: check_sentences.py SOURCE_DIR; exits 1 and names each sentence that is longer."""

import os
import re
import sys

sys.dont_write_bytecode = True # the folder of the sources stays as it is
from check_docstrings import first_sentence

MOST_WORDS = 40
# With more pieces of code a sentence is a list of names.
MOST_NAMES = 10
FOLDERS = ("", "algorithms", "c", "compiler", "docs", "dsl", "kernels", "lapack", "python", "runtime", "tests", "tools")
# Pages that are generated from the sources, and the list of changes.
NOT_PROSE = ("CHANGELOG.md", "docs/diagnostics.md", "docs/options.md", "docs/reference/kernels.md", "docs/api/c.md",
             "docs/api/cpp.md", "docs/api/python.md")


def pages(root):
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = [] if not folder else sorted(each for each in folders if each not in ("Inputs", "build", "site"))
            for name in sorted(names):
                if name.endswith(".md"):
                    yield os.path.relpath(os.path.join(path, name), root)


def paragraphs(text):
    """Pairs of a line number and a paragraph, without code, tables, headings and comments."""
    text = re.sub(r"(<!--.*?-->|^( *)(```|~~~).*?^\2\3 *$)", lambda match: re.sub(r".+", "", match.group()), text,
                  flags=re.DOTALL | re.MULTILINE)
    begin, lines = 0, []
    for number, line in enumerate(text.split("\n") + [""], 1):
        ends = not line.strip() or re.match(r"\s*(#|\||    |[-*] |\d+\. )", line)
        if ends and lines:
            yield begin, " ".join(lines)
            lines = []
        if line.strip() and not re.match(r"(#|\s*\||    )", line):
            begin = begin if lines else number
            lines.append(re.sub(r"^\s*([-*]|\d+\.) ", "", line).strip())


def sentences(paragraph):
    while paragraph:
        sentence, paragraph = first_sentence(paragraph)
        yield sentence


def words(sentence):
    """The number of words; a link counts by its text, a piece of code, a citation and a list in parentheses as one word.
    A list of names has none."""
    if sentence.count("`") > 2 * MOST_NAMES:
        return 0
    sentence = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    sentence = re.sub(r"`[^`]*`|\([^()]*\)|\[[^\]]*\]", "x", sentence)
    return len([word for word in sentence.split() if re.search(r"\w", word)])


def main():
    root, count, errors = sys.argv[1], 0, []
    for path in pages(root):
        if path in NOT_PROSE:
            continue
        count += 1
        with open(os.path.join(root, path), encoding="utf-8") as page:
            for number, paragraph in paragraphs(page.read()):
                for sentence in sentences(paragraph):
                    if words(sentence) > MOST_WORDS:
                        errors.append(f"{path}:{number}: {words(sentence)} words, at most {MOST_WORDS}: {sentence}")
    print("".join(error + "\n" for error in errors), end="")
    print(f"{count} pages, {len(errors)} sentences too long")
    return 1 if errors or not count else 0


if __name__ == "__main__":
    sys.exit(main())
