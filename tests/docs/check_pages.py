"""Looks at pages that hetc writes in a browser without a window: all steps, light and dark, narrow and wide. What they look
like is compared with screenshots of before, kept as the brightness of some hundred fields: fonts differ between machines,
pictures must not.

usage: check_pages.py HETC SOURCE CHROMIUM [--keep FOLDER] [--update]
  --keep FOLDER   screenshots are kept there, to be looked at
  --update        what is seen now is right, and kept"""

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

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
HEIGHT, ROWS, COLUMNS = 800, 20, 20  # of a screenshot; fields
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
    dom = browse(chromium, f"--window-size={width},{HEIGHT}", "--dump-dom", "file://" + probed)
    return json.loads(re.search(r'<pre id="probe">(.*?)</pre>', dom, re.S).group(1))


def pixels(path):
    """Width, height and rows of a screenshot: 8 bits each of red, green, blue, and perhaps alpha."""
    with open(path, "rb") as file:
        data = file.read()
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    channels = {2: 3, 6: 4}.get(kind)
    if depth != 8 or not channels or interlaced:
        sys.exit(f"{path}: not a screenshot as Chromium writes it")
    packed, place = b"", 8
    while place < len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        packed += data[place + 8:place + 8 + length] if name == b"IDAT" else b""
        place += 12 + length
    raw, stride = zlib.decompress(packed), width * channels
    rows, above = [], bytearray(stride)
    for y in range(height):  # PNG, 9.2: each row is told by its differences from what is to the left and above
        how, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride if how else 0):
            left, up, corner = (row[x - channels], above[x], above[x - channels]) if x >= channels else (0, above[x], 0)
            if how == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            else:
                near = (0, left, up, (left + up) // 2)[how]
            row[x] = (row[x] + near) & 255
        rows.append(row)
        above = row
    return width, height, channels, rows


def brightness(path):
    """The mean of each field, 0 .. 255, row by row."""
    width, height, channels, rows = pixels(path)
    fields = []
    for i in range(ROWS):
        for j in range(COLUMNS):
            left, right = j * width // COLUMNS, (j + 1) * width // COLUMNS
            values = [value for row in rows[i * height // ROWS:(i + 1) * height // ROWS]
                      for channel in range(3) for value in row[left * channels + channel:right * channels:channels]]
            fields.append(round(sum(values) / len(values)))
    return fields


def difference(seen, kept):
    """The fault of a screenshot, if it has one: other letters are a little brighter or darker, in some fields."""
    apart = [abs(a - b) for a, b in zip(seen, kept)]
    if sum(apart) / len(apart) > 2 or sum(a > 30 for a in apart) > len(apart) // 50:
        return f"looks different: fields are {sum(apart) / len(apart):.1f} apart in the mean, {max(apart)} at most"
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("hetc")
    parser.add_argument("source")
    parser.add_argument("chromium")
    parser.add_argument("--keep")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    failures, seen = [], {}
    kept_file = os.path.join(options.source, "tests", "docs", "Inputs", "screenshots.json")
    with open(kept_file, encoding="utf-8") as file:
        kept = json.load(file)
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
                for theme in ("light", "dark"):
                    screenshot = os.path.join(os.path.abspath(folder), f"{name}-{width}-{theme}.png")
                    browse(options.chromium, f"--window-size={width},{HEIGHT}",
                           *(["--blink-settings=preferredColorScheme=0"] if theme == "dark" else []),
                           f"--screenshot={screenshot}", "file://" + path)
                    key = f"{name} {width} {theme}"
                    seen[key] = brightness(screenshot)
                    wrong = difference(seen[key], kept[key]) if key in kept else "has no screenshot of before"
                    if wrong and not options.update:
                        failures.append(f"{key}: {wrong}; look at it (--keep), and if it is right --update")
    if options.update:
        with open(kept_file, "w", encoding="utf-8") as file:
            file.write("{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(fields)}" for key, fields in seen.items()) + "\n}\n")
    print("\n".join(failures) if failures else f"{len(pages)} pages, 0 wrong")
    return 1 if failures else 0


sys.exit(main())
