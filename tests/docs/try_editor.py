"""The language server in a real editor, Neovim without a window, with the settings that docs/language.md shows.

usage: try_editor.py HETC SOURCE NVIM"""

import os
import re
import subprocess
import sys
import tempfile

# A wrong index is told of while it stands there, and no longer; over a task its place is shown.
SESSION = """
local function write(...) io.stdout:write(table.concat({...}, " "), "\\n") end
vim.cmd("edit wrong.tla")
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, found in ipairs(vim.diagnostic.get(0)) do write(found.lnum + 1, found.message) end
local at = vim.fn.search("gemm(")
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover",
  {textDocument = {uri = vim.uri_from_bufnr(0)}, position = {line = at - 1, character = vim.fn.col(".")}}, 60000)
for _, answer in pairs(answers) do write(answer.result.contents.value) end
vim.cmd("%s/A(i, j + 1)/A(i, j)/")
write(vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 50) and "mended" or "still wrong")
vim.cmd("qa!")
"""


def main():
    hetc, source, nvim = sys.argv[1:]
    with open(os.path.join(source, "docs", "language.md"), encoding="utf-8") as file:
        settings = re.search(r"```text\n(vim\.api.*?)```", file.read(), re.S).group(1)
    with tempfile.TemporaryDirectory() as work:
        def write(name, text):
            with open(os.path.join(work, name), "w", encoding="utf-8") as file:
                file.write(text)

        with open(os.path.join(source, "algorithms", "cholesky.tla"), encoding="utf-8") as file:
            write("wrong.tla", file.read().replace("T(1), A(i, j))", "T(1), A(i, j + 1))"))
        write("init.lua", settings)
        write("session.lua", SESSION)
        environment = dict(os.environ, PATH=os.path.dirname(hetc) + os.pathsep + os.environ["PATH"], HOME=work, XDG_STATE_HOME=work,
                           XDG_DATA_HOME=work)
        result = subprocess.run([nvim, "--headless", "-n", "-u", "init.lua", "-c", "luafile session.lua"], cwd=work, env=environment,
                                capture_output=True, text=True, timeout=240, check=False)
    print(result.stdout + result.stderr)
    wanted = ("19 for n = ", "gemm requires", "runs on the node that has", "mended")
    missing = [text for text in wanted if text not in result.stdout]
    if missing:
        print("missing:", missing)
    return 1 if missing else 0


sys.exit(main())
