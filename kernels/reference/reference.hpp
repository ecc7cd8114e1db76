// The reference bodies: each kernel as a textbook writes it. They define what a kernel means; every other body is
// tested against them.
#pragma once

#include "kernels/reference/copies.hpp"
#include "kernels/reference/gemm.hpp"
#include "kernels/reference/gemmt.hpp"
#include "kernels/reference/getrf.hpp"
#include "kernels/reference/interchanges.hpp"
#include "kernels/reference/nopiv.hpp"
#include "kernels/reference/potrf.hpp"
#include "kernels/reference/qr.hpp"
#include "kernels/reference/rank_k.hpp"
#include "kernels/reference/scal.hpp"
#include "kernels/reference/symm.hpp"
#include "kernels/reference/tournament.hpp"
#include "kernels/reference/triangular.hpp"
#include "kernels/reference/trmm.hpp"
#include "kernels/reference/trsm.hpp"
