// Which cores this process may use, and binding threads to them. The only user of hwloc.
#pragma once

#include <memory>
#include <vector>

namespace tla::runtime {

/// The physical cores that the calling thread may run on: the machine's, less what a cpuset or an affinity mask takes
/// away; hyperthreads of one core count once. The machine is explored at the first construction in the process (about
/// 1 ms), the mask of the calling thread is read at each.
class UsableCores {
public:
  UsableCores();
  ~UsableCores();
  /// How many cores there are, at least 1.
  int count() const;
  /// Binds the calling thread to core number (start + index) modulo count().
  void bind(int index) const;
  /// Numbers cores from the one on which the calling thread runs now, so that index 0 does not move it.
  void startHere();

private:
  struct Set;
  std::vector<std::unique_ptr<Set>> cores_;
  int start_ = 0;
};

/// Keeps the affinity of the calling thread: restored by the destructor, on the same thread.
class AffinityGuard {
public:
  AffinityGuard();
  ~AffinityGuard();
  AffinityGuard(const AffinityGuard &) = delete;
  AffinityGuard &operator=(const AffinityGuard &) = delete;

private:
  struct Mask;
  std::unique_ptr<Mask> mask_;
};

} // namespace tla::runtime
