// '#pragma tla ...'
#include "dsl/annotations/annotation.hpp"
#include "tests/fuzz/readers/reader.hpp"

#include <set>

namespace fuzz::readers {

namespace {

namespace notes = hetc::annotations;

/// The texts behind '#pragma tla' in these files.
std::vector<std::string> pragmasIn(const std::vector<std::string> &files) {
  const std::string begin = "#pragma tla";
  std::set<std::string> texts;
  for (const std::string &file : files) {
    const std::string content = contentOf(file);
    for (std::size_t at = content.find(begin); at != content.npos; at = content.find(begin, at)) {
      at += begin.size();
      texts.insert(content.substr(at, content.find('\n', at) - at));
    }
  }
  return {texts.begin(), texts.end()};
}

/// Printed and read again an expression is the same.
void requirePrintable(const notes::Expr &expr) {
  const std::string text = notes::print(expr);
  const auto again = notes::parseAnnotation("task priority(" + text + ")");
  const auto *annotation = std::get_if<notes::Annotation>(&again);
  // A sum without parentheses may be printed longer than an annotation can be.
  if (!annotation)
    return require(text.size() > 8000, "what print() says can be read: " + text.substr(0, 200));
  require(notes::print(*std::get<notes::TaskAnnotation>(*annotation).priority) == text, "print(parse(print(e)))");
}

std::string read(const std::string &bytes) {
  const auto result = notes::parseAnnotation(bytes);
  if (const auto *error = std::get_if<notes::SyntaxError>(&result)) {
    require(error->offset <= bytes.size() && error->offset + error->length <= bytes.size() && !error->message.empty(),
            "an error has a place in the text");
    return error->message;
  }
  const auto &annotation = std::get<notes::Annotation>(result);
  if (const auto *task = std::get_if<notes::TaskAnnotation>(&annotation); task && task->priority)
    requirePrintable(*task->priority);
  if (const auto *kernel = std::get_if<notes::KernelAnnotation>(&annotation); kernel && kernel->flops)
    requirePrintable(*kernel->flops);
  return "";
}

} // namespace

Reader annotations() {
  std::vector<std::string> seeds = pragmasIn(sourceFiles("algorithms", ".tla"));
  for (const std::string &text : pragmasIn(sourceFiles("tests/lit", ".tla")))
    seeds.push_back(text);
  for (const std::string &text : pragmasIn(sourceFiles("kernels/include", ".hpp")))
    seeds.push_back(text);
  return {.name = "annotation",
          .seeds = std::move(seeds),
          .tokens = {" algorithm ", " task ",
                     " kernel ",    " split ",
                     "input(",      "check(",
                     "shape(",      "default(",
                     "tune(",       "requires(",
                     "priority(",   "device(",
                     "bound(",      "at(",
                     "release(",    "flops(",
                     "info(",       "alias(",
                     "opaque(",     "host",
                     "gpu",         "compute",
                     "stop",        "continue",
                     "A(i, j)",     "A.panel(k, A.mt(), k)",
                     ".lower()",    ".nt()",
                     "min(",        "max(",
                     "(",           ")",
                     ",",           ":",
                     "|",           "?",
                     "-",           "!",
                     "--",          "&&",
                     "||",          "==",
                     "<=",          "%",
                     "/",           "*",
                     "\\\n",        "\\",
                     "1",           "a ? b : c",
                     "x.",          "A",
                     ";",           "//",
                     "\""},
          .read = read};
}

} // namespace fuzz::readers
