// The integers that a task records when it is generated, because its kernel call needs them when it runs.
#pragma once

#include "compiler/ir/program.hpp"

namespace hetc::ir {

/// tla::runtime::Generator::append has room for so many.
inline constexpr std::size_t roomForCaptures = 8;

/// Loop variables and sizes in scalar arguments, lengths of panels and of gathered slices, numbers of views that are
/// not constant.
std::size_t countCaptures(const Program &program, const Task &task);

} // namespace hetc::ir
