// Matrices in memory that accelerators copy from and to without a detour.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/host/problem/problem.hpp"

#include <string>
#include <vector>

namespace tla::host {

/// Holds the memory of a problem's matrices page-locked, as long as it lives: an accelerator whose back-end can
/// (AcceleratorProperties::pins) then copies tiles at the speed of its link; else each of them goes through a buffer,
/// by a thread that packs it. Lives shorter than the matrices and the accelerators.
class PageLocked {
public:
  PageLocked() = default;
  PageLocked(const PageLocked &) = delete;
  PageLocked &operator=(const PageLocked &) = delete;
  ~PageLocked();

  /// Once, after the matrices were filled: the system takes new pages one by one here, and in parallel there. Does
  /// nothing where no accelerator asks for it. What the system does not allow stays as it is.
  void lock(const Problem &problem, const std::vector<std::unique_ptr<runtime::Accelerator>> &accelerators);
  /// Why a large matrix is not locked (lower case, no full stop); empty: all are, or nobody asked.
  const std::string &obstacle() const { return obstacle_; }

private:
  runtime::Accelerator *accelerator_ = nullptr; // one locks for all of its back-end
  std::vector<void *> locked_;
  std::string obstacle_;
};

} // namespace tla::host
