// Everything a .tla file sees: matrices, tiles, the standard kernels, and LAPACK's names for their options.
// Kept light on purpose: no heavy standard header, so that a cold hetc run spends its time elsewhere.
#pragma once

#include <tla/kernels/kernels.hpp>
#include <tla/matrix.hpp>
#include <tla/names.hpp>
#include <tla/value.hpp>
