#include "runtime/device/emulated/emulated_options.hpp"

#include "runtime/device/option_text.hpp"

#include <tla/runtime/error.hpp>

namespace tla::runtime {
namespace {

using namespace option;

constexpr int maxAccelerators = 62;
constexpr std::string_view prefix = "emulated:";

class Reader {
public:
  explicit Reader(int rank) : rank_(rank) {}

  std::vector<EmulatedOptions> read(std::string_view text) {
    text.remove_prefix(prefix.size());
    const std::string_view count = cut(text, ',');
    const auto N = number<int>(count, 1, maxAccelerators);
    if (!N)
      wrong("'" + std::string(count) + "' is no number of emulated accelerators from 1 to " +
            std::to_string(maxAccelerators));
    for (int i = 0; i < *N; ++i) {
      accelerators_.emplace_back();
      accelerators_.back().number = i;
    }
    while (!text.empty())
      readOption(cut(text, ','));
    for (EmulatedOptions &accelerator : accelerators_)
      accelerator.gigaflopsPerSecond *= factor_;
    return std::move(accelerators_);
  }

private:
  void readOption(std::string_view option) {
    std::string_view value = option;
    const std::string_view name = cut(value, '=');
    if (name == "mem") {
      const auto bytes = byteSize(value);
      if (!bytes)
        wrong("'" + std::string(value) + "' is no memory size; examples are 16M and 1.5G");
      return setAll(&EmulatedOptions::memoryBytes, *bytes);
    }
    if (name == "speed")
      return readEach(value, "speed", " in Gflop/s", 1e9, &EmulatedOptions::gigaflopsPerSecond);
    if (name == "bw")
      return readEach(value, "bandwidth", " in GB/s", 1e15, &EmulatedOptions::gigabytesPerSecond);
    if (name == "lat")
      return readPositive(value, "latency in microseconds", &EmulatedOptions::latencySeconds, 1e-6);
    if (name == "together")
      return readTogether(value);
    if (name == "ranks")
      return readRanks(value);
    if (name == "fail")
      return readFault(value);
    wrong("emulated accelerators have no option '" + std::string(name) +
          "'; there are mem, speed, bw, lat, together, ranks, fail");
  }

  void readPositive(std::string_view text, const char *what, double EmulatedOptions::*member, double unit) {
    const auto value = number<double>(text, 0, 1e15);
    if (!value || *value <= 0)
      wrong("'" + std::string(text) + "' is no " + what + " above 0");
    setAll(member, *value * unit);
  }

  std::vector<double> readList(std::string_view list, const std::string &what, double most) {
    std::vector<double> values;
    do {
      const std::string_view text = cut(list, ':');
      const auto value = number<double>(text, 0, most);
      if (!value || *value <= 0)
        wrong("'" + std::string(text) + "' is no " + what + " above 0");
      values.push_back(*value);
    } while (!list.empty());
    return values;
  }

  void readRanks(std::string_view list) {
    const std::vector<double> factors = readList(list, "factor of a rank's speed", 1e6);
    factor_ = factors[rank_ % factors.size()];
  }

  /// One for each accelerator, again from the first where there are fewer.
  void readEach(std::string_view list, const std::string &what, const std::string &unit, double most,
                double EmulatedOptions::*member) {
    const std::vector<double> values = readList(list, what + unit, most);
    if (values.size() > accelerators_.size())
      wrong(std::to_string(values.size()) + " " + what + "s for " + std::to_string(accelerators_.size()) +
            " emulated accelerators");
    for (std::size_t i = 0; i < accelerators_.size(); ++i)
      accelerators_[i].*member = values[i % values.size()];
  }

  void readTogether(std::string_view text) {
    const std::string whole(text);
    const auto tasks = number<int>(cut(text, ':'), 1, 64);
    const auto operations = text.empty() ? std::optional(HUGE_VAL) : number<double>(text, 1, 1e15);
    if (!tasks || !operations)
      wrong("'" + whole + "' does not say how many tasks, 1 to 64, one launch takes; examples are 8 and 8:1e6, " +
            "with no more once they have so many operations");
    setAll(&EmulatedOptions::tasksTogether, *tasks);
    setAll(&EmulatedOptions::operationsTogether, *operations);
  }

  void readFault(std::string_view text) {
    const std::string whole(text);
    const std::string_view kind = cut(text, ':');
    std::string_view where = text;
    const auto nth = number<int>(cut(where, '@'), 1, 1 << 30);
    const auto which =
        where.empty() ? std::optional(-1) : number<int>(where, 0, static_cast<int>(accelerators_.size()) - 1);
    int EmulatedOptions::*const member = kind == "kernel"   ? &EmulatedOptions::failKernel
                                         : kind == "copy"   ? &EmulatedOptions::failCopy
                                         : kind == "memory" ? &EmulatedOptions::failAllocation
                                                            : nullptr;
    if (!member || !nth || !which)
      wrong("'" + whole + "' is no fault; examples are kernel:3, copy:1 and memory:2@0");
    if (*which < 0)
      return setAll(member, *nth);
    accelerators_[*which].*member = *nth;
  }

  template <typename Value> void setAll(Value EmulatedOptions::*member, Value value) {
    for (EmulatedOptions &accelerator : accelerators_)
      accelerator.*member = value;
  }
  [[noreturn]] static void wrong(const std::string &message) { throw UsageError(message); }

  std::vector<EmulatedOptions> accelerators_;
  const int rank_;
  double factor_ = 1;
};

} // namespace

std::vector<EmulatedOptions> parseEmulated(const std::string &text, int rank) {
  if (!text.starts_with(prefix))
    throw UsageError("'" + text + "' is no emulated:N");
  return Reader(rank).read(text);
}

} // namespace tla::runtime
