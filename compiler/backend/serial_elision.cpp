#include "compiler/backend/serial_elision.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/MultiplexConsumer.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace hetc::backend {

namespace {

/// The class template, or null, that a type is made of, in a template's pattern as well as in an instance.
const clang::TemplateDecl *templateOf(clang::QualType type) {
  const auto *made = type.getNonReferenceType()->getAs<clang::TemplateSpecializationType>();
  return made ? made->getTemplateName().getAsTemplateDecl() : nullptr;
}

bool isMatrix(const clang::ParmVarDecl *parameter) {
  static constexpr llvm::StringLiteral kinds[] = {"Matrix", "LowerMatrix", "UpperMatrix", "Workspace"};
  const clang::TemplateDecl *const made = templateOf(parameter->getType());
  const auto *space = made ? llvm::dyn_cast<clang::NamespaceDecl>(made->getDeclContext()) : nullptr;
  return space && space->getName() == "tla" && llvm::is_contained(kinds, made->getName());
}

class Marker : public clang::RecursiveASTVisitor<Marker> {
public:
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (!function->hasAttr<clang::AlwaysInlineAttr>() && !function->hasAttr<clang::OptimizeNoneAttr>() &&
        std::ranges::any_of(function->parameters(), isMatrix)) {
      function->addAttr(clang::OptimizeNoneAttr::CreateImplicit(function->getASTContext()));
      if (!function->hasAttr<clang::NoInlineAttr>()) // the one demands the other
        function->addAttr(clang::NoInlineAttr::CreateImplicit(function->getASTContext()));
    }
    return true;
  }
};

/// Before anything is instantiated, which copies the marks.
class MarkingConsumer : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *const each : group)
      Marker().TraverseDecl(each);
    return true;
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> leaveSerialElision(std::unique_ptr<clang::ASTConsumer> then) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<MarkingConsumer>());
  consumers.push_back(std::move(then));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

} // namespace hetc::backend
