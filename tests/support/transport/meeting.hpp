// Where the ranks of a LocalNetwork meet for a collective.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace tla::runtime {

/// A barrier to which every rank brings some bytes and from which it takes those of all. Thread-safe.
class Meeting {
public:
  using Offers = std::vector<std::vector<std::byte>>; ///< bytes of each rank

  explicit Meeting(int ranks) : offers_(ranks) {}

  /// Waits for all ranks. Null: end() was called.
  std::shared_ptr<const Offers> meet(int rank, const void *data, std::size_t bytes) {
    std::unique_lock hold(lock_);
    const auto *begin = static_cast<const std::byte *>(data);
    offers_[rank].assign(begin, begin + bytes);
    const long generation = generation_;
    if (++present_ == static_cast<int>(offers_.size()))
      close();
    changed_.wait(hold, [&] { return ended_ || generation_ != generation; });
    // Nobody closes the next meeting before this rank has come to it.
    return ended_ ? nullptr : result_;
  }

  void end() {
    const std::lock_guard hold(lock_);
    ended_ = true;
    changed_.notify_all();
  }

private:
  void close() {
    result_ = std::make_shared<const Offers>(std::move(offers_));
    offers_.assign(result_->size(), {});
    present_ = 0;
    ++generation_;
    changed_.notify_all();
  }

  std::mutex lock_;
  std::condition_variable changed_;
  Offers offers_;
  std::shared_ptr<const Offers> result_;
  int present_ = 0;
  long generation_ = 0;
  bool ended_ = false;
};

} // namespace tla::runtime
