"""Reads LLVM's text: code of a newer processor is in internal functions, which nothing calls when a program is loaded."""
import re
import sys

text = sys.stdin.read()
attributes = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}$", text, re.M))
functions = {}  # name: (is it internal, what it is compiled for)
for line in re.findall(r"^define .*$", text, re.M):
    name = re.search(r'@("[^"]*"|[\w.$]+)\(', line).group(1)
    group = re.search(r"\) .*?(#\d+)", line[line.index("@"):])
    march = re.search(r'"target-cpu"="([^"]*)"', attributes[group.group(1)]) if group else None
    functions[name] = (" internal " in line or " private " in line, march.group(1) if march else "")
newer = {name for name, (_, march) in functions.items() if march.startswith("x86-64-v")}
started = set(re.findall(r"ptr @([\w.$]+)", "".join(re.findall(r"^@llvm.global_[cd]tors = .*$", text, re.M))))
print(sorted({functions[name][1] for name in newer}))
print("seen from outside:", sorted(name for name in newer if not functions[name][0]))
print("run at start:", sorted(started & newer))
