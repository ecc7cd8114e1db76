#include "runtime/core/schedule/topology.hpp"

#include <hwloc.h>

#include <thread>

namespace tla::runtime {

namespace {
struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// The machine, cores and nothing else: caches, PCI and so on would only cost time. Null when hwloc cannot tell.
hwloc_topology_t machine() {
  static const hwloc_topology_t topology = [] {
    hwloc_topology_t explored = nullptr;
    if (hwloc_topology_init(&explored))
      return hwloc_topology_t(nullptr);
    hwloc_topology_set_all_types_filter(explored, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(explored, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(explored)) {
      hwloc_topology_destroy(explored);
      return hwloc_topology_t(nullptr);
    }
    return explored;
  }();
  return topology;
}

Bitmap currentMask() {
  Bitmap mask(hwloc_bitmap_alloc());
  if (!mask || !machine() || hwloc_get_cpubind(machine(), mask.get(), HWLOC_CPUBIND_THREAD))
    return nullptr;
  return mask;
}
} // namespace

struct UsableCores::Set {
  Bitmap bitmap;
};

UsableCores::UsableCores() {
  const Bitmap mask = currentMask();
  if (!mask)
    return;
  hwloc_obj_t core = nullptr;
  while ((core = hwloc_get_next_obj_by_type(machine(), HWLOC_OBJ_CORE, core))) {
    Bitmap usable(hwloc_bitmap_alloc());
    if (usable && !hwloc_bitmap_and(usable.get(), core->cpuset, mask.get()) && !hwloc_bitmap_iszero(usable.get()))
      cores_.push_back(std::make_unique<Set>(Set{std::move(usable)}));
  }
}

UsableCores::~UsableCores() = default;

int UsableCores::count() const {
  if (!cores_.empty())
    return static_cast<int>(cores_.size());
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  return processors > 0 ? processors : 1;
}

void UsableCores::bind(int index) const {
  if (!cores_.empty()) // best effort: a refusal costs speed, not correctness
    hwloc_set_cpubind(machine(), cores_[(start_ + index) % cores_.size()]->bitmap.get(), HWLOC_CPUBIND_THREAD);
}

void UsableCores::startHere() {
  Bitmap here(hwloc_bitmap_alloc());
  if (!here || !machine() || hwloc_get_last_cpu_location(machine(), here.get(), HWLOC_CPUBIND_THREAD))
    return;
  for (std::size_t core = 0; core < cores_.size(); ++core)
    if (hwloc_bitmap_intersects(cores_[core]->bitmap.get(), here.get()))
      start_ = static_cast<int>(core);
}

struct AffinityGuard::Mask {
  Bitmap bitmap;
};

AffinityGuard::AffinityGuard() : mask_(new Mask{currentMask()}) {}

AffinityGuard::~AffinityGuard() {
  if (mask_->bitmap)
    hwloc_set_cpubind(machine(), mask_->bitmap.get(), HWLOC_CPUBIND_THREAD);
}

} // namespace tla::runtime
