// The table as it is before any back-end is installed.
#pragma once

#include "kernels/reference/reference.hpp"

#include <tla/kernels/table.hpp>

namespace tla::kernels {

template <typename T>
inline constexpr KernelTable<T> referenceTable = {
    .potrf = {&reference::potrf<T>, "reference"},
    .trsm = {&reference::trsm<T>, "reference"},
    .syrk = {&reference::syrk<T>, "reference"},
    .herk = {&reference::herk<T>, "reference"},
    .gemm = {&reference::gemm<T>, "reference"},
    .scal = {&reference::scal<T>, "reference"},
};

} // namespace tla::kernels
