// The stages that compile: generated code, and the bodies of kernels.
#pragma once

#include "compiler/backend/compile.hpp"
#include "compiler/backend/link.hpp"
#include "compiler/codegen/generate_code.hpp"
#include "compiler/ir/program.hpp"
#include "compiler/process/files.hpp"
#include "compiler/process/source_files.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hetc::codegen {

struct Code {
  Generated generated;
  std::optional<backend::Compiled> object; ///< object of the code, where there is one already
};

/// The files to link. Files of hetc's own go with their object.
struct Objects {
  std::vector<process::TemporaryFile> files;
  std::vector<std::string> others;    ///< object files and archives of the user's
  std::vector<std::string> libraries; ///< libraries, as in backend::LinkInputs

  backend::LinkInputs inputs() const;
};

/// Compiles the code, or takes its object. Nothing after an error, which was shown. What is read is added to `files`,
/// none of which the output may be.
std::optional<backend::Compiled> compileCode(const ir::Program &program, const Code &code, backend::OutputKind kind,
                                             const backend::CompileOptions &options, process::SourceFiles &files);

/// The files that are C++ sources.
std::vector<std::string> textsOf(const std::vector<std::string> &files);

/// Writes an object file; nothing after an error, which was shown.
std::optional<Objects> storeObject(const backend::Compiled &compiled);

/// The objects, and those of kernels' bodies in this order: C++ files, for options.march; object files, archives and
/// shared libraries, which are recognized by what is in them. Nothing after an error, which was shown. What is read is
/// added to `files`, none of which the output may be.
std::optional<Objects> addKernels(Objects objects, const std::vector<std::string> &sources,
                                  const backend::CompileOptions &options, process::SourceFiles &files);

/// Files beside these headers of the user's that would be bodies of their kernels, were they there.
std::set<std::string> findMissingBodies(const std::vector<std::string> &headers);

} // namespace hetc::codegen
