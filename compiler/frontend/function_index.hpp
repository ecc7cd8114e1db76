// Which functions of a translation unit a pragma may stand before, and which calls.
#pragma once

#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>

#include <map>
#include <set>
#include <vector>

namespace hetc::frontend {

/// Functions of the translation unit by the place of their first token: what a pragma may stand before. By hand:
/// clang::RecursiveASTVisitor, of which this needs little, takes half a minute to compile.
class FunctionIndex {
public:
  void add(const clang::DeclContext &scope) {
    for (clang::Decl *decl : scope.decls())
      if (!decl->isImplicit())
        addDecl(*decl);
  }

  std::map<clang::SourceLocation, clang::FunctionDecl *> byBegin;
  std::set<clang::SourceLocation> calls;

private:
  void addDecl(clang::Decl &decl) {
    if (auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&decl)) {
      byBegin.emplace(decl.getBeginLoc(), pattern->getTemplatedDecl());
      return addInside(*pattern->getTemplatedDecl());
    }
    if (auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(&decl)) {
      if (pattern->getTemplatedDecl())
        addInside(*pattern->getTemplatedDecl());
      return;
    }
    if (auto *friendship = llvm::dyn_cast<clang::FriendDecl>(&decl)) {
      if (friendship->getFriendDecl())
        addDecl(*friendship->getFriendDecl());
      return;
    }
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl))
      byBegin.emplace(decl.getBeginLoc(), function);
    addInside(decl);
  }
  void addInside(clang::Decl &decl) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
        function && function->doesThisDeclarationHaveABody())
      addCalls(function->getBody());
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl))
      addCalls(variable->getInit());
    if (auto *scope = llvm::dyn_cast<clang::DeclContext>(&decl))
      add(*scope);
  }
  void addCalls(clang::Stmt *body) {
    std::vector<clang::Stmt *> open = {body};
    while (!open.empty()) {
      clang::Stmt *const statement = open.back();
      open.pop_back();
      if (!statement)
        continue;
      if (llvm::isa<clang::CallExpr>(statement))
        calls.insert(statement->getBeginLoc());
      open.insert(open.end(), statement->child_begin(), statement->child_end());
    }
  }
};

} // namespace hetc::frontend
