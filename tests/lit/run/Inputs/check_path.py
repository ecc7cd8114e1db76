"""The critical path that hetc trace finds against that of the run's report: both take the whole time, and the kernels on
them the same.

usage: check_path.py TEXT REPORT.json"""

import json
import re
import sys

UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
report = json.load(open(sys.argv[2]))
line = next(line for line in open(sys.argv[1]) if "critical path:" in line)


def seconds(text):
    number, unit = re.match(r"([\d.]+) (\w+)", text).groups()
    return float(number) * UNITS[unit]


busy, whole, kernels, waiting = re.search(
    r"path: ([\d.]+ \w+) of ([\d.]+ \w+): (.*?)(?:; waiting in between (.*))?$", line).groups()
assert abs(seconds(whole) - report["seconds"]) < 2e-3 * report["seconds"], line
assert abs(seconds(busy) + (seconds(waiting) if waiting else 0) - report["seconds"]) < 2e-3 * report["seconds"], line
expected = {}
for part in report["critical_path"]:
    if not part["waiting"]:
        expected[part["kernel"]] = expected.get(part["kernel"], 0) + part["seconds"]
found = {name: seconds(time) for name, time in re.findall(r"(\w+) ([\d.]+ \w+) \(\d+\)", kernels)}
assert found.keys() == expected.keys(), (found, expected)
for name, time in expected.items():
    assert abs(found[name] - time) < 1e-3 * report["seconds"], (name, found[name], time)
