// C++ to IR: the one place that sees Clang's AST. A session parses one .tla file for one element type, keeps the
// source open, and shows the diagnostics of all later stages at their place in it.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/finding.hpp"
#include "compiler/ir/program.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hetc::frontend {

struct Options {
  std::string file;      ///< the .tla file
  std::string algorithm; ///< name of the algorithm, when the file has several; empty: the only one, or the one with the
                         ///< file's name
  ir::ElementType type = ir::ElementType::D;
  std::vector<std::string> compilerArguments;   ///< -I, -D and the like, for the C++ parser
  bool color = false;                           ///< coloured diagnostics
  bool splitRules = false;                      ///< read the split rules of the standard kernels, too
  std::vector<ir::Finding> *findings = nullptr; ///< diagnostics are put there, and not shown
  std::optional<std::string> text = {};         ///< text of the file, where it is another one than on disk
  std::vector<std::string> kernels = {};        ///< standard ones that a later stage calls, by their short names
};

class FrontEnd {
public:
  explicit FrontEnd(Options options);
  ~FrontEnd();
  FrontEnd(const FrontEnd &) = delete;
  FrontEnd &operator=(const FrontEnd &) = delete;

  /// Parses, instantiates the algorithm for the type and converts it. Empty when an error was shown (on stderr).
  std::optional<ir::Program> parse();

  /// After parse(): the algorithm that a check argument calls (ir::CheckArgument::isCall), or null.
  ir::Program *checkedCall();

  /// After parse(): the split rules of the kernels that these programs call (Converter::convertRule says what they
  /// are).
  const std::vector<ir::Program> &rules() const;

  /// The kernels of Options::kernels, after parse(), as programs declare them.
  const std::vector<ir::Kernel> &kernels() const;

  /// After parse(): what is not wrong and could be better, of the program.
  const std::vector<ir::Diagnostic> &remarks() const;

  /// Shows a diagnostic at its place, with a caret.
  void report(const ir::Diagnostic &diagnostic);

  /// Every file that was read, absolute, the .tla file first: what a cache must watch.
  const std::vector<std::string> &dependencies() const;
  /// Files beside an included header that may hold the bodies of its kernels: "x.cpp" for "x.hpp" when it exists and
  /// the header declares a kernel.
  const std::vector<std::string> &kernelSources() const;
  /// After parse(): whether a kernel of the user's has its body in what was read, so that generated code compiles it.
  bool hasBodies() const;
  /// The libraries that the files' pragmas link(...): names as behind -l, and absolute paths, each once, in order.
  const std::vector<std::string> &libraries() const;
  unsigned errors() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace hetc::frontend
