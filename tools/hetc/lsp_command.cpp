// hetc lsp: a language server (Language Server Protocol 3.17) for .tla files. It checks a document as it is in the
// editor, also unsaved, and says what hetc check says, with its fix-its as quick fixes. Over a task it shows what is
// known of it: domain, accesses, dependences, priority, as --emit=deps has them.
#include "tools/hetc/json_rpc.hpp"
#include "tools/hetc/options.hpp"

#include "compiler/ir/text.hpp"
#include "compiler/process/files.hpp"
#include "compiler/support/config.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <unistd.h>

namespace hetc::tools {

namespace {

using Message = JsonRpc::Json;

constexpr int methodNotFound = -32601, invalidRequest = -32600, parseError = -32700;

/// file:///a%20b to /a b; empty for other schemes.
std::string pathOf(const std::string &uri) {
  constexpr char scheme[] = "file://";
  if (uri.rfind(scheme, 0) != 0)
    return "";
  std::string path;
  for (std::size_t i = sizeof scheme - 1; i < uri.size(); ++i)
    if (uri[i] == '%' && i + 2 < uri.size() && std::isxdigit(static_cast<unsigned char>(uri[i + 1])) &&
        std::isxdigit(static_cast<unsigned char>(uri[i + 2]))) {
      path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else
      path += uri[i];
  return path;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// An open document, and what was found in it.
class Document {
public:
  explicit Document(std::string text) : text_(std::move(text)), lines_(linesOf(text_)) {}

  const std::string &text() const { return text_; }

  /// From a place as hetc counts, lines and bytes from 1, to the protocol's: lines from 0, units of UTF-16.
  Message position(unsigned line, unsigned column) const {
    unsigned units = 0;
    if (line >= 1 && line <= lines_.size())
      for (unsigned i = 0; i + 1 < column && i < lines_[line - 1].size(); ++i) {
        const auto byte = static_cast<unsigned char>(lines_[line - 1][i]);
        units += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
      }
    return {{"line", line >= 1 ? line - 1 : 0}, {"character", units}};
  }

  Message range(const ir::SourceRange &at) const {
    return {{"start", position(at.line, at.column)}, {"end", position(at.endLine, at.endColumn)}};
  }

  std::vector<ir::Finding> findings;
  std::optional<std::string> dependences;           ///< as --emit=deps prints them; "": there are none
  std::map<unsigned, std::set<std::string>> places; ///< places and urgency of the tasks of each line

private:
  std::string text_;
  std::vector<std::string> lines_;
};

/// The part of --emit=deps about the tasks whose calls begin in `line`: their statements, their dependences,
/// priorities.
std::string aboutTasks(const std::string &dependences, unsigned line) {
  std::string text;
  std::vector<std::string> names;
  const std::regex statement("statement (S[0-9]+) // .* at ([0-9]+):[0-9]+");
  bool isShown = false;
  for (const std::string &each : linesOf(dependences)) {
    std::smatch match;
    if (std::regex_match(each, match, statement)) {
      isShown = std::stoul(match[2]) == line;
      if (isShown)
        names.push_back(match[1]);
    } else if (!each.empty() && each[0] != ' ') {
      isShown = std::any_of(names.begin(), names.end(), [&](const std::string &name) {
        return std::regex_search(each, std::regex("^(flow|initial|priority|anti|output) .*\\b" + name + "\\b"));
      });
    }
    if (isShown && !each.empty())
      text += each + "\n";
  }
  return names.empty() ? "" : text;
}

/// Where the tasks of the file itself run, and their priorities, by line.
std::map<unsigned, std::set<std::string>> placesOf(const ir::Program &program) {
  std::map<unsigned, std::set<std::string>> places;
  forEachTask(program, [&](const ir::Task &task) {
    const auto *output = std::get_if<ir::TileAccess>(&task.arguments[task.mainOutput]);
    if (!task.location.file.empty() || !output)
      return;
    const std::string kernel = task.kernel.substr(task.kernel.rfind(':') + 1);
    std::string text = "`" + kernel + "` runs on the node that has `" + ir::print(*output) + "`";
    if (task.priority)
      text +=
          std::string(", priority `") + ir::print(*task.priority) + "`" + (task.derivedPriority ? " (derived)" : "");
    places[task.location.line].insert(text);
  });
  return places;
}

class LanguageServer {
public:
  LanguageServer(JsonRpc &peer, const driver::Request &request) : peer_(peer), request_(request) {}

  /// Until the other side says exit, or goes. The exit code, as the protocol has it: 0 after a shutdown.
  int run() {
    while (!exits_) {
      const std::optional<Message> message = peer_.read();
      if (!message)
        break;
      handle(*message);
      if (!peer_.hasMore()) // of several changes only the last one counts
        checkChanged();
    }
    return isShutDown_ ? 0 : 1;
  }

private:
  void handle(const Message &message) {
    if (message.is_discarded())
      return fail(nullptr, parseError, "this is no JSON");
    const Message id = message.is_object() && message.contains("id") ? message["id"] : Message();
    try {
      const std::string method = message.at("method");
      const Message parameters = message.value("params", Message::object());
      if (id.is_null())
        return notified(method, parameters);
      if (const std::optional<Message> result = answer(method, parameters))
        peer_.write({{"jsonrpc", "2.0"}, {"id", id}, {"result", *result}});
      else
        fail(id, methodNotFound, "unknown method '" + method + "'");
    } catch (const Message::exception &error) {
      if (!message.is_object() || !id.is_null()) // notifications have no answer
        fail(id, invalidRequest, error.what());
    }
  }

  void fail(const Message &id, int code, const std::string &text) {
    peer_.write({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
  }

  void notified(const std::string &method, const Message &parameters) {
    if (method == "exit")
      exits_ = true;
    else if (method == "textDocument/didOpen")
      set(parameters.at("textDocument").at("uri"), parameters.at("textDocument").at("text"));
    else if (method == "textDocument/didChange")
      set(parameters.at("textDocument").at("uri"),
          parameters.at("contentChanges").at(parameters.at("contentChanges").size() - 1).at("text"));
    else if (method == "textDocument/didSave") // what it includes may have changed
      changed_.insert(parameters.at("textDocument").at("uri").get<std::string>());
    else if (method == "textDocument/didClose")
      close(parameters.at("textDocument").at("uri"));
  }

  std::optional<Message> answer(const std::string &method, const Message &parameters) {
    if (method == "initialize")
      return Message{{"capabilities",
                      {{"textDocumentSync", {{"openClose", true}, {"change", 1}, {"save", true}}},
                       {"hoverProvider", true},
                       {"codeActionProvider", true}}},
                     {"serverInfo", {{"name", "hetc"}, {"version", config::version}}}};
    if (method == "shutdown") {
      isShutDown_ = true;
      return Message(nullptr);
    }
    if (method == "textDocument/hover")
      return hover(parameters);
    if (method == "textDocument/codeAction")
      return codeActions(parameters);
    return std::nullopt;
  }

  void set(const std::string &uri, const std::string &text) {
    documents_.insert_or_assign(uri, Document(text));
    changed_.insert(uri);
  }

  void close(const std::string &uri) {
    documents_.erase(uri);
    changed_.erase(uri);
    publish(uri, Message::array());
  }

  void publish(const std::string &uri, const Message &diagnostics) {
    peer_.write({{"jsonrpc", "2.0"},
                 {"method", "textDocument/publishDiagnostics"},
                 {"params", {{"uri", uri}, {"diagnostics", diagnostics}}}});
  }

  /// A request for the document as it is in the editor.
  driver::Request requestFor(const std::string &uri, const Document &document) const {
    driver::Request request = request_;
    request.file = pathOf(uri);
    request.text = document.text();
    return request;
  }

  void checkChanged() {
    for (const std::string &uri : std::exchange(changed_, {})) {
      const auto found = documents_.find(uri);
      if (found == documents_.end() || pathOf(uri).empty())
        continue;
      Document &document = found->second;
      document.findings.clear();
      document.dependences.reset();
      driver::Request request = requestFor(uri, document);
      request.emit = driver::Emit::Check;
      request.findings = &document.findings;
      driver::compile(request);
      Message diagnostics = Message::array();
      for (const ir::Finding &finding : document.findings)
        diagnostics.push_back(diagnostic(uri, document, finding));
      publish(uri, diagnostics);
    }
  }

  static Message diagnostic(const std::string &uri, const Document &document, const ir::Finding &finding) {
    const std::string path = pathOf(uri);
    const bool isHere = finding.region.file == path;
    const auto severity = finding.severity == ir::Diagnostic::Severity::Error     ? 1
                          : finding.severity == ir::Diagnostic::Severity::Warning ? 2
                                                                                  : 3;
    Message related = Message::array();
    for (const ir::Finding &note : finding.notes)
      if (note.region.file == path)
        related.push_back(
            {{"location", {{"uri", uri}, {"range", document.range(note.region)}}}, {"message", note.message}});
    const std::string elsewhere = isHere || finding.region.file.empty()
                                      ? ""
                                      : finding.region.file + ":" + std::to_string(finding.region.line) + ": ";
    return {{"range", document.range(isHere ? finding.region : ir::SourceRange{path, 1, 1, 1, 1})},
            {"severity", severity},
            {"source", "hetc"},
            {"message", elsewhere + finding.message},
            {"relatedInformation", related}};
  }

  Message hover(const Message &parameters) {
    const std::string uri = parameters.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end() || pathOf(uri).empty())
      return nullptr;
    Document &document = found->second;
    if (!document.dependences)
      document.dependences = dependencesOf(uri, document);
    const unsigned line = parameters.at("position").at("line").get<unsigned>() + 1;
    std::string text = aboutLine(document, line);
    if (text.empty()) // on its pragma
      text = aboutLine(document, line + 1);
    if (text.empty())
      return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
  }

  static std::string aboutLine(const Document &document, unsigned line) {
    std::string text;
    if (const auto found = document.places.find(line); found != document.places.end())
      for (const std::string &place : found->second)
        text += place + "\n\n";
    const std::string dependences = aboutTasks(*document.dependences, line);
    return dependences.empty() ? text : text + "```text\n" + dependences + "```";
  }

  std::string dependencesOf(const std::string &uri, Document &document) const {
    const process::TemporaryFile printed("hetc-lsp", ".txt");
    if (!printed)
      return "";
    driver::Request request = requestFor(uri, document);
    std::vector<ir::Finding> ignored;
    request.emit = driver::Emit::Deps;
    request.output = printed.path();
    request.findings = &ignored;
    const driver::Result result = driver::compile(request);
    document.places = placesOf(result.program);
    if (!result.ok)
      return "";
    std::ifstream in(printed.path());
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Message codeActions(const Message &parameters) const {
    Message actions = Message::array();
    const std::string uri = parameters.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end())
      return actions;
    const Message &wanted = parameters.at("range");
    const unsigned first = wanted.at("start").at("line"), last = wanted.at("end").at("line");
    for (const ir::Finding &finding : found->second.findings) {
      const bool isThere =
          finding.region.file == pathOf(uri) && finding.region.line >= first + 1 && finding.region.line <= last + 1;
      if (!isThere || finding.fixes.empty())
        continue;
      Message edits = Message::array();
      for (const auto &[at, text] : finding.fixes)
        if (at.file == pathOf(uri))
          edits.push_back({{"range", found->second.range(at)}, {"newText", text}});
      if (edits.empty())
        continue;
      actions.push_back(
          {{"title", "mend: " + finding.message}, {"kind", "quickfix"}, {"edit", {{"changes", {{uri, edits}}}}}});
    }
    return actions;
  }

  JsonRpc &peer_;
  const driver::Request request_;
  std::map<std::string, Document> documents_;
  std::set<std::string> changed_;
  bool isShutDown_ = false, exits_ = false;
};

} // namespace

int lspCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app(
      "hetc lsp: a language server for .tla files, which an editor starts; it speaks the Language Server Protocol "
      "on standard input and output");
  bool isStdio = true;
  app.add_flag("--stdio", isStdio, "as some editors say it; there is no other way");
  addCompileOptions(app, options);
  if (const int code = parse(app, arguments, options); code >= 0)
    return code;
  JsonRpc peer(STDIN_FILENO, STDOUT_FILENO);
  return LanguageServer(peer, options.request).run();
}

} // namespace hetc::tools
