// An author's algorithm is in the object file as the plain function that it is, which a check or a serial run calls. It
// calls kernels, and they take its time; the loops that call them are not worth a compiler's.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace hetc::backend {

/// Marks each function that takes one of hetc's matrices, as algorithms do and kernels never: the compiler leaves it as
/// it is written. That halves the time in which a program is compiled, since all that such a function calls would be
/// made part of it, and changes no result. `then` is the consumer that generates code.
std::unique_ptr<clang::ASTConsumer> leaveSerialElision(std::unique_ptr<clang::ASTConsumer> then);

} // namespace hetc::backend
