"""Runs the commands that the documents show: README.md, CONTRIBUTING.md, BENCHMARKS.md and all of docs/.

usage: run_commands.py SOURCE_DIR BUILD_DIR WORK_DIR [--cxx COMPILER] [--list | --update] [DOCUMENT...]

Each block of code names its language. Of a block `sh` every line is a command (a backslash at its end continues it). It
runs in a folder of the document's own, with the source's files by name, the files that lie beside the document in a folder
of docs/, the build as build/release, and an empty cache (but for compiled programs, which all documents share); another exit code than 0 is an error. A block `cpp` whose first
line is a comment with a file's name is that file: a .tla is checked by hetc, and all are read by the C++ compiler, without
warnings. A block `cmake`, `python` or another `cpp` needs a mark.
Marks are comments in the document, directly before the block, so that its source says what is run:

  <!-- not run: REASON -->               none of the block
  <!-- not run: "COMMAND": REASON -->    the commands that begin so
  <!-- run with: TEXT => OTHER -->       each TEXT of the block's commands is OTHER, as a smaller size
  <!-- run before: COMMAND -->           makes what the block needs
  <!-- is: FILE -->                      the block is that file of the repository, whole
  <!-- part of: FILE -->                 its lines, but for comments, stand in that file in this order
  <!-- exits with: CODE -->              each command of the block does
  <!-- output: of the commands above --> the block of text is what the last block of commands printed

FILE is one of the repository, or lies beside the document. Of output blanks are compared as one; a number before a unit of
time, rate or memory, a percentage, the number of threads, "N times", and the figure of a residual may be any other; "..."
stands for anything in a line, and alone for any lines. --update writes what was printed into the documents where it differs.

A mark that marks nothing is an error, as is a block without a language and one that is neither run nor marked. Exits 1
when anything is wrong. --list prints what would be run, and why the rest is not."""

import argparse
import concurrent.futures
import glob
import os
import queue
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS_PER_COMMAND = 300 # some take 2 s; on a machine with much else to do, ten times that and more
FENCE = re.compile(r"^```(\w*)\s*$")
COMMENT = re.compile(r"<!--(.*?)-->", re.S)
FILE_NAME = re.compile(r"^// ([\w.-]+\.(tla|hpp|cpp))$")
LOOKS_LIKE_COMMAND = re.compile(r"^\s*(\$ |hetc |tools/\w|mpirun |cmake |ctest |ninja )")
# What varies from run to run, and from machine to machine.
UNITS = r"(?:[nmu]?s|min|h|[kMGT]?flop/s|[kMGT]?i?B(?:/s)?|tasks/s|threads?|cores?)"
VARIES = [(re.compile(r"\d[\d.]*(?:e[+-]?\d+)?(?= ?" + UNITS + r"(?![\w/]))"), "#"),
          (re.compile(r"(?<=#) ?" + UNITS), " unit"),
          (re.compile(r"(residual\W+)[\d.]+(?:e[+-]?\d+)?"), r"\1#"),
          (re.compile(r"(?<= kernels), [\w ]+ products"), ""), # on processors for which hetc has faster ones
          (re.compile(r"\s+"), " "),
          (re.compile(r"(?:\d[\d.]*% ?)+"), "#% "),
          (re.compile(r"(?<=# unit )[\d.]+(?= #%)"), "#"), # a rate in a table
          (re.compile(r"(?<= )[\d.]+ KiB(?= at most)"), "# unit"), # other KiB are counted, and as exact as what is shown
          (re.compile(r"(?<= )\d+(?= times)"), "#"),
          (re.compile(r"(?<=threads )\d+"), "#")]
NOT_RUN_LANGUAGES = ("text", "json", "cmake", "cpp", "python")


class Block:
    def __init__(self, document, line, language, text, marks):
        self.document, self.line, self.language, self.text, self.marks = document, line, language, text, marks

    def marked(self, kind):
        return [value for name, value in self.marks if name == kind]

    def commands(self):
        """(line in the document, command)"""
        joined, begin = "", 0
        for number, line in enumerate(self.text.splitlines(), self.line + 1):
            begin = begin if joined else number
            joined += line
            if joined.endswith("\\"):
                joined = joined[:-1].rstrip() + " "
                continue
            if joined.strip() and not joined.lstrip().startswith("#"):
                yield begin, joined.strip()
            joined = ""


def masked(line):
    for pattern, instead in VARIES:
        line = pattern.sub(instead, line)
    return line.strip()


def compared(text):
    """The lines of an output without the verdicts on a run, which times decide."""
    lines = [masked(line) for line in text.rstrip("\n").splitlines()]
    return [line for line in lines if not line.startswith("verdict ")]


def matches(expected, printed):
    """Whether what a document shows is what was printed, but for what varies."""
    lines = compared(expected)
    pattern = "".join(r"(?:.*\n)*" if line == "..." else
                      ".*".join(re.escape(part) for part in line.split("...")) + r"\n" for line in lines)
    return re.fullmatch(pattern, "".join(line + "\n" for line in compared(printed))) is not None


class Failure(Exception):
    def __init__(self, document, line, text):
        super().__init__(f"{document}:{line}: {text}")


def read_marks(document, line, comment):
    """(kind, value) of one comment; other comments are none."""
    match = re.match(r"\s*(not run|run with|run before|is|part of|exits with|output):\s+(.*\S)\s*$", comment, re.S)
    if not match:
        raise Failure(document, line, f"no mark that is known: {comment.strip()!r}")
    return match.group(1), " ".join(match.group(2).split())


def read_blocks(document, text):
    """All blocks of code, each with the marks before it."""
    lines = text.splitlines()
    at, marks, blank = 0, [], True
    while at < len(lines):
        line = lines[at]
        fence = FENCE.match(line)
        if line.startswith("<!--"):
            end = at
            while "-->" not in lines[end]:
                end += 1
                if end == len(lines):
                    raise Failure(document, at + 1, "the comment has no end")
            for comment in COMMENT.findall("\n".join(lines[at:end + 1])):
                marks.append((at + 1, *read_marks(document, at + 1, comment)))
            at, blank = end + 1, True
            continue
        if fence or (blank and line.startswith("    ")):
            end = at + 1
            if not fence:
                raise Failure(document, at + 1, "an indented block has no language: use ```sh or ```text")
            while end < len(lines) and lines[end] != "```":
                end += 1
            if end == len(lines):
                raise Failure(document, at + 1, "the block has no end")
            yield Block(document, at + 1, fence.group(1), "\n".join(lines[at + 1:end]) + "\n",
                        [(kind, value) for _, kind, value in marks])
            at, marks, blank = end + 1, [], False
            continue
        if line.strip() and marks:
            raise Failure(document, marks[0][0], "a mark that stands before no block of code")
        blank = not line.strip() or line.startswith("#")
        at += 1
    if marks:
        raise Failure(document, marks[0][0], "a mark that stands before no block of code")


def plan_commands(block):
    """(line, command as written, command to run or None, why not) of a block of commands; every mark is used."""
    whole, some = [], {}
    for value in block.marked("not run"):
        match = re.match(r'"(.+?)":\s+(.+)$', value)
        if match:
            some[match.group(1)] = match.group(2)
        else:
            whole.append(value)
    changes = [value.split(" => ", 1) for value in block.marked("run with")]
    for change in changes:
        if len(change) != 2:
            raise Failure(block.document, block.line, f"'run with: {change[0]}' has no '=>'")
    used, plan = set(), []
    for line, command in block.commands():
        why = whole[0] if whole else None
        for begin, reason in some.items():
            if command.startswith(begin):
                used.add(begin)
                why = reason
        changed = command
        for old, new in changes:
            if old in changed and not why:
                used.add(old)
                changed = changed.replace(old, new)
        plan.append((line, command, None if why else changed, why))
    for text in [*some, *(old for old, _ in changes)]:
        if text not in used:
            raise Failure(block.document, block.line, f"the mark names '{text}', which no command of the block has")
    if not plan:
        raise Failure(block.document, block.line, "a block of commands without any")
    return plan


class Page:
    """One document, run in a folder of its own."""

    def __init__(self, options, document):
        self.options, self.document = options, document
        self.ran, self.left, self.failures = 0, [], []
        self.printed, self.changes = None, [] # by the last block of commands; (block, what it is to be)

    def prepare(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "build"))
        for name in os.listdir(self.options.source):
            if name not in ("build", ".git"):
                os.symlink(os.path.join(self.options.source, name), os.path.join(self.folder, name))
        os.symlink(self.options.build, os.path.join(self.folder, "build", "release"))
        for name in self.files_beside():
            shutil.copy(os.path.join(self.options.source, os.path.dirname(self.document), name), self.folder)
        os.mkdir(os.path.join(self.folder, "home"))
        self.environment = dict(
            os.environ, HETC_CACHE_DIR=os.path.join(self.folder, "cache"), HOME=os.path.join(self.folder, "home"),
            # The system's Python has NumPy; another one that comes first may not.
            PATH=os.pathsep.join([os.path.join(self.options.build, "bin"), "/usr/bin", os.environ.get("PATH", "")]),
            # mpirun starts more ranks than there are cores, which yield while they wait, also as root in a container.
            OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1",
            OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
            OMPI_MCA_rmaps_base_mapping_policy=":oversubscribe")
        for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "HETC_KERNELS"):
            self.environment.pop(name, None)

    def files_beside(self):
        folder = os.path.dirname(self.document)
        if not folder.startswith("docs/"):
            return []
        return [entry.name for entry in os.scandir(os.path.join(self.options.source, folder))
                if entry.is_file() and not entry.name.endswith(".md")]

    def open_file(self, name):
        """Opens a file of the repository, or one beside the document."""
        beside = os.path.join(self.options.source, os.path.dirname(self.document), name)
        return open(beside if os.path.exists(beside) else os.path.join(self.options.source, name), encoding="utf-8")

    def call(self, line, command, shown=None, expected=0):
        begin = time.monotonic()
        process = subprocess.Popen(["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=SECONDS_PER_COMMAND)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            code = f"none after {SECONDS_PER_COMMAND} s"
        self.ran += 1
        if self.options.verbose:
            print(f"{self.document}:{line}: {time.monotonic() - begin:.1f} s: {shown or command}", flush=True)
        if code != expected:
            raise Failure(self.document, line, f"exit code {code}: {shown or command}\n" +
                          "\n".join("    " + text for text in output.splitlines()[-25:]))
        return output

    def compile(self, line, file):
        headers = " ".join(f"-I{os.path.join(ROOT, folder)}"
                           for folder in ("dsl/include", "kernels/include", "runtime/include"))
        self.call(line, f"{self.options.cxx} -x c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-unknown-pragmas "
                        f"-Wno-pragma-once-outside-header {headers} -I. {file}",
                  f"{self.options.cxx} ... -Wall -Wextra -Werror {file}")

    def program(self, block):
        same = block.marked("is")
        name = FILE_NAME.match(block.text.splitlines()[0]) if block.text.strip() else None
        for file in same:
            with self.open_file(file) as original:
                if original.read() != block.text:
                    raise Failure(self.document, block.line, f"the block is not {file}, as its mark says")
            self.ran += 1
        if name:
            file = name.group(1)
            with open(os.path.join(self.folder, file), "w", encoding="utf-8") as out:
                out.write(block.text)
            self.compile(block.line, file)
            if file.endswith(".tla"):
                self.call(block.line, f"hetc check {file}")
        return same or name

    def part(self, block):
        files = block.marked("part of")
        for file in files:
            with self.open_file(file) as original:
                whole = iter([" ".join(text.split()) for text in original])
            for text in block.text.splitlines():
                wanted = " ".join(text.split("#")[0].split())
                if wanted and not any(wanted == other for other in whole):
                    raise Failure(self.document, block.line, f"'{wanted}' does not stand in {file}, or not in this order")
            self.ran += 1
        return files

    def run_block(self, block):
        if block.language == "sh":
            plan = plan_commands(block)
            for command in block.marked("run before"):
                self.call(block.line, command)
            code = int((block.marked("exits with") or ["0"])[0])
            self.printed, failed = "", False
            for line, shown, command, why in plan:
                if command is None:
                    self.left.append(f"{self.document}:{line}: not run ({why}): {shown}")
                    continue
                try:
                    self.printed += self.call(line, command, shown if shown == command else f"{shown}   [run as: {command}]",
                                              code)
                except Failure as failure:
                    self.failures.append(str(failure))
                    failed = True
            self.printed = None if failed else self.printed
            return
        if not block.language:
            raise Failure(self.document, block.line, "the block has no language: ```sh is run, ```text is not")
        if block.language not in NOT_RUN_LANGUAGES:
            raise Failure(self.document, block.line, f"blocks of '{block.language}' are not known here")
        if block.language == "text":
            for text in [] if block.marked("output") else block.text.splitlines():
                if LOOKS_LIKE_COMMAND.match(text):
                    raise Failure(self.document, block.line, f"a command in a block of text: {text.strip()}")
            self.compare(block)
            self.program(block)
        if block.language in ("cpp", "cmake", "python"):
            done = self.program(block) if block.language != "cmake" else None
            if not self.part(block) and not done:
                if not block.marked("not run"):
                    raise Failure(self.document, block.line,
                                  f"the block of {block.language} is neither compiled nor marked")
                self.left.append(f"{self.document}:{block.line}: not run ({block.marked('not run')[0]}): the block")

    def compare(self, block):
        """Compares the output of the commands above with the document's."""
        if not block.marked("output"):
            return
        if self.printed is None:
            raise Failure(self.document, block.line, "an output without commands before it")
        self.ran += 1
        if matches(block.text, self.printed):
            return
        self.changes.append((block, self.printed))
        if not self.options.update:
            raise Failure(self.document, block.line, "the commands above print something else (tools/docs --update "
                          f"{self.document} writes it there):\n" +
                          "\n".join("    " + text for text in self.printed.splitlines()[-40:]))

    def update(self):
        """Writes outputs that have changed into the document."""
        path = os.path.join(self.options.source, self.document)
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for block, printed in reversed(self.changes):
            lines[block.line:lines.index("```", block.line)] = printed.rstrip("\n").splitlines()
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def run(self):
        """In one of few folders, which pages take in turn: a program is compiled again where it has another path."""
        self.folder = self.options.folders.get()
        try:
            return self.run_in_folder()
        finally:
            self.options.folders.put(self.folder)

    def run_in_folder(self):
        begin = time.monotonic()
        try:
            with open(os.path.join(self.options.source, self.document), encoding="utf-8") as file:
                blocks = list(read_blocks(self.document, file.read()))
            self.prepare()
        except Failure as failure:
            self.failures.append(str(failure))
            return self
        for block in blocks:
            try:
                self.run_block(block)
            except Failure as failure:
                self.failures.append(str(failure))
        if self.options.update and self.changes:
            self.update()
        kept = os.path.join(self.options.work, self.document.replace("/", "_").removesuffix(".md"))
        shutil.rmtree(kept, ignore_errors=True)
        if self.failures:
            os.rename(self.folder, kept)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.seconds = time.monotonic() - begin
        return self


def list_blocks(source, documents):
    for document in documents:
        with open(os.path.join(source, document), encoding="utf-8") as file:
            for block in read_blocks(document, file.read()):
                if block.language != "sh":
                    continue
                for line, shown, command, why in plan_commands(block):
                    print(f"{document}:{line}: " + (command if command else f"not run ({why}): {shown}"))


def main():
    parser = argparse.ArgumentParser(description="runs what the documents show")
    parser.add_argument("source", type=os.path.abspath)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("work", type=os.path.abspath)
    parser.add_argument("documents", nargs="*")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--list", action="store_true", help="run nothing; print what would be run")
    parser.add_argument("--update", action="store_true", help="write what was printed where a document shows something else")
    parser.add_argument("--verbose", action="store_true", help="print each command and its time")
    options = parser.parse_args()
    documents = options.documents or [
        name for name in ("README.md", "CONTRIBUTING.md", "BENCHMARKS.md",
                          *sorted(name for name in glob.glob("docs/**/*.md", root_dir=options.source, recursive=True)
                                  if not name.startswith("docs/site/")))
        if os.path.exists(os.path.join(options.source, name))]
    try:
        if options.list:
            list_blocks(options.source, documents)
            return 0
    except Failure as failure:
        print(failure)
        return 1
    pages = [Page(options, document) for document in documents]
    workers = min(2, os.cpu_count() or 1)
    options.folders = queue.SimpleQueue()
    for worker in range(workers):
        options.folders.put(os.path.join(options.work, f"page{worker}"))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        pages = list(pool.map(Page.run, pages))
    left = [text for page in pages for text in page.left]
    failures = [text for page in pages for text in page.failures]
    for text in [*left, *failures]:
        print(text)
    ran = sum(page.ran for page in pages)
    print(f"{len(pages)} documents, {ran} commands and programs run, {len(left)} marked as not run, {len(failures)} wrong")
    return 1 if failures or ran == 0 else 0


sys.exit(main())
