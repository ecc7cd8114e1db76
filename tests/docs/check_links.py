"""Links of the documents lead somewhere: every relative link of every .md file names a file or folder of the source, and
an anchor a heading of the document; pictures are there, and small; every page of docs/ is reached from docs/README.md; README.md is short.

usage: check_links.py SOURCE_DIR; exits 1 and lists every link that is broken."""

import os
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+<?([^\s>]+\.md[^\s>]*)>?", re.M)
PICTURE = re.compile(r"!\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^)\s]+)\)")
BYTES_OF_A_PICTURE = 60_000
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")
LINES_OF_README = 150


def documents(root):
    for path, folders, names in os.walk(root):
        folders[:] = sorted(folder for folder in folders
                            if not folder.startswith(".") and folder not in ("Inputs", "site") and (path != root or folder != "build"))
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(path, name), root)


def without_code(text):
    """The same text, place by place; what is code in it is blank."""
    fenced, lines = False, []
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        fenced = fenced != fence
        lines.append(" " * len(line) if fenced or fence else
                     re.sub(r"`[^`]*`", lambda code: "x" * len(code.group(0)), line))
    return "\n".join(lines)


def anchors(text):
    """The anchors of a document's headings, as they are made of a heading's text."""
    found, fenced = set(), False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if not fenced and (heading := re.match(r"#+\s+(.*?)\s*#*$", line)):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
            found.add(re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-"))
    return found


def pictures(document, text):
    """(line, path relative to the root) of what the document shows."""
    code_free = without_code(text)
    for match in PICTURE.finditer(code_free):
        if not ELSEWHERE.match(match.group(1)):
            yield (code_free.count("\n", 0, match.start()) + 1,
                   os.path.normpath(os.path.join(os.path.dirname(document), match.group(1))))


def wrong_pictures(root, texts):
    for document, text in texts.items():
        for line, picture in pictures(document, text):
            file = os.path.join(root, picture)
            if not os.path.isfile(file):
                yield f"{document}:{line}: no picture {picture}"
            elif os.path.getsize(file) > BYTES_OF_A_PICTURE:
                yield f"{document}:{line}: {picture} has {os.path.getsize(file)} bytes, of at most {BYTES_OF_A_PICTURE}"


def main():
    root = os.path.abspath(sys.argv[1])
    texts = {}
    for document in documents(root):
        with open(os.path.join(root, document), encoding="utf-8") as file:
            texts[document] = file.read()
    count, errors, linked = 0, [], {}
    for document, text in texts.items():
        code_free = without_code(text)
        for match in LINK.finditer(code_free):
            target = match.group(1) or match.group(2)
            if ELSEWHERE.match(target):
                continue
            count += 1
            where = f"{document}:{code_free.count(chr(10), 0, match.start()) + 1}"
            path, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
            linked.setdefault(document, set()).add(file)
            if file.startswith("..") or not os.path.exists(os.path.join(root, file)):
                errors.append(f"{where}: {target} leads nowhere")
            elif anchor and file in texts and anchor not in anchors(texts[file]):
                errors.append(f"{where}: {file} has no heading '{anchor}'")
    for folder in ("docs", "docs/notes", "docs/tutorial", "docs/gallery", "docs/reference"):
        index = f"{folder}/README.md"
        for document in texts:
            within = os.path.dirname(document.removesuffix("/README.md") if document != index else document)
            if within == folder and document != index and document not in linked.get(index, ()):
                errors.append(f"{index}: has no link to {document}")
    errors += wrong_pictures(root, texts)
    lines = texts.get("README.md", "").count("\n")
    if lines > LINES_OF_README:
        errors.append(f"README.md: {lines} lines, of at most {LINES_OF_README}: what a newcomer does not need is for docs/")
    print("\n".join([*errors, f"{len(texts)} documents, {count} links, {len(errors)} errors"]))
    return 1 if errors or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
