"""Another BLAS in the host's global scope: runs a command with a library in front of all others that defines every
function and every object that the module's OpenBLAS defines, where each function ends the process. A module of hetc that
binds one of its symbols, or one of those that OpenBLAS uses in itself, to the host's dies by it.

usage: poisoned_blas.py MODULE CC [--preload LIBRARY] COMMAND ...; the exit code is the command's. LIBRARY is the drop-in
LAPACK library, in front even of those: what it asks of the library that it passes calls on to is left as it is."""

import os
import re
import subprocess
import sys
import tempfile


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def openblas_of(module):
    for line in output("ldd", module).splitlines():
        found = re.search(r"libopenblas\S* => (\S+)", line)
        if found:
            return found.group(1)
    sys.exit(f"{module} is not linked to OpenBLAS")


def defined(library):
    """Names of what it exports, by whether they are functions."""
    functions, objects = set(), set()
    for line in output("nm", "-D", "--defined-only", "--format=posix", library).splitlines():
        name, kind = line.split()[:2]
        if re.fullmatch(r"[A-Za-z_]\w*", name) and name not in ("_init", "_fini", "_edata", "_end", "__bss_start"):
            (functions if kind in "TWi" else objects).add(name)
    return functions, objects


def main():
    module, compiler, *command = sys.argv[1:]
    preload = [command[1]] if command[0] == "--preload" else []
    command = command[2:] if preload else command
    functions, objects = defined(openblas_of(module))
    if len(functions) < 1000 or not {"cblas_dgemm", "dgemm_", "openblas_set_num_threads"} <= functions:
        sys.exit(f"only {len(functions)} functions found")
    if preload:
        functions -= {name for name in functions if name.startswith("openblas_get_")}
    with tempfile.TemporaryDirectory() as folder:
        source, library = folder + "/poison.c", folder + "/libpoison.so"
        with open(source, "w", encoding="utf-8") as out:
            out.write('#include <unistd.h>\n'
                      'void hetc_poison(void) { (void)!write(2, "a function of the host\'s BLAS was called\\n", 40);'
                      ' _exit(99); }\n')
            for name in sorted(functions):
                out.write(f'__asm__(".globl {name}\\n.type {name}, @function\\n.set {name}, hetc_poison");\n')
            for name in sorted(objects):
                out.write(f'__asm__(".pushsection .data\\n.globl {name}\\n.type {name}, @object\\n.size {name}, 8\\n'
                          f'{name}: .quad 0\\n.popsection");\n')
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
        environment = dict(os.environ, LD_PRELOAD=" ".join(preload + [library]), HETC_KERNELS="openblas")
        return subprocess.run(command, env=environment, check=False).returncode


sys.exit(main())
