"""A trace against the report of its run: tasks, copies and messages are those that the run has counted, each message has
an arrow, and no arrow goes back in time.

usage: check_trace.py TRACE.json REPORT.json"""

import collections
import json
import sys

trace, report = (json.load(open(path)) for path in sys.argv[1:3])
ranks = report.get("per_rank", report.get("per_node"))
slices = [event for event in trace if event["ph"] == "X"]
count = collections.Counter(
    event["cat"] if event["cat"] in ("copy", "message", "wait") else "task" for event in slices)
assert count["task"] == report["tasks"], (count, report["tasks"])
ways = collections.Counter("to" if "to" in event["args"] else "from" for event in slices if event["cat"] == "message")
assert ways["to"] == sum(rank["messages"] for rank in ranks), (ways, ranks)
assert ways["from"] == sum(rank["received"] for rank in ranks), (ways, ranks)
sent = sum(event["args"]["bytes"] for event in slices if event["cat"] == "message" and "to" in event["args"])
assert sent == sum(rank["bytes"] for rank in ranks), (sent, ranks)
begins = {event["id"]: event for event in trace if event["ph"] == "s"}
ends = {event["id"]: event for event in trace if event["ph"] == "f"}
assert len(begins) == len(ends) == ways["to"] and begins.keys() == ends.keys(), (len(begins), len(ends), ways)
for number, begin in begins.items():
    assert begin["pid"] != ends[number]["pid"]
    assert begin["ts"] <= ends[number]["ts"] + 50, (begin, ends[number])  # microseconds: clocks
by_row = collections.defaultdict(list)
for event in slices:
    if event["cat"] == "message":
        by_row[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
for row, times in by_row.items():
    times.sort()
    assert all(end <= begin + 0.01 for (_, end), (begin, _) in zip(times, times[1:])), row
for event in slices:
    if event["cat"] != "wait":
        args = event["args"]
        assert args["task"] > args["cause"] >= 0 and args["appended"] <= args["ready"] + 1e-3, event
        assert args["ready"] <= event["ts"] + 1, event
print(f"{count['task']} tasks, {count['copy']} copies, {len(begins)} arrows")
