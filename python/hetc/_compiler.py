"""The command hetc, where there is one: compiling .tla files into a cache, and counting costs."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile

from ._library import _FOLDER, __version__


class CompilerNotFound(RuntimeError):
    """Raised when there is no command hetc, which .tla files and costs need."""


class CompileError(RuntimeError):
    """Raised with hetc's messages about a .tla, line and caret included."""


def _command():
    """The command hetc: $HETC, the one on the PATH, or that of the build of the source that this package is in."""
    beside = os.path.join(_FOLDER, "..", "..", "build", "release", "bin", "hetc")
    named = os.environ.get("HETC")
    found = shutil.which(named or "hetc") or (beside if not named and os.path.exists(beside) else None)
    if not found:
        raise CompilerNotFound((f"HETC is '{named}', which is no program" if named else "there is no command hetc") +
                               ": install hetc (tools/package makes a Debian package and a tarball) and have it in PATH, or "
                               "name it in the environment variable HETC")
    return os.path.realpath(found)


def _run(arguments):
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if result.returncode:
        raise CompileError((result.stderr or result.stdout).strip() or f"hetc ended with exit code {result.returncode}")
    return result.stdout


_checked = set()


def _require_version(command):
    if command in _checked:
        return
    version = _run([command, "--version"]).split()[-1]
    if version != __version__:
        raise CompilerNotFound(f"{command} is hetc {version}, but this package {__version__}: their libraries do not fit; "
                               "install the same version of both")
    _checked.add(command)


def _cache():
    folder = os.environ.get("HETC_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hetc")
    folder = os.path.join(folder, "python")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    status = os.stat(folder)
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{folder} belongs to others or may be written by them, and code is loaded from it: "
                              f"name a folder of your own in HETC_CACHE_DIR, or chmod go-w {folder}")
    return folder


def _digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _fresh(index):
    """The library that the index names, when nothing that it was made of has changed."""
    try:
        with open(index, encoding="utf-8") as file:
            entry = json.load(file)
        if os.path.exists(entry["library"]) and all(_digest(path) == d for path, d in entry["made_of"].items()):
            return entry["library"]
    except (OSError, ValueError, KeyError):
        pass
    return None


def _dependencies(depfile):
    with open(depfile, encoding="utf-8") as file:
        text = file.read().split(":", 1)[1].replace("\\\n", " ")
    return [re.sub(r"\\(.)", r"\1", word) for word in re.findall(r"(?:\\.|[^\s\\])+", text)]


def compile_library(source, letter, name, options):
    """The shared library with the algorithm, from the cache where nothing has changed."""
    command = _command()
    _require_version(command)
    source = os.path.realpath(source)
    if not os.path.exists(source):
        raise FileNotFoundError(f"there is no {source}")
    # Said as an option, as the variable would be no part of the key.
    debug = ["--debug"] if os.environ.get("HETC_DEBUG", "0") not in ("", "0") else []
    arguments = ["--type", letter, *(["--algorithm", name] if name else []), *debug, *options]
    folder = _cache()
    made_by = f"{command} {os.stat(command).st_mtime_ns}"
    key = hashlib.sha256("\0".join([made_by, source, *arguments]).encode()).hexdigest()[:32]
    index = os.path.join(folder, key + ".json")
    library = _fresh(index)
    if library:
        return library
    with tempfile.TemporaryDirectory(dir=folder) as work:
        output, depfile = os.path.join(work, "a.so"), os.path.join(work, "a.d")
        _run([command, "--shared", source, *arguments, "-o", output, "--depfile", depfile])
        kernels = [option for before, option in zip(options, options[1:]) if before == "--kernel"]
        made_of = {path: _digest(path) for path in (source, *kernels, *_dependencies(depfile))}
        # A new name for each content: the dynamic linker keeps what it has loaded under a name.
        library = os.path.join(folder, f"{key}-{_digest(output)[:16]}.so")
        os.replace(output, library)
        with open(os.path.join(work, "index"), "w", encoding="utf-8") as file:
            json.dump({"library": library, "made_of": made_of}, file)
        os.replace(file.name, index)
    return library


def algorithm_name(library, letter):
    """The name of the one algorithm in a library."""
    with open(library, "rb") as file:
        found = re.search(rb"\0tla_algorithm_(\w+)_" + letter.encode() + rb"\0", file.read())
    if not found:
        raise CompileError(f"{library} has no algorithm")
    return found.group(1).decode()


def find_source(file):
    """The path of a .tla: `file` itself, or else one of the algorithms that come with hetc."""
    if os.path.exists(file) or os.path.dirname(file):
        return file
    root = os.path.dirname(os.path.dirname(_command()))
    for folder in (os.path.join(root, "share", "hetc", "algorithms"), os.path.join(root, "..", "..", "algorithms")):
        if os.path.exists(os.path.join(folder, file)):
            return os.path.join(folder, file)
    return file


def cost(file, *, dist=None, type="d", **options):
    """Counts as `hetc cost FILE --json` does and returns a dict: tasks, flops, messages, bytes, and "per_node", a list of dicts, which
    pandas.DataFrame() takes. Options as the command's: n=40000, nb=400; of a list each, as set=["ib=32", "alpha=2"]."""
    arguments = [_command(), "cost", find_source(os.fspath(file)), "--json", "--type", type]
    if dist is not None:
        arguments += ["--dist", str(dist)]
    for name, value in options.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            arguments += [("-" if len(name) == 1 else "--") + name.replace("_", "-"), str(each)]
    return json.loads(_run(arguments))
