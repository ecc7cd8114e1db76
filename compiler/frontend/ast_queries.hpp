// What the front end asks of Clang's nodes.
#pragma once

#include <clang/AST/ExprCXX.h>

#include <string>

namespace hetc::frontend {

/// A kernel's name as generated code calls it: with namespaces, but no anonymous ones.
std::string calledName(const clang::FunctionDecl &callee);

/// Whether tla::conjTrans is called.
bool isConjTrans(const clang::CallExpr &call);

/// Whether std::swap or tla::swap is called with matrices.
bool isSwap(const clang::CallExpr &call);

/// The expression without parentheses, implicit nodes and copies of DSL values.
const clang::Expr &strip(const clang::Expr &expr);

/// The variable that the expression names; null: it is none.
const clang::VarDecl *variableOf(const clang::Expr &expr);

} // namespace hetc::frontend
