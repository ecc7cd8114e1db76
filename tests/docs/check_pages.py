"""Looks at pages that hetc writes in a browser without a window: all steps, light and dark, narrow and wide.

usage: check_pages.py HETC SOURCE CHROMIUM [--keep FOLDER]     # screenshots are kept there, to be looked at"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

# Runs behind the page's own script: what it finds stands in the document then.
PROBE = """
<script>
{
const found = { errors: window.probeErrors, wide: document.documentElement.scrollWidth > innerWidth + 1, shown: [], listed: [] };
if (document.querySelectorAll(".step").length) {
  for (let step = 0; step < steps.length; ++step) {
    byId("next").onclick();
    found.shown.push(document.querySelectorAll(".step.shown").length);
    found.listed.push(document.querySelectorAll("#list li").length);
  }
  byId("theme").onclick();
}
const result = document.createElement("pre");
result.id = "probe";
result.textContent = JSON.stringify(found);
document.body.append(result);
}
</script>
"""
CATCH = "<script>window.probeErrors = []; window.onerror = text => { window.probeErrors.push(String(text)); };</script>"


def browse(chromium, *arguments):
    # A folder of its own: no setting of a user's.
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                               f"--user-data-dir={profile}", *arguments], capture_output=True, text=True, timeout=120,
                              check=True).stdout


def probe(chromium, page, width):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    probed = page + ".probe.html"
    with open(probed, "w", encoding="utf-8") as file:
        file.write(text.replace("<head>", "<head>" + CATCH, 1).replace("</body>", PROBE + "</body>", 1))
    dom = browse(chromium, f"--window-size={width},800", "--dump-dom", "file://" + probed)
    return json.loads(re.search(r'<pre id="probe">(.*?)</pre>', dom, re.S).group(1))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("hetc")
    parser.add_argument("source")
    parser.add_argument("chromium")
    parser.add_argument("--keep")
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as work:
        folder = options.keep or work
        os.makedirs(folder, exist_ok=True)
        algorithms = os.path.join(options.source, "algorithms")

        def page(name, *command):
            path = os.path.join(os.path.abspath(folder), name + ".html")
            subprocess.run([options.hetc, *command, "-o", path], check=True)
            return path

        trace = os.path.join(work, "trace.json")
        subprocess.run([options.hetc, "sim", os.path.join(algorithms, "cholesky.tla"), "-n", "4000", "--nb", "500", "--platform",
                        "keeneland", "--nodes", "4", "--trace", trace], check=True, stdout=subprocess.DEVNULL)
        pages = {
            "one-node": page("one-node", "graph", os.path.join(algorithms, "gemm.tla"), "-n", "3", "--html"),
            "cholesky": page("cholesky", "graph", os.path.join(algorithms, "cholesky.tla"), "-n", "6", "--dist", "2dbc:2x2", "--html"),
            "qr": page("qr", "graph", os.path.join(algorithms, "qr.tla"), "-n", "5", "--dist", "2dbc:2x3", "--html"),
            "trace": page("trace", "trace", trace),
        }
        for name, path in pages.items():
            for width in (340, 1200):
                found = probe(options.chromium, path, width)
                where = f"{name}, {width} pixels wide"
                if found["errors"]:
                    failures.append(f"{where}: {found['errors']}")
                if found["wide"]:
                    failures.append(f"{where}: wider than the window")
                if any(count != 1 for count in found["shown"]) or not all(found["listed"]):
                    failures.append(f"{where}: steps without a picture or a list: {found}")
                if name != "trace" and not found["shown"]:
                    failures.append(f"{where}: no steps")
                if options.keep:
                    for theme in ("light", "dark"):
                        browse(options.chromium, f"--window-size={width},800",
                               *(["--blink-settings=preferredColorScheme=0"] if theme == "dark" else []),
                               f"--screenshot={os.path.join(os.path.abspath(folder), f'{name}-{width}-{theme}.png')}", "file://" + path)
    print("\n".join(failures) if failures else f"{len(pages)} pages, 0 wrong")
    return 1 if failures else 0


sys.exit(main())
