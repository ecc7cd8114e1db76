// .tla files, and the IR as text.
#include "compiler/driver/compile.hpp"
#include "compiler/ir/verifier.hpp"
#include "tests/fuzz/readers/reader.hpp"
#include "tests/ir_text/parse.hpp"

#include <sstream>
#include <unistd.h>

namespace fuzz::readers {

namespace {

using hetc::driver::Emit;

hetc::driver::Result compile(const std::string &file, Emit emit) {
  hetc::driver::Request request;
  request.file = file;
  request.emit = emit;
  request.remarks = false;
  return hetc::driver::compile(request);
}

/// Diagnostics without the lines of the program that they show.
std::string withoutSource(const std::string &diagnostics) {
  std::istringstream lines(diagnostics);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (line.find(" | ") == line.npos)
      result += line + "\n";
  return result;
}

/// The first error in what was written to stderr, whose file is emptied.
std::string firstError() {
  const std::string said = withoutSource(contentOf(scratchFile("errors")));
  if (::ftruncate(2, 0) != 0)
    return "stderr is no file";
  require(said.find("internal error") == said.npos && said.find("own error") == said.npos, "hetc finds no own error");
  const std::size_t at = said.find("error: ");
  require(at != said.npos, "a program that is rejected has an error");
  return said.substr(at, said.find('\n', at) - at);
}

std::string readProgram(const std::string &bytes) {
  const std::string file = writeScratch("program.tla", bytes);
  const Emit emit = bytes.size() % 16 == 0 ? Emit::Check : Emit::Parse;
  const auto result = compile(file, emit);
  if (!result.ok)
    return firstError();
  const std::string wrong = hetc::ir::verify(result.program);
  require(wrong.empty(), "a program that is accepted is well formed: " + wrong);
  return "";
}

std::string readIr(const std::string &bytes) {
  namespace ir = hetc::ir;
  const auto result = ir::parse(bytes);
  if (const auto *error = std::get_if<ir::ParseError>(&result)) {
    require(error->line >= 1 && error->column >= 1, "an error has a place");
    return error->message;
  }
  const auto &program = std::get<ir::Program>(result);
  const std::string wrong = ir::verify(program), text = ir::print(program);
  const auto again = ir::parse(text);
  if (const auto *error = std::get_if<ir::ParseError>(&again))
    require(false, "what print() says can be read: " + error->message);
  require(ir::print(std::get<ir::Program>(again)) == text, "print(parse(print(p))) == print(p)");
  return wrong;
}

const std::vector<std::string> irTokens = {"program ",
                                           "type d",
                                           "source ",
                                           "size n\n",
                                           "slices ",
                                           "check ",
                                           "requires(",
                                           "kernel ",
                                           "input(",
                                           "LowerMatrix<d> ",
                                           "Workspace<d> ",
                                           "Matrix<i> ",
                                           "int s = 2\n",
                                           "tune(",
                                           "for (int i = 0; i < n; ++i) {",
                                           "if (",
                                           "} else {",
                                           "} else if (",
                                           "task 0 ",
                                           "read ",
                                           "rw ",
                                           "write ",
                                           "panel ",
                                           "priority(",
                                           "derived ",
                                           "release(",
                                           "device(gpu)",
                                           "bound(memory)",
                                           "at(argument 1)",
                                           "fits",
                                           "distinct",
                                           ".rows(",
                                           ".cols(",
                                           ".within(",
                                           ".below(",
                                           ".slices(",
                                           ".lower()",
                                           ".conjTrans()",
                                           "A(k, k)",
                                           "A.nt()",
                                           "A.mb()",
                                           "min(",
                                           "max(",
                                           "T(",
                                           "int(",
                                           "real(",
                                           " ? ",
                                           " : ",
                                           " / ",
                                           " % ",
                                           " - ",
                                           "-",
                                           "!",
                                           "(",
                                           ")",
                                           "{",
                                           "}",
                                           "@1:2",
                                           "\"",
                                           "\\\"",
                                           "::",
                                           "<T>"};

} // namespace

Reader programs() {
  std::vector<std::string> seeds;
  for (const char *folder : {"algorithms", "tests/lit"})
    for (const std::string &file : sourceFiles(folder, ".tla"))
      seeds.push_back(contentOf(file));
  return {.name = "tla",
          .seeds = std::move(seeds),
          .tokens = {"#pragma tla task\n",
                     "#pragma tla algorithm\n",
                     "#pragma tla kernel\n",
                     "#pragma tla ",
                     "input(A : spd)",
                     "check(llt(A))",
                     "priority(k)",
                     "release(A(k, k))",
                     "at(A(k, k))",
                     "requires(A.n() == B.n())",
                     "shape(A(m, n))",
                     "default(k : 1)",
                     "tune(ib : 32 | 64)",
                     "template <typename T>",
                     "tla::Matrix<T> A",
                     "tla::LowerMatrix<T>",
                     "tla::Workspace<T> W(1, 1, A.nb(), A.nb());",
                     "tla::Tile<T>",
                     "for (int i = 0; i < A.nt(); ++i)",
                     "for (int i = A.nt() - 1; i >= 0; --i)",
                     "i += 2",
                     "if (",
                     "else",
                     "{",
                     "}",
                     "(",
                     ")",
                     ";",
                     ",",
                     "A(i, j)",
                     "A(k, k)",
                     "A.nt()",
                     "A.mt()",
                     ".lower()",
                     ".rows(0, 1)",
                     "conjTrans(A(k, k))",
                     "conjTrans(A)",
                     "A.panel(k, A.mt(), k)",
                     "potrf(Lower, A(k, k));",
                     "gemm(NoTrans, ConjTrans, T(-1), A(i, k), A(j, k), T(1), A(i, j));",
                     "int",
                     "const int h = k / 2;",
                     "tla::min(",
                     "/",
                     "%",
                     "? 1 : 2",
                     "-",
                     "!",
                     "return;",
                     "\\\n",
                     "/*",
                     "//",
                     "\""},
          .read = readProgram,
          .cost = 400,
          .seconds = 60};
}

Reader irTexts() {
  std::vector<std::string> seeds;
  for (const char *name : {"cholesky", "getrf_tntpiv", "qr_tree", "gels"})
    if (const auto result = compile(sourceFile(std::string("algorithms/") + name + ".tla"), Emit::Check); result.ok)
      seeds.push_back(hetc::ir::print(result.program));
  seeds.push_back("program p(A) type d {\n  size n\n  Matrix<d> A(n, n)\n  kernel f<T>(rw X)\n"
                  "  for (int k = 0; k < A.nt(); ++k) {\n    task 0 f(rw A(k, 0).rows(0, min(k, 4) - 1))\n  }\n}\n");
  return {.name = "ir", .seeds = std::move(seeds), .tokens = irTokens, .read = readIr, .cost = 8};
}

} // namespace fuzz::readers
