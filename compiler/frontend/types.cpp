#include "compiler/frontend/types.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Type.h>

#include <map>

namespace hetc::frontend {

namespace {

/// The specialization behind a class type named tla::<name><...>, or null.
const clang::ClassTemplateSpecializationDecl *specialization(clang::QualType type) {
  const auto *record = type.getNonReferenceType().getUnqualifiedType()->getAsCXXRecordDecl();
  return record ? llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record) : nullptr;
}

std::string qualifiedName(const clang::ClassTemplateSpecializationDecl &decl) {
  return decl.getSpecializedTemplate()->getQualifiedNameAsString();
}

clang::QualType firstArgument(const clang::ClassTemplateSpecializationDecl &decl) {
  const auto &arguments = decl.getTemplateArgs();
  if (arguments.size() == 0 || arguments[0].getKind() != clang::TemplateArgument::Type)
    return {};
  return arguments[0].getAsType();
}

} // namespace

std::optional<MatrixType> matrixType(clang::QualType type) {
  static const std::map<std::string, ir::MatrixKind> kinds = {{"tla::Matrix", ir::MatrixKind::General},
                                                              {"tla::LowerMatrix", ir::MatrixKind::Lower},
                                                              {"tla::UpperMatrix", ir::MatrixKind::Upper},
                                                              {"tla::Workspace", ir::MatrixKind::Workspace}};
  const auto *decl = specialization(type);
  if (!decl)
    return std::nullopt;
  const auto found = kinds.find(qualifiedName(*decl));
  if (found == kinds.end())
    return std::nullopt;
  return MatrixType{found->second, firstArgument(*decl)};
}

std::optional<TileType> tileType(clang::QualType type) {
  struct Meaning {
    bool panel;
    ir::Access access;
  };
  static const std::map<std::string, Meaning> meanings = {{"tla::ConstTile", {false, ir::Access::Read}},
                                                          {"tla::Tile", {false, ir::Access::ReadWrite}},
                                                          {"tla::OutTile", {false, ir::Access::Write}},
                                                          {"tla::ConstPanel", {true, ir::Access::Read}},
                                                          {"tla::Panel", {true, ir::Access::ReadWrite}}};
  const auto *decl = specialization(type);
  if (!decl)
    return std::nullopt;
  const auto found = meanings.find(qualifiedName(*decl));
  if (found == meanings.end())
    return std::nullopt;
  return TileType{found->second.panel, found->second.access, firstArgument(*decl)};
}

std::optional<TileType> cutType(clang::QualType type) {
  const auto *decl = specialization(type);
  const std::string name = decl ? qualifiedName(*decl) : "";
  if (name != "tla::split::CutTile" && name != "tla::split::CutPanel")
    return std::nullopt;
  return TileType{name == "tla::split::CutPanel", ir::Access::Read, firstArgument(*decl)};
}

std::optional<ir::ElementType> elementType(clang::QualType type) {
  const clang::QualType plain = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto *builtin = plain->getAs<clang::BuiltinType>()) {
    switch (builtin->getKind()) {
    case clang::BuiltinType::Float:
      return ir::ElementType::S;
    case clang::BuiltinType::Double:
      return ir::ElementType::D;
    case clang::BuiltinType::Int:
      return ir::ElementType::I;
    default:
      return std::nullopt;
    }
  }
  const auto *decl = specialization(plain);
  if (!decl || qualifiedName(*decl) != "std::complex")
    return std::nullopt;
  const auto part = elementType(firstArgument(*decl));
  if (part == ir::ElementType::S)
    return ir::ElementType::C;
  return part == ir::ElementType::D ? std::optional(ir::ElementType::Z) : std::nullopt;
}

std::string arithmeticName(clang::QualType type) {
  const clang::QualType plain = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  const auto *builtin = plain->getAs<clang::BuiltinType>();
  if (!builtin || !plain->isArithmeticType())
    return "";
  clang::LangOptions options;
  options.CPlusPlus = true;
  options.Bool = true;
  return builtin->getNameAsCString(clang::PrintingPolicy(options));
}

std::string tlaEnumName(clang::QualType type) {
  const auto *enumeration = type.getNonReferenceType()->getAs<clang::EnumType>();
  if (!enumeration)
    return "";
  const std::string name = enumeration->getDecl()->getQualifiedNameAsString();
  for (const char *known : {"Op", "Uplo", "Diag", "Side"})
    if (name == std::string("tla::") + known)
      return known;
  return "";
}

const clang::NamedDecl *canonicalFunction(const clang::FunctionDecl &function) {
  if (const auto *primary = function.getPrimaryTemplate())
    return primary->getCanonicalDecl();
  if (const auto *described = function.getDescribedFunctionTemplate())
    return described->getCanonicalDecl();
  return function.getCanonicalDecl();
}

std::string tlaEnumerator(const std::string &enumeration, std::int64_t value) {
  static const std::map<std::string, std::map<std::int64_t, std::string>> names = {
      {"Op", {{111, "NoTrans"}, {112, "Trans"}, {113, "ConjTrans"}}},
      {"Uplo", {{121, "Upper"}, {122, "Lower"}}},
      {"Diag", {{131, "NonUnit"}, {132, "Unit"}}},
      {"Side", {{141, "Left"}, {142, "Right"}}}};
  const auto found = names.find(enumeration);
  if (found == names.end())
    return "";
  const auto name = found->second.find(value);
  return name == found->second.end() ? "" : name->second;
}

std::optional<std::int64_t> tlaEnumerator(const std::string &name) {
  static const std::map<std::string, std::int64_t> values = {{"NoTrans", 111}, {"Trans", 112}, {"ConjTrans", 113},
                                                             {"Upper", 121},   {"Lower", 122}, {"NonUnit", 131},
                                                             {"Unit", 132},    {"Left", 141},  {"Right", 142}};
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

} // namespace hetc::frontend
