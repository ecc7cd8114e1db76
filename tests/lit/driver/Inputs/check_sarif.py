"""Whether standard input is a log of SARIF 2.1.0: the properties that the standard requires (OASIS, sections 3.13 to 3.57),
their types and values. Prints a line per result: LEVEL LINE:COLUMN notes N fixes N."""

import json
import sys


def need(condition, what):
    if not condition:
        sys.exit(f"no SARIF 2.1.0: {what}")


def check_region(region):
    for key in ("startLine", "startColumn", "endLine", "endColumn"):
        need(isinstance(region.get(key), int) and region[key] >= 1, f"{key} in {region}")
    need((region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"]), f"order in {region}")


def check_artifact(location):
    need(isinstance(location["artifactLocation"].get("uri"), str) and location["artifactLocation"]["uri"], "uri")


def check_location(location):
    physical = location["physicalLocation"]
    check_artifact(physical)
    if "region" in physical:
        check_region(physical["region"])


def check_fix(fix):
    need(fix["artifactChanges"], "a fix without changes")
    for change in fix["artifactChanges"]:
        check_artifact(change)
        need(change["replacements"], "a change without replacements")
        for replacement in change["replacements"]:
            check_region(replacement["deletedRegion"])
            need(isinstance(replacement["insertedContent"]["text"], str), "insertedContent")


def main():
    log = json.load(sys.stdin)
    need(log["version"] == "2.1.0", "version")
    need(isinstance(log["runs"], list) and len(log["runs"]) == 1, "runs")
    run = log["runs"][0]
    need(isinstance(run["tool"]["driver"]["name"], str), "tool.driver.name")
    need(run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
    for result in run["results"]:
        need(result["level"] in ("none", "note", "warning", "error"), "level")
        need(isinstance(result["message"]["text"], str) and result["message"]["text"], "message")
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            check_location(location)
        for note in result.get("relatedLocations", []):
            need(note["message"]["text"], "message of a related location")
        for fix in result.get("fixes", []):
            check_fix(fix)
        at = result["locations"][0]["physicalLocation"].get("region", {"startLine": 0, "startColumn": 0})
        print(result["level"], f"{at['startLine']}:{at['startColumn']}", "notes", len(result.get("relatedLocations", [])),
              "fixes", len(result.get("fixes", [])))
    print(len(run["results"]), "results")


main()
