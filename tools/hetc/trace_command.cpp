#include "tools/hetc/commands.hpp"

#include "compiler/process/files.hpp"
#include "dsl/base/text.hpp"
#include "tools/gantt/counts.hpp"
#include "tools/gantt/html.hpp"
#include "tools/gantt/read_trace.hpp"
#include "tools/gantt/svg.hpp"
#include "tools/gantt/table.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

namespace hetc::tools {

namespace {

int failTrace(const std::string &message) {
  std::cerr << "hetc: trace: " << message << "\n";
  return 2;
}

/// Nothing, after a message, where the file is no trace.
std::optional<gantt::Timeline> read(const std::string &file) {
  std::error_code ignored;
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (std::filesystem::is_directory(file, ignored))
    failTrace("'" + file + "' is a folder; name a file that --trace has written");
  else if (!in)
    failTrace("cannot read '" + file + "': " + tla::systemMessage());
  else
    try {
      return gantt::readTrace(in);
    } catch (const gantt::BadTrace &error) {
      failTrace("'" + file + "' " + error.what());
    }
  return std::nullopt;
}

using Drawing = std::string (*)(const gantt::Timeline &, const gantt::Analysis &);

/// By the end of the file's name; null: nothing is drawn so.
Drawing drawingFor(const std::string &output) {
  if (output.ends_with(".svg"))
    return gantt::svgOf;
  return output.ends_with(".html") ? gantt::htmlOf : nullptr;
}

/// The sums, and what they come to.
std::string judgedReport(const gantt::Timeline &timeline, const gantt::Analysis &analysis) {
  return gantt::reportOf(timeline, analysis) +
         tla::trace::limitsText(tla::trace::limitsOf(gantt::countsOf(timeline, analysis)));
}

} // namespace

int traceCommand(const Arguments &arguments) {
  CLI::App app("hetc trace: draws what ran where and when, and says what idle cores and accelerators waited for\n\n"
               "  hetc run FILE.tla -n 4000 --trace run.json && hetc trace run.json -o run.html\n");
  std::string input, output;
  app.add_option("file", input, "what --trace of 'hetc run' and 'hetc sim' has written")
      ->type_name("RUN.json")
      ->required();
  app.add_option("-o,--output", output, "a picture or a page; without it the sums are printed, and nothing is drawn")
      ->type_name("FILE.svg|FILE.html");
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp &) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError &error) {
    return failTrace(error.what());
  }
  const Drawing drawing = drawingFor(output);
  if (!output.empty() && !drawing)
    return failTrace("-o " + output + ": what is to be drawn? a name that ends in .svg is a picture, in .html a page");
  if (!output.empty() && !process::checkWritable(output))
    return 2;
  const std::optional<gantt::Timeline> timeline = read(input);
  if (!timeline || (!output.empty() && !process::checkNotInput(output, {input})))
    return 2;
  const gantt::Analysis analysis = gantt::analyze(*timeline);
  const std::string text = drawing ? drawing(*timeline, analysis) : judgedReport(*timeline, analysis);
  return process::writeFile(output, text) ? 0 : 2;
}

} // namespace hetc::tools
