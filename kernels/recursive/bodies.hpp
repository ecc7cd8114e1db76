// The definition of setBodies, which brings in all bodies. After the products of a back-end.
#pragma once

#include "kernels/recursive/nopiv.hpp"
#include "kernels/recursive/potrf.hpp"
#include "kernels/recursive/qr_panel.hpp"
#include "kernels/recursive/qr_tile.hpp"
#include "kernels/recursive/table.hpp"
#include "kernels/recursive/tournament.hpp"
#include "kernels/recursive/triangular.hpp"

namespace tla::kernels::recursive {

template <typename T> void setBodies(KernelTable<T> &table, const char *name) {
  table.potrf = {&recursive::potrf<T>, name};
  table.trsm = {&recursive::trsm<T>, name};
  table.syrk = {&products::syrk<T>, name};
  table.herk = {&products::herk<T>, name};
  table.gemm = {&products::gemm<T>, name};

  table.symm = {&products::symm<T>, name};
  table.hemm = {&products::hemm<T>, name};
  table.gemmt = {&products::gemmt<T>, name};
  table.trmm = {&recursive::trmm<T>, name};
  table.trtri = {&recursive::trtri<T>, name};
  table.lauum = {&recursive::lauum<T>, name};
  table.hetrf_nopiv = {&recursive::hetrf_nopiv<T>, name};

  table.getrf = {&recursive::getrf<T>, name};
  table.laswp = {&recursive::laswp<T>, name};
  table.laswpAll = {&recursive::laswpAll<T>, name};
  table.geqrf = {&recursive::geqrf<T>, name};
  table.larft = {&recursive::larft<T>, name};
  table.larfb = {&recursive::larfb<T>, name};
  table.copyUnitLower = {&recursive::copyUnitLower<T>, name};
  table.geqrt = {&recursive::geqrt<T>, name};
  table.unmqr = {&recursive::unmqr<T>, name};
  table.tsqrt = {&recursive::tsqrt<T>, name};
  table.tsmqr = {&recursive::tsmqr<T>, name};
  table.ttqrt = {&recursive::ttqrt<T>, name};
  table.ttmqr = {&recursive::ttmqr<T>, name};
  table.getrf_nopiv = {&recursive::getrf_nopiv<T>, name};
  table.tournamentSelect = {&recursive::tournamentSelect<T>, name};
  table.tournamentMatch = {&recursive::tournamentMatch<T>, name};
}

} // namespace tla::kernels::recursive
