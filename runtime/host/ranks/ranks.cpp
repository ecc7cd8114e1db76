#include "runtime/host/ranks/ranks.hpp"

#include "dsl/base/hash.hpp"
#include "runtime/host/ranks/packed_text.hpp"
#include "runtime/transport/transport.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <sched.h>
#include <string_view>
#include <unistd.h>

namespace tla::host {
namespace {

std::string hostName() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

/// A hexadecimal digit for each four processors, up to the last that this process may use: all ranks get it from all.
std::string usableProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0)
    return std::string(CPU_SETSIZE / 4, 'f');
  std::string digits;
  for (int first = 0; first < CPU_SETSIZE; first += 4) {
    int digit = 0;
    for (int bit = 0; bit < 4; ++bit)
      digit |= CPU_ISSET(first + bit, &set) ? 1 << bit : 0;
    digits += "0123456789abcdef"[digit];
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

int valueOf(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

bool overlap(std::string_view a, std::string_view b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (valueOf(a[i]) & valueOf(b[i]))
      return true;
  return false;
}
} // namespace

Ranks::Ranks() = default;
Ranks::Ranks(std::shared_ptr<runtime::Transport> transport) : transport_(std::move(transport)) {}
Ranks::~Ranks() = default;

int Ranks::rank() const { return alone() ? 0 : transport_->rank(); }
int Ranks::size() const { return alone() ? 1 : transport_->size(); }

void Ranks::agree() {
  if (alone())
    return;
  if (Failure failure = meet({}); failure.code != 0)
    throw RankFailure{std::move(failure)};
}

void Ranks::sum(double *values, std::size_t count) {
  agree();
  if (!alone())
    transport_->sum(values, count);
}
void Ranks::sum(std::vector<double> &values) { sum(values.data(), values.size()); }
void Ranks::sum(std::vector<std::complex<double>> &values) {
  sum(reinterpret_cast<double *>(values.data()), 2 * values.size()); // [complex.numbers.general]: an array of two
}

/// By bytes that all ranks get and add up in the order of the ranks: no transport sums up more than doubles.
template <typename Number> static void sumOfBytes(Ranks &ranks, std::vector<Number> &values) {
  const std::vector<std::string> parts =
      ranks.exchange({reinterpret_cast<const char *>(values.data()), values.size() * sizeof(Number)});
  if (ranks.alone())
    return;
  std::ranges::fill(values, Number(0));
  for (const std::string &part : parts)
    for (std::size_t i = 0; i < values.size(); ++i) {
      Number number;
      std::memcpy(&number, part.data() + i * sizeof number, sizeof number);
      values[i] += number;
    }
}
void Ranks::sum(std::vector<long double> &values) { sumOfBytes(*this, values); }
void Ranks::sum(std::vector<std::complex<long double>> &values) { sumOfBytes(*this, values); }

double Ranks::largest(double value) {
  agree();
  if (!alone())
    transport_->max(&value, 1);
  return value;
}

std::string Ranks::broadcast(std::string text) {
  agree();
  if (!alone())
    broadcastNow(text);
  return text;
}

std::vector<std::string> Ranks::gather(const std::string &bytes) {
  agree();
  return alone() ? std::vector<std::string>{bytes} : gatherNow(bytes);
}

std::vector<std::string> Ranks::exchange(const std::string &text) {
  agree();
  return alone() ? std::vector<std::string>{text} : exchangeNow(text);
}

/// A number and its negative have the same largest magnitude only where all ranks have the number.
bool Ranks::allEqual(const std::string &text) {
  agree();
  if (alone())
    return true;
  const std::string hash = hashOf(text); // 64 bits, of which a double holds 53
  const auto half = [&](std::size_t from) {
    return static_cast<double>(std::stoul(hash.substr(from, 8), nullptr, 16));
  };
  double values[] = {half(0), -half(0), half(8), -half(8)};
  transport_->max(values, std::size(values));
  return values[0] == -values[1] && values[2] == -values[3];
}

Failure Ranks::settle(Failure mine) {
  if (alone())
    return mine;
  try {
    return meet(mine);
  } catch (const Error &error) { // the transport has failed
    abort({mine.code, mine.message + " (" + error.what() + ")"});
  }
}

void Ranks::abort(const Failure &failure) {
  std::fprintf(stderr, "hetc: rank %d: %s\n", rank(), failure.message.c_str());
  transport_->abort(failure.code);
  std::_Exit(failure.code); // not reached
}

/// One number tells whether there is anything to say, which there hardly ever is.
Failure Ranks::meet(const Failure &mine) {
  double worst = mine.code;
  transport_->max(&worst, 1);
  if (worst == 0)
    return {};
  const std::vector<std::string> all = exchangeNow(mine.code ? std::to_string(mine.code) + " " + mine.message : "");
  const auto failed = std::ranges::find_if(all, [](const std::string &text) { return !text.empty(); });
  const auto rank = failed - all.begin();
  Failure failure{std::atoi(failed->c_str()), failed->substr(failed->find(' ') + 1)};
  if (rank > 0 && failure.code < Failure::firstSignal)
    failure.message = "rank " + std::to_string(rank) + ": " + failure.message;
  return failure;
}

std::vector<std::string> Ranks::gatherNow(const std::string &bytes) {
  std::vector<std::string> parts;
  for (const std::vector<std::byte> &part : transport_->gather(bytes.data(), bytes.size(), 0))
    parts.emplace_back(reinterpret_cast<const char *>(part.data()), part.size());
  return parts;
}

std::vector<std::string> Ranks::exchangeNow(const std::string &text) {
  std::string packed;
  for (const std::string &part : gatherNow(text))
    appendPart(packed, part);
  broadcastNow(packed);
  return partsOf(packed);
}

void Ranks::broadcastNow(std::string &text) {
  std::size_t size = text.size();
  transport_->broadcast(&size, sizeof size, 0);
  text.resize(size);
  transport_->broadcast(text.data(), size, 0);
}

/// How a failure of one rank is told to the others.
enum Code : int { Usage = 2, Fault = 4, NoMemory = 5 };

static Failure failureOf(const std::function<void()> &body) {
  try {
    body();
    return {};
  } catch (const UsageError &error) {
    return {Usage, error.what()};
  } catch (const std::bad_alloc &) {
    return {NoMemory, "out of memory"};
  } catch (const std::exception &error) {
    return {Fault, error.what()};
  }
}

void onAllRanks(Ranks &ranks, const std::function<void()> &body) {
  Failure first;
  try {
    first = ranks.settle(failureOf(body));
  } catch (const RankFailure &others) { // found by a collective of the body
    first = others;
  }
  if (first.code == 0)
    return;
  if (first.code == Usage)
    throw UsageError(first.message);
  if (first.code == NoMemory)
    throw std::bad_alloc();
  throw Error(first.message);
}

Neighbours findNeighbours(Ranks &ranks) {
  const std::string host = hostName(), processors = usableProcessors();
  Neighbours found{-1, 0, 0};
  const std::vector<std::string> all = ranks.exchange(processors + ' ' + host);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::string_view theirs = all[rank];
    const std::size_t end = theirs.find(' ');
    if (theirs.substr(end + 1) != host)
      continue;
    if (found.first < 0)
      found.first = static_cast<int>(rank);
    ++found.onMachine;
    found.onTheseCores += overlap(theirs.substr(0, end), processors);
  }
  return found;
}

} // namespace tla::host
