"""An editor for one session with hetc lsp: lsp_client.py HETC FOLDER. Prints what is wrong, or "fine"."""

import json
import os
import subprocess
import sys

PROGRAM = """#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
  }
}
"""
FORGOTTEN = PROGRAM.replace("    #pragma tla task\n    potrf", "    potrf")
SECONDS = 120


class Editor:
    def __init__(self, hetc):
        self.server = subprocess.Popen([hetc, "lsp", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send_bytes(self, body):
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = None
        while (line := self.server.stdout.readline().strip()):
            name, value = line.split(b":")
            length = int(value) if name == b"Content-Length" else length
        return json.loads(self.server.stdout.read(length))

    def notify(self, method, **parameters):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters}).encode())

    def request(self, method, **parameters):
        self.number += 1
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}).encode())
        answer = self.receive()
        expect(answer["id"] == self.number, "the id of the answer", answer)
        return answer

    def diagnostics(self):
        message = self.receive()
        expect(message["method"] == "textDocument/publishDiagnostics", "diagnostics", message)
        return message["params"]["diagnostics"]


def expect(condition, what, value):
    if not condition:
        print("wrong:", what, json.dumps(value))
        sys.exit(1)


def apply(text, edits):
    lines = text.split("\n")
    for edit in edits:
        start, end = edit["range"]["start"], edit["range"]["end"]
        line = lines[start["line"]]
        expect(start["line"] == end["line"], "an edit in one line", edit)
        lines[start["line"]] = line[:start["character"]] + edit["newText"] + line[end["character"]:]
    return "\n".join(lines)


def at(line, character):
    return {"line": line, "character": character}


def main():
    hetc, folder = sys.argv[1:3]
    path = os.path.join(folder, "a program.tla")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    uri = "file://" + path.replace(" ", "%20")
    document = {"uri": uri}
    editor = Editor(hetc)

    answer = editor.request("initialize", processId=None, rootUri=None, capabilities={})
    expect(answer["result"]["capabilities"]["hoverProvider"] is True, "capabilities", answer)
    editor.notify("initialized")

    # As it is in the editor, not on disk.
    editor.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "tla", "version": 1, "text": FORGOTTEN})
    found = editor.diagnostics()
    expect(len(found) == 1 and found[0]["message"] == "call of kernel 'potrf' without '#pragma tla task'" and
           found[0]["severity"] == 1 and found[0]["range"]["start"] == at(5, 4), "the forgotten pragma", found)
    everything = {"start": at(0, 0), "end": at(20, 0)}
    actions = editor.request("textDocument/codeAction", textDocument=document, range=everything, context={})["result"]
    expect(len(actions) == 1 and actions[0]["kind"] == "quickfix", "a quick fix", actions)
    mended = apply(FORGOTTEN, actions[0]["edit"]["changes"][uri])
    expect(mended == PROGRAM, "what the quick fix makes", mended)
    nowhere = {"start": at(0, 0), "end": at(2, 0)}
    expect(editor.request("textDocument/codeAction", textDocument=document, range=nowhere, context={})["result"] == [],
           "no quick fix elsewhere", None)

    editor.notify("textDocument/didChange", textDocument=document, contentChanges=[{"text": mended}])
    expect(editor.diagnostics() == [], "nothing wrong after it", None)

    # What is known of a task, at its call and at its pragma.
    for line in 9, 8:
        hover = editor.request("textDocument/hover", textDocument=document, position=at(line, 8))["result"]
        text = hover["contents"]["value"]
        expect("`trsm` runs on the node that has `A(i, k)`, priority `" in text and "(derived)" in text, "the place", text)
        expect("tla::trsm at 10:7" in text and "k < i < T_n" in text and "flow S0 -> S1" in text and "priority S1" in text and
               "statement S0" not in text, "hover", text)
    expect(editor.request("textDocument/hover", textDocument=document, position=at(0, 0))["result"] is None, "no hover", None)

    # Characters beyond ASCII, in the units of UTF-16: 1 and 2.
    odd = PROGRAM.replace("potrf(Lower", "/* \u00e4\U0001F600 */ potrg(Lower")
    editor.notify("textDocument/didChange", textDocument=document, contentChanges=[{"text": odd}])
    found = editor.diagnostics()
    expect(found[0]["range"]["start"] == at(6, 14), "a place behind other characters", found)

    # A remark is no error, and a mistake in a header is told in the file that includes it.
    editor.notify("textDocument/didChange", textDocument=document,
                  contentChanges=[{"text": PROGRAM.replace("++k", "k += k + 1")}])
    found = editor.diagnostics()
    hover = editor.request("textDocument/hover", textDocument=document, position=at(6, 8))["result"]
    expect("runs on the node that has `A(k, k)`" in hover["contents"]["value"], "hover without dependences", hover)
    expect(found and all(one["severity"] == 3 for one in found) and "replay mode" in found[0]["message"], "a remark", found)
    with open(os.path.join(folder, "bad.hpp"), "w", encoding="utf-8") as file:
        file.write("#pragma once\nint x = y;\n")
    editor.notify("textDocument/didChange", textDocument=document, contentChanges=[{"text": '#include "bad.hpp"\n' + PROGRAM}])
    found = editor.diagnostics()
    expect("bad.hpp:2: use of undeclared identifier 'y'" in found[0]["message"], "a mistake in a header", found)

    # What it does not know is refused, and it goes on.
    expect(editor.request("textDocument/rename")["error"]["code"] == -32601, "an unknown method", None)
    expect(editor.request("textDocument/hover")["error"]["code"] == -32600, "a request without parameters", None)
    editor.notify("textDocument/didChange", textDocument=document, contentChanges=[])
    editor.send_bytes(b"[]")
    expect(editor.receive()["error"]["code"] == -32600, "no request", None)
    editor.send_bytes(b"{ no JSON")
    expect(editor.receive()["error"]["code"] == -32700, "no JSON", None)
    editor.notify("textDocument/didOpen", textDocument={"uri": "untitled:1", "languageId": "tla", "version": 1, "text": "x"})
    editor.notify("textDocument/didClose", textDocument=document)
    expect(editor.diagnostics() == [], "a document that was closed has no diagnostics", None)

    expect(editor.request("shutdown")["result"] is None, "shutdown", None)
    editor.notify("exit")
    expect(editor.server.wait(SECONDS) == 0, "the exit code after a shutdown", editor.server.returncode)
    gone = Editor(hetc)
    gone.server.stdin.close()
    expect(gone.server.wait(SECONDS) == 1, "the exit code when the editor is gone", gone.server.returncode)
    print("fine")


main()
