#include "tests/unit/runtime/transport/conformance.hpp"
#include "tests/unit/runtime/transport/port.hpp"

#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <exception>
#include <random>
#include <set>
#include <thread>

namespace tla::runtime {

namespace {
using namespace std::chrono_literals;

std::string describe(const Port::Received &message) {
  return "message of " + std::to_string(message.data.size()) + " bytes with tag " + std::to_string(message.tag) +
         " from rank " + std::to_string(message.source);
}

/// Everything that this rank sends and `receives` more messages are finished; nobody's next step comes before.
void settle(Transport &transport, Port &port, int receives) {
  port.pollUntil("sends and " + std::to_string(receives) + " receives", [&] {
    require(port.receivesComplete() <= receives, "more messages came in than were sent");
    return port.sendsOutstanding() == 0 && port.receivesComplete() == receives;
  });
  transport.barrier();
}

/// 4, 5, 6: the bytes that were sent, once, to oneself too.
void bytesAreIntact(Transport &transport) {
  for (const std::size_t bytes : {0ul, 1ul, 4095ul, 4096ul, 65537ul, 8ul << 20}) {
    Port port(transport);
    const auto seed = [&](int source, int destination) { return static_cast<unsigned>(100 * source + destination); };
    for (int rank = 0; rank < transport.size(); ++rank)
      port.send(rank, 5, pattern(bytes, seed(transport.rank(), rank)));
    settle(transport, port, transport.size());
    for (const Port::Received &message : port.received())
      require(message.data == pattern(bytes, seed(message.source, transport.rank())), describe(message) + " changed");
  }
}

void manyMessagesBothWays(Transport &transport) {
  constexpr int count = 1000;
  Port port(transport);
  for (int i = 0; i < count; ++i)
    for (int rank = 0; rank < transport.size(); ++rank)
      if (rank != transport.rank())
        port.send(rank, i, pattern(i % 300, i));
  settle(transport, port, count * (transport.size() - 1));
  std::vector<int> seen(transport.size() * count);
  for (const Port::Received &message : port.received()) {
    require(message.data == pattern(message.tag % 300, message.tag), describe(message) + " changed");
    require(++seen[message.source * count + message.tag] == 1, describe(message) + " came twice");
  }
}

/// 4: nothing finishes at the sender before the receiver has called receive().
void sendsAreSynchronous(Transport &transport) {
  for (const std::size_t bytes : {8ul, 100ul << 10}) {
    Port port(transport);
    port.holdBack(true);
    if (transport.rank() == 0) {
      port.send(1, 1, pattern(bytes, 1));
      require(port.waitForControl().second == "it is announced", "another control message than was sent");
      for (int i = 0; i < 50; ++i, std::this_thread::sleep_for(1ms)) {
        port.poll();
        require(port.sendsOutstanding() == 1, "a send finished before it was received");
      }
      port.sendControl(1, "receive");
      port.pollUntil("a send", [&] { return port.sendsOutstanding() == 0; });
    } else if (transport.rank() == 1) {
      port.pollUntil("an announcement", [&] { return port.announcements().size() == 1; });
      require(port.announcements()[0].bytes == bytes, "the announcement has the wrong length");
      port.sendControl(0, "it is announced");
      port.waitForControl();
      port.receive(port.announcements()[0]);
      port.pollUntil("a receive", [&] { return port.receivesComplete() == 1; });
    }
    transport.barrier();
  }
}

/// 6: the receiver chooses the order.
void receivesInAnyOrder(Transport &transport) {
  constexpr int count = 20;
  Port port(transport);
  port.holdBack(true);
  const int next = (transport.rank() + 1) % transport.size();
  for (int i = 0; i < count; ++i)
    port.send(next, i, pattern(i * 1000, i));
  port.pollUntil("announcements", [&] { return port.announcements().size() == count; });
  for (int i = count; i-- > 0;)
    port.receive(port.announcements()[i]);
  settle(transport, port, count);
  for (const Port::Received &message : port.received())
    require(message.data == pattern(message.tag * 1000, message.tag), describe(message) + " changed");
}

/// 8, and the same tag several times.
void tagsAreKept(Transport &transport) {
  Port port(transport);
  const std::uint32_t tags[] = {0, 1, 77, 1u << 29, Transport::tags - 1, 77};
  const int next = (transport.rank() + 1) % transport.size();
  for (const std::uint32_t tag : tags)
    port.send(next, tag, pattern(10, tag));
  settle(transport, port, static_cast<int>(std::size(tags)));
  std::multiset<std::uint32_t> seen;
  for (const Port::Received &message : port.received()) {
    require(message.data == pattern(10, message.tag), describe(message) + " has another message's bytes");
    seen.insert(message.tag);
  }
  require(seen == std::multiset<std::uint32_t>(std::begin(tags), std::end(tags)), "tags changed");
}

/// 7: lengths from 0 to the limit, in order per pair.
void controlIsInOrder(Transport &transport) {
  constexpr int count = 500;
  const auto text = [](int source, int i) {
    return std::string((i * 37 + source) % (Transport::controlBytes + 1), static_cast<char>('a' + i % 26));
  };
  Port port(transport);
  for (int i = 0; i < count; ++i)
    for (int rank = 0; rank < transport.size(); ++rank)
      port.sendControl(rank, text(transport.rank(), i));
  std::vector<int> next(transport.size());
  for (int i = 0; i < count * transport.size(); ++i) {
    const auto [source, received] = port.waitForControl();
    require(received == text(source, next[source]++), "a control message is out of order or changed");
  }
  transport.barrier();
}

/// 7: while data waits to be received, in plenty.
void controlPassesData(Transport &transport) {
  constexpr int messages = 40;
  constexpr std::size_t bytes = 300000;
  Port port(transport);
  port.holdBack(true);
  const bool talks = transport.rank() < 2;
  if (talks) {
    const int peer = 1 - transport.rank();
    for (int i = 0; i < messages; ++i)
      port.send(peer, i, pattern(bytes, i));
    for (int i = 0; i < 100; ++i) {
      port.sendControl(peer, std::to_string(i));
      require(port.waitForControl().second == std::to_string(i), "a control message is out of order");
    }
    port.pollUntil("announcements", [&] { return port.announcements().size() == messages; });
    for (const Announcement &message : port.announcements())
      port.receive(message);
  }
  settle(transport, port, talks ? messages : 0);
  for (const Port::Received &message : port.received())
    require(message.data == pattern(bytes, message.tag), describe(message) + " changed");
}

void broadcastsArrive(Transport &transport) {
  for (int root = 0; root < transport.size(); ++root)
    for (const std::size_t bytes : {0ul, 1ul, 100001ul}) {
      Bytes data = transport.rank() == root ? pattern(bytes, root) : Bytes(bytes);
      transport.broadcast(data.data(), bytes, root);
      require(data == pattern(bytes, root), "a broadcast changed its bytes");
    }
}

/// Terms that round differently in another order.
void sumsHaveTheSameBits(Transport &transport) {
  const int size = transport.size();
  const auto term = [](int rank, int i) { return std::pow(-1.7, (rank * 7 + i * 3) % 60); };
  std::vector<double> values(100), sums(100);
  for (int i = 0; i < 100; ++i) {
    values[i] = term(transport.rank(), i);
    for (int rank = 0; rank < size; ++rank)
      sums[i] += term(rank, i);
  }
  transport.sum(values.data(), values.size());
  for (int i = 0; i < 100; ++i)
    require(std::abs(values[i] - sums[i]) <= 1e-12 * std::pow(1.7, 60), "a sum is wrong");
  const auto all = transport.gather(values.data(), values.size() * sizeof(double), 0);
  require(static_cast<int>(all.size()) == (transport.rank() == 0 ? size : 0), "gather gives something off its root");
  for (const Bytes &other : all)
    require(other == all[0], "a sum has different bits on two ranks");
}

void maximaAndGathersArrive(Transport &transport) {
  const int rank = transport.rank(), last = transport.size() - 1;
  double values[] = {double(rank), -double(rank), rank == 1 ? 7e300 : -7e300};
  transport.max(values, 3);
  require(values[0] == last && values[1] == 0 && values[2] == 7e300, "a maximum is wrong");
  transport.max(nullptr, 0);
  for (int root = 0; root <= last; ++root) {
    const Bytes own = pattern(rank * 5000, rank);
    const auto all = transport.gather(own.data(), own.size(), root);
    require(all.size() == (rank == root ? last + 1u : 0u), "gather gives something off its root");
    for (int source = 0; source < static_cast<int>(all.size()); ++source)
      require(all[source] == pattern(source * 5000, source), "gather changed the bytes of a rank");
  }
}

/// 9: who waits for the slowest rank leaves the core to others.
void waitingCostsNoCore(Transport &transport) {
  const auto processorTime = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
  };
  const std::pair<const char *, void (*)(Transport &)> collectives[] = {
      {"barrier", [](Transport &transport) { transport.barrier(); }},
      {"broadcast",
       [](Transport &transport) {
         int value = 0;
         transport.broadcast(&value, sizeof value, 0);
       }},
      {"sum",
       [](Transport &transport) {
         double value = 0;
         transport.sum(&value, 1);
       }},
      {"max",
       [](Transport &transport) {
         double value = 0;
         transport.max(&value, 1);
       }},
      {"gather", [](Transport &transport) { transport.gather(nullptr, 0, transport.size() - 1); }},
  };
  for (const auto &[name, collective] : collectives) {
    if (transport.rank() == 0)
      std::this_thread::sleep_for(300ms);
    const double begin = processorTime();
    collective(transport);
    require(processorTime() - begin < 0.1, std::string(name) + " kept a core busy while it waited");
  }
}

/// Random messages between all ranks, some of them waiting, compared by number, bytes and a checksum per pair.
void randomStorm(Transport &transport) {
  const int size = transport.size(), rank = transport.rank();
  const auto checksum = [](std::uint32_t tag, const Bytes &data) {
    std::uint32_t sum = tag;
    for (const std::byte byte : data)
      sum = sum * 31 + std::to_integer<std::uint32_t>(byte);
    return double(sum);
  };
  std::vector<double> sent(3 * size * size), received(3 * size * size);
  const auto note = [&](std::vector<double> &book, int source, int destination, std::uint32_t tag, const Bytes &data) {
    double *entry = &book[3 * (source * size + destination)];
    entry[0] += 1;
    entry[1] += double(data.size());
    entry[2] += checksum(tag, data);
  };

  Port port(transport);
  std::mt19937 random(rank + 1);
  const auto noteReceived = [&] {
    port.poll();
    if (port.receivesComplete() < static_cast<int>(port.received().size()) || port.received().empty())
      return;
    for (const Port::Received &message : port.received())
      note(received, message.source, rank, message.tag, message.data);
    port.forget();
  };
  for (int i = 0; i < 400; ++i) {
    const std::size_t limits[] = {64, 5000, 70000, std::size_t(i % 50 ? 1000 : 3000000)};
    const Bytes data = pattern(random() % limits[random() % 4], random());
    const std::uint32_t tag = random() % Transport::tags;
    const int destination = static_cast<int>(random() % size);
    note(sent, rank, destination, tag, data);
    port.send(destination, tag, data);
    while (port.sendsOutstanding() > 30)
      noteReceived();
  }
  // Who has sent everything goes on receiving until all have: told by control messages.
  int done = 0;
  bool told = false;
  port.pollUntil("the storm's end", [&] {
    noteReceived();
    if (port.sendsOutstanding() == 0 && !told) {
      for (int other = 0; other < size; ++other)
        port.sendControl(other, "done");
      told = true;
    }
    int source;
    for (Bytes text; transport.receiveControl(source, text);)
      ++done;
    return done == size && port.received().empty();
  });
  transport.sum(sent.data(), sent.size());
  transport.sum(received.data(), received.size());
  require(sent == received, "messages were lost, doubled or changed");
}

/// 2: one thread at a time, but any.
void threadsTakeTurns(Transport &transport) {
  const auto exchange = [&](unsigned seed) {
    Port port(transport);
    for (int rank = 0; rank < transport.size(); ++rank)
      port.send(rank, seed, pattern(100000, seed));
    settle(transport, port, transport.size());
    for (const Port::Received &message : port.received())
      require(message.data == pattern(100000, seed), describe(message) + " changed");
  };
  exchange(1);
  std::exception_ptr failure;
  std::thread([&] {
    try {
      exchange(2);
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure)
    std::rethrow_exception(failure);
  exchange(3);
}

constexpr ConformanceCase cases[] = {
    {"bytesAreIntact", bytesAreIntact},
    {"manyMessagesBothWays", manyMessagesBothWays},
    {"sendsAreSynchronous", sendsAreSynchronous},
    {"receivesInAnyOrder", receivesInAnyOrder},
    {"tagsAreKept", tagsAreKept},
    {"controlIsInOrder", controlIsInOrder},
    {"controlPassesData", controlPassesData},
    {"broadcastsArrive", broadcastsArrive},
    {"sumsHaveTheSameBits", sumsHaveTheSameBits},
    {"maximaAndGathersArrive", maximaAndGathersArrive},
    {"waitingCostsNoCore", waitingCostsNoCore},
    {"threadsTakeTurns", threadsTakeTurns},
    {"randomStorm", randomStorm},
};
} // namespace

std::span<const ConformanceCase> conformanceCases() { return cases; }

} // namespace tla::runtime
