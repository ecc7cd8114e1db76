#include "tools/hetc/findings.hpp"

#include "compiler/support/config.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>

namespace hetc::tools {

namespace {

using Json = nlohmann::ordered_json;
using Severity = ir::Diagnostic::Severity;

const char *kindOf(const ir::Finding &finding) {
  return finding.severity == Severity::Error ? "error" : finding.severity == Severity::Warning ? "warning" : "note";
}

/// As one line of text: quotes and line ends are escaped.
std::string quoted(const std::string &text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string place(const ir::SourceRange &region, const std::string &file) {
  return region.file.empty()
             ? file + ": "
             : region.file + ":" + std::to_string(region.line) + ":" + std::to_string(region.column) + ": ";
}

void appendGcc(const ir::Finding &finding, const std::string &file, std::string &text) {
  text += place(finding.region, file) + kindOf(finding) + ": " + finding.message + "\n";
  for (const auto &[region, inserted] : finding.fixes)
    text += "fix-it:" + quoted(region.file) + ":{" + std::to_string(region.line) + ":" + std::to_string(region.column) +
            "-" + std::to_string(region.endLine) + ":" + std::to_string(region.endColumn) + "}:" + quoted(inserted) +
            "\n";
  for (const ir::Finding &note : finding.notes)
    appendGcc(note, file, text);
}

Json position(const std::string &file, unsigned line, unsigned column) {
  return {{"file", file}, {"line", line}, {"column", column}};
}

Json asJson(const ir::Finding &finding) {
  Json locations = Json::array(), fixes = Json::array(), children = Json::array();
  const ir::SourceRange &at = finding.region;
  if (!at.file.empty())
    locations.push_back({{"caret", position(at.file, at.line, at.column)},
                         {"finish", position(at.file, at.endLine, at.endColumn > 1 ? at.endColumn - 1 : 1)}});
  for (const auto &[region, text] : finding.fixes)
    fixes.push_back({{"start", position(region.file, region.line, region.column)},
                     {"next", position(region.file, region.endLine, region.endColumn)},
                     {"string", text}});
  for (const ir::Finding &note : finding.notes)
    children.push_back(asJson(note));
  return {{"kind", kindOf(finding)},
          {"message", finding.message},
          {"locations", locations},
          {"fixits", fixes},
          {"children", children}};
}

/// SARIF counts columns in characters.
class Columns {
public:
  unsigned of(const std::string &file, unsigned line, unsigned column) {
    const std::vector<std::string> &lines = linesOf(file);
    if (line < 1 || line > lines.size())
      return column;
    unsigned characters = 1;
    for (unsigned i = 0; i + 1 < column && i < lines[line - 1].size(); ++i)
      characters += (static_cast<unsigned char>(lines[line - 1][i]) & 0xC0) != 0x80; // bytes that begin one
    return characters;
  }

private:
  const std::vector<std::string> &linesOf(const std::string &file) {
    const auto [found, isNew] = files_.try_emplace(file);
    std::ifstream in;
    if (isNew)
      in.open(file);
    for (std::string line; isNew && std::getline(in, line);)
      found->second.push_back(line);
    return found->second;
  }
  std::map<std::string, std::vector<std::string>> files_;
};

class Sarif {
public:
  explicit Sarif(std::string file) : file_(std::move(file)) {}

  Json result(const ir::Finding &finding) {
    Json one = {{"level", kindOf(finding)},
                {"message", {{"text", finding.message}}},
                {"locations", Json::array({location(finding.region)})}};
    for (const ir::Finding &note : finding.notes) {
      Json related = location(note.region);
      related["message"] = {{"text", note.message}};
      one["relatedLocations"].push_back(related);
    }
    if (!finding.fixes.empty())
      one["fixes"] = Json::array({fix(finding)});
    return one;
  }

private:
  Json artifact(const std::string &file) const { return {{"uri", file.empty() ? file_ : file}}; }

  Json region(const ir::SourceRange &at) {
    return {{"startLine", at.line},
            {"startColumn", columns_.of(at.file, at.line, at.column)},
            {"endLine", at.endLine},
            {"endColumn", columns_.of(at.file, at.endLine, at.endColumn)}};
  }

  Json location(const ir::SourceRange &at) {
    Json physical = {{"artifactLocation", artifact(at.file)}};
    if (at.line)
      physical["region"] = region(at);
    return {{"physicalLocation", physical}};
  }

  Json fix(const ir::Finding &finding) {
    Json changes = Json::array();
    for (const auto &[at, text] : finding.fixes)
      changes.push_back(
          {{"artifactLocation", artifact(at.file)},
           {"replacements", Json::array({{{"deletedRegion", region(at)}, {"insertedContent", {{"text", text}}}}})}});
    return {{"description", {{"text", finding.message}}}, {"artifactChanges", changes}};
  }

  const std::string file_;
  Columns columns_;
};

std::string dump(const Json &json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

} // namespace

std::string toGcc(const std::vector<ir::Finding> &findings, const std::string &file) {
  std::string text;
  for (const ir::Finding &finding : findings)
    appendGcc(finding, file, text);
  return text;
}

std::string toJson(const std::vector<ir::Finding> &findings) {
  Json all = Json::array();
  for (const ir::Finding &finding : findings)
    all.push_back(asJson(finding));
  return dump(all);
}

std::string toSarif(const std::vector<ir::Finding> &findings, const std::string &file) {
  Sarif sarif(file);
  Json results = Json::array();
  for (const ir::Finding &finding : findings)
    results.push_back(sarif.result(finding));
  const Json tool = {{"driver", {{"name", "hetc"}, {"version", config::version}}}};
  return dump(
      {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs", Json::array({{{"tool", tool}, {"columnKind", "unicodeCodePoints"}, {"results", results}}})}});
}

} // namespace hetc::tools
