#include "runtime/device/virtual/machine_profile.hpp"

#include "dsl/base/shallow_json.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace tla::runtime {
namespace {

using Json = nlohmann::json;

/// One object of a profile. Each member is asked for once; done() finds those that nobody has asked for.
class Members {
public:
  Members(const Json &object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object())
      throw std::runtime_error((path_.empty() ? "the profile" : path_) + " is no object");
  }

  const Json *find(const std::string &name) {
    asked_.insert(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json &get(const std::string &name) {
    const Json *const value = find(name);
    if (!value)
      throw std::runtime_error(place(name) + " is missing");
    return *value;
  }
  Members object(const std::string &name) { return {get(name), place(name)}; }
  std::string text(const std::string &name) {
    const Json &value = get(name);
    if (!value.is_string())
      throw std::runtime_error(place(name) + " is no text");
    return value.get<std::string>();
  }
  /// In (0, most], times `unit`.
  double positive(const std::string &name, double most, double unit = 1) {
    const Json &value = get(name);
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number > 0 && number <= most))
      throw std::runtime_error(place(name) + " is " + value.dump() + "; it must be above 0, and at most " +
                               Json(most).dump());
    return number * unit;
  }
  /// The same, or 0 where there is none.
  double positiveOrNone(const std::string &name, double most, double unit = 1) {
    return object_.contains(name) ? positive(name, most, unit) : (asked_.insert(name), 0);
  }
  int count(const std::string &name, int most) {
    const double number = positive(name, most);
    if (number != std::floor(number))
      throw std::runtime_error(place(name) + " is " + Json(number).dump() + "; it must be a whole number");
    return static_cast<int>(number);
  }
  template <typename Visit> void forEach(Visit &&visit) {
    for (const auto &[name, value] : object_.items()) {
      asked_.insert(name);
      visit(name);
    }
  }
  void done() const {
    for (const auto &[name, value] : object_.items())
      if (!asked_.contains(name))
        throw std::runtime_error(place(name) + " is nothing that a profile has");
  }
  std::string place(const std::string &name) const { return path_.empty() ? name : path_ + "." + name; }

private:
  const Json &object_;
  const std::string path_;
  std::set<std::string> asked_;
};

std::map<char, double> ratesFrom(Members members) {
  std::map<char, double> rates;
  for (const char type : {'s', 'd', 'c', 'z'})
    if (members.find(std::string(1, type)))
      rates[type] = members.positive(std::string(1, type), 1e9, 1e9);
  members.done();
  if (rates.empty())
    throw std::runtime_error(members.place("d") + " is missing");
  return rates;
}

KernelTable kernelsFrom(Members members) {
  KernelTable kernels;
  members.forEach([&](const std::string &name) {
    Members figures = members.object(name);
    KernelFigures &kernel = kernels[name];
    kernel.efficiency = figures.positive("efficiency", 4);
    if (figures.find("columnsPerStep"))
      kernel.columnsPerStep = figures.count("columnsPerStep", 1 << 20);
    if (figures.find("innerBlock"))
      kernel.innerBlock = figures.count("innerBlock", 4096);
    if (kernel.columnsPerStep && kernel.innerBlock)
      throw std::runtime_error(members.place(name) + " has columnsPerStep and innerBlock; it must be one of the two");
    figures.done();
  });
  return kernels;
}

/// {"gemm": {"64": seconds}}
SecondsTable secondsFrom(Members members) {
  SecondsTable all;
  members.forEach([&](const std::string &kernel) {
    Members sizes = members.object(kernel);
    sizes.forEach([&](const std::string &size) {
      int nb = 0;
      const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), nb);
      if (error != std::errc() || end != size.data() + size.size() || nb < 1)
        throw std::runtime_error(sizes.place(size) + ": the size of tiles must be a number");
      all[kernel][nb] = sizes.positive(size, 1e6);
    });
    if (all[kernel].empty())
      throw std::runtime_error(members.place(kernel) + " has no sizes");
  });
  return all;
}

MachineProfile::Device deviceFrom(Members device) {
  const MachineProfile::Device result{.model = device.text("model"),
                                      .count = device.count("count", 63),
                                      .memory = device.positive("memoryGB", 1e6, 1e9),
                                      .rates = ratesFrom(device.object("gflops")),
                                      .multiprocessors = device.count("multiprocessors", 100000),
                                      .block = device.count("block", 4096),
                                      .halfDepth = device.positive("halfDepth", 100000),
                                      .bandwidth = device.positive("bandwidthGBs", 1e6, 1e9),
                                      .launch = device.positive("launchUs", 1e6, 1e-6),
                                      .streams = device.count("streams", 1024),
                                      .kernels = kernelsFrom(device.object("kernels"))};
  device.done();
  return result;
}

MachineProfile::Links linksFrom(Members links) {
  const MachineProfile::Links result{.in = links.positive("inGBs", 1e5, 1e9),
                                     .out = links.positive("outGBs", 1e5, 1e9),
                                     .latency = links.positive("latencyUs", 1e6, 1e-6),
                                     .together = links.positive("togetherGBs", 1e6, 1e9),
                                     .peer = links.positiveOrNone("peerGBs", 1e5, 1e9),
                                     .peerLatency = links.positiveOrNone("peerLatencyUs", 1e6, 1e-6)};
  links.done();
  return result;
}

MachineProfile profileFrom(const Json &json) {
  MachineProfile profile;
  Members all(json, "");
  profile.name = all.text("name");
  profile.description = all.text("description");
  for (const Json &source : all.get("sources"))
    profile.sources.push_back(source.is_string() ? source.get<std::string>() : source.dump());

  Members host = all.object("host");
  profile.host = {.model = host.text("model"),
                  .cores = host.count("cores", 4096),
                  .rates = ratesFrom(host.object("gflops")),
                  .halfSize = host.positive("halfSize", 10000),
                  .bandwidth = host.positive("bandwidthGBs", 1e5, 1e9),
                  .kernels = kernelsFrom(host.object("kernels"))};
  if (!profile.host.kernels.contains("other"))
    throw std::runtime_error("host.kernels.other is missing: what holds for kernels that it does not name");
  if (host.find("seconds")) {
    Members types = host.object("seconds");
    for (const char type : {'s', 'd', 'c', 'z'})
      if (types.find(std::string(1, type)))
        profile.host.seconds[type] = secondsFrom(types.object(std::string(1, type)));
    types.done();
  }
  host.done();

  if (all.find("device") || all.find("links")) {
    profile.device = deviceFrom(all.object("device"));
    profile.links = linksFrom(all.object("links"));
  }
  if (all.find("network")) {
    Members network = all.object("network");
    profile.network = {.model = network.text("model"),
                       .bandwidth = network.positive("portGBs", 1e5, 1e9),
                       .latency = network.positive("latencyUs", 1e6, 1e-6)};
    network.done();
  }
  all.done();
  return profile;
}

} // namespace

std::optional<MachineProfile> parseProfile(const std::string &json, std::string &error) {
  try {
    const Json content = parseShallow(json);
    if (content.is_discarded())
      throw std::runtime_error("it is no JSON");
    return profileFrom(content);
  } catch (const std::exception &failure) {
    error = failure.what();
    return std::nullopt;
  }
}

std::optional<MachineProfile> findProfile(const std::string &nameOrFile, std::string &error) {
  std::string json, why;
  if (const auto known = knownProfiles().find(nameOrFile); known != knownProfiles().end()) {
    json = known->second;
  } else if (std::ifstream in(nameOrFile); nameOrFile.find_first_of("./") != nameOrFile.npos && in) {
    std::ostringstream text;
    text << in.rdbuf();
    json = text.str();
  } else {
    error = "'" + nameOrFile + "' is neither a profile that hetc knows nor a file; there are ";
    std::string separator;
    for (const auto &[name, text] : knownProfiles())
      error += std::exchange(separator, ", ") + name;
    return std::nullopt;
  }
  auto profile = parseProfile(json, why);
  if (!profile)
    error = nameOrFile + ": " + why;
  return profile;
}

} // namespace tla::runtime
