#include "compiler/frontend/converter.hpp"
#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

namespace hetc::frontend {

const clang::Expr &strip(const clang::Expr &expr) {
  const clang::Expr *inner = expr.IgnoreParens()->IgnoreImplicit();
  if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
      construct && construct->getNumArgs() == 1 && (tileType(construct->getType()) || matrixType(construct->getType())))
    return strip(*construct->getArg(0));
  if (inner != &expr)
    return strip(*inner);
  return *inner;
}

std::optional<ir::Program> Converter::convert(const clang::FunctionDecl &algorithm, const PragmaRecord &pragma,
                                              ir::ElementType type, const std::string &source) {
  program_.name = algorithm.getNameAsString();
  program_.type = type;
  program_.source = source;
  inlining_.push_back(&algorithm);
  convertParameters(algorithm);
  if (failed_) // clauses and statements would miss the parameters that were refused
    return std::nullopt;
  applyClauses(std::get<annotations::AlgorithmAnnotation>(pragma.annotation), pragma);
  if (!requireShapes(algorithm))
    return std::nullopt;
  collectSizes();
  convertEntry(algorithm);
  if (failed_)
    return std::nullopt;
  return std::move(program_);
}

Converter::ErrorReport::ErrorReport(const Converter &converter, clang::SourceLocation location,
                                    const std::string &message)
    : converter_(converter) {
  clang::DiagnosticsEngine &engine = converter.diagnostics_;
  builder_.emplace(engine.Report(location, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")));
  *builder_ << message;
}

Converter::ErrorReport::~ErrorReport() {
  builder_.reset(); // shows it
  for (std::size_t i = converter_.calls_.size(); i-- > 0;)
    converter_.note(converter_.calls_[i], ir::calledHere(converter_.inlining_[i + 1]->getNameAsString()));
}

Converter::ErrorReport Converter::error(clang::SourceLocation location, const std::string &message) {
  failed_ = true;
  return ErrorReport(*this, location, message);
}

std::vector<ir::CallSite> Converter::callSites() const {
  std::vector<ir::CallSite> sites;
  for (std::size_t i = calls_.size(); i-- > 0;)
    sites.push_back({inlining_[i + 1]->getNameAsString(), locate(calls_[i])});
  return sites;
}

void Converter::note(clang::SourceLocation location, const std::string &message) const {
  diagnostics_.Report(location, diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0")) << message;
}

ir::Location Converter::locate(clang::SourceLocation location) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(location);
  ir::Location result;
  result.line = sources.getExpansionLineNumber(place);
  result.column = sources.getExpansionColumnNumber(place);
  if (sources.getFileID(place) != sources.getMainFileID())
    result.file = sources.getFilename(place).str();
  return result;
}

/// Names with two underscores are hetc's own from here on, as they are C++'s in the source.
std::string Converter::uniqueName(const std::string &declared) {
  std::string base = declared;
  for (std::size_t at; (at = base.find("__")) != base.npos;)
    base.erase(at, 1);
  std::string name = base;
  for (unsigned suffix = 1; !ir::isFreeName(name) || !usedNames_.insert(name).second; ++suffix)
    name = base + (base.ends_with('_') ? "" : "_") + std::to_string(suffix);
  return name;
}

void Converter::bind(const clang::VarDecl &variable, Binding binding) {
  names_.emplace_back(variable.getNameAsString(), Binding{"", nullptr, nullptr, &variable});
  bindings_[&variable] = std::move(binding);
  declaredAt_[&variable] = controlDepth_;
}

} // namespace hetc::frontend
