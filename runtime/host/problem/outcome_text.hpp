// What a run that did not finish says of itself.
#pragma once

#include <tla/runtime/executor.hpp>

#include <string>

namespace tla::host {

/// The failure of an outcome (of the kind Numerical or Fault), and the task in which it occurred, where one is known:
/// "cholesky: the leading minor of order 57 is not positive definite (potrf on A(0, 0), cholesky.tla:9)".
std::string failureText(const runtime::Algorithm &algorithm, const runtime::Outcome &outcome);

} // namespace tla::host
