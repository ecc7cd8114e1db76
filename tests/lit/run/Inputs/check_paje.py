"""Reads a trace in Paje's format as its description says, and holds it to the trace that it was made from.

  check_paje.py FILE.paje RUN.json

Prints the number of tasks and links; fails where an event is not declared, comes too early, or names what there is not.
"""

import json
import shlex
import sys

text = open(sys.argv[1]).read().split("\n")
events, current = {}, None
containers, values, busy, links = {"0"}, {}, {}, {}
last, tasks, arrows = 0.0, 0, 0
for line in filter(None, text):
    if line.startswith("%"):
        words = line[1:].split()
        if words[0] == "EventDef":
            current = events[words[2]] = (words[1], [])
        elif words[0] == "EndEventDef":
            current = None
        else:
            current[1].append(words[0])
        continue
    number, *fields = shlex.split(line)
    name, declared = events[number]
    assert len(fields) == len(declared), line
    event = dict(zip(declared, fields))
    if "Time" in event:
        assert float(event["Time"]) >= last, line
        last = float(event["Time"])
    if name == "PajeDefineEntityValue":
        values[event["Alias"]] = event["Name"]
    elif name == "PajeCreateContainer":
        assert event["Container"] in containers, line
        containers.add(event["Alias"])
    elif name == "PajeDestroyContainer":
        containers.remove(event["Name"])
    elif name == "PajeSetState":
        assert event["Container"] in containers, line
        before = busy.get(event["Container"])
        if before:
            value, since = before
            busy[value] = busy.get(value, 0) + last - since
        busy[event["Container"]] = (values[event["Value"]], last)
        tasks += event["Task"] != "0" and values[event["Value"]] not in ("copy", "message")
    elif name == "PajeStartLink":
        assert event["StartContainer"] in containers, line
        links[event["Key"]] = last
    elif name == "PajeEndLink":
        assert event["EndContainer"] in containers and last >= links.pop(event["Key"]), line
        arrows += 1
assert containers == {"0"} and not links
wanted = {}
for event in json.load(open(sys.argv[2])):
    if event.get("ph") == "X" and "task" in event.get("args", {}):
        wanted[event["cat"]] = wanted.get(event["cat"], 0) + event["dur"] * 1e-6
for kernel, seconds in wanted.items():
    assert abs(busy.get(kernel, 0) - seconds) <= 1e-3 * seconds + 1e-5, (kernel, seconds, busy.get(kernel))
assert wanted
print(f"{tasks} tasks, {arrows} links")
