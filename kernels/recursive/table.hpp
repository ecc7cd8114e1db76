// The bodies of a back-end that is made of products and recursions.
#pragma once

#include <tla/kernels/table.hpp>

namespace tla::kernels::recursive {

/// Sets the entries that the back-end has a body for; `name` is the back-end's, with static storage. Compiled in
/// bodies_s.cpp and its like of every back-end.
template <typename T> void setBodies(KernelTable<T> &table, const char *name);

} // namespace tla::kernels::recursive
