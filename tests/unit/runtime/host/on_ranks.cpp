#include "tests/unit/runtime/host/on_ranks.hpp"

#include "tests/support/transport/local_network.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace tla::test {

void onRanks(int count, const std::function<void(host::Ranks &)> &body) {
  runtime::LocalNetwork network(count);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      host::Ranks ranks(std::shared_ptr<runtime::Transport>(&network.endpoint(rank), [](auto *) {}));
      EXPECT_NO_THROW(body(ranks)) << "rank " << rank;
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace tla::test
