// A panel of tiles in device code.
#pragma once

#include "kernels/cuda/enqueue.cuh"

namespace tla::kernels::cuda {

/// The tiles of a panel, passed to a kernel by value.
template <typename D> struct PanelView {
  static constexpr int mostTiles = 512;
  int tiles;
  D *data[mostTiles];
  int ld[mostTiles], end[mostTiles]; // end: the row of the panel behind the tile's last

  /// Row i of the panel: the address of its element in column 0, and the distance to the next column.
  __device__ D *row(int i, int &distance) const {
    int low = 0, high = tiles - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (i < end[middle])
        high = middle;
      else
        low = middle + 1;
    }
    distance = ld[low];
    return data[low] + (low ? i - end[low - 1] : i);
  }
};

/// Tiles [first, first + count) of a panel, no more than mostTiles.
template <typename T> PanelView<DeviceType<T>> viewOfPanel(Panel<T> A, int first, int count) {
  PanelView<DeviceType<T>> view;
  view.tiles = count;
  int row = 0;
  for (int r = 0; r < count; ++r) {
    const Tile<T> tile = A(first + r);
    view.data[r] = reinterpret_cast<DeviceType<T> *>(tile.data());
    view.ld[r] = tile.ld();
    view.end[r] = row += tile.m();
  }
  return view;
}

enum class Way { Gather, Scatter };

/// A thread has a row of some columns.
template <typename D> __global__ void copyRowsOfPanel(PanelView<D> panel, View<D> whole, Way way) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= whole.m)
    return;
  int ld;
  D *const row = panel.row(i, ld);
  for (int j = blockIdx.y; j < whole.n; j += gridDim.y) {
    D &part = row[static_cast<long>(j) * ld];
    if (way == Way::Gather)
      whole(i, j) = part;
    else
      part = whole(i, j);
  }
}

/// The tiles of a panel to or from one matrix, by one kernel: beside products each of several would wait for blocks of
/// these to leave.
template <typename T> void copyPanel(Panel<T> A, Tile<T> whole, Way way) {
  constexpr int threads = 256, mostColumns = 32; // blocks side by side
  for (int first = 0, row = 0; first < A.mt() && whole.n() > 0;) {
    const int count = std::min(A.mt() - first, PanelView<DeviceType<T>>::mostTiles);
    const PanelView<DeviceType<T>> view = viewOfPanel(A, first, count);
    const int rows = view.end[count - 1];
    enqueue(dim3((rows + threads - 1) / threads, std::min(whole.n(), mostColumns)), threads, 0,
            copyRowsOfPanel<DeviceType<T>>, view, viewOf<T>(block(whole, row, 0, rows, whole.n())), way);
    first += count;
    row += rows;
  }
}

} // namespace tla::kernels::cuda
