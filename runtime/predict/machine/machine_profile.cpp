#include "runtime/predict/machine/machine_profile.hpp"

#include "runtime/predict/machine/json_members.hpp"
#include "runtime/predict/machine/profile_text.hpp"

#include <tla/runtime/error.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace tla::runtime {
namespace {

using Json = nlohmann::json;

KernelTable kernelsFrom(Members members) {
  KernelTable kernels;
  members.forEach([&](const std::string &name) {
    Members figures = members.object(name);
    KernelFigures &kernel = kernels[name];
    kernel.efficiency = figures.positive("efficiency", 4);
    if (figures.find("columnsPerStep"))
      kernel.columnsPerStep = figures.count("columnsPerStep", 1 << 20);
    if (figures.find("columnsPerKernel"))
      kernel.columnsPerKernel = figures.count("columnsPerKernel", 1 << 20);
    if (figures.find("kernelsPerTile"))
      kernel.kernelsPerTile = figures.count("kernelsPerTile", 1 << 20);
    if (figures.find("innerBlock"))
      kernel.innerBlock = figures.count("innerBlock", 4096);
    if (kernel.columnsPerStep && kernel.innerBlock)
      throw std::runtime_error(members.place(name) + " has columnsPerStep and innerBlock; it must be one of the two");
    if (kernel.kernelsPerTile && kernel.innerBlock)
      throw std::runtime_error(members.place(name) + " has kernelsPerTile and innerBlock; it must be one of the two");
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

/// By type; empty where there is no such member.
std::map<char, SecondsTable> timesFrom(Members &host, const std::string &name) {
  std::map<char, SecondsTable> times;
  if (!host.find(name))
    return times;
  Members types = host.object(name);
  for (const char type : {'s', 'd', 'c', 'z'})
    if (types.find(std::string(1, type)))
      times[type] = secondsFrom(types.object(std::string(1, type)));
  types.done();
  return times;
}

MachineProfile::Device::Together togetherFrom(Members together) {
  const MachineProfile::Device::Together result{.types = together.text("types"),
                                                .tasks = together.count("tasks", 1024),
                                                .from = together.count("from", 1 << 20),
                                                .to = together.count("to", 1 << 20),
                                                .blockRows = together.count("blockRows", 4096),
                                                .blockColumns = together.count("blockColumns", 4096),
                                                .operations = together.positive("gflop", 1e9, 1e9),
                                                .task = together.positive("taskUs", 1e6, 1e-6)};
  together.done();
  return result;
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
                                      .task = device.positiveOrNone("taskUs", 1e6, 1e-6),
                                      .streams = device.count("streams", 1024),
                                      .wait = device.positiveOrNone("waitUs", 1e6, 1e-6),
                                      .priorities = device.flag("priorities"),
                                      .together = device.find("together") ? togetherFrom(device.object("together"))
                                                                          : MachineProfile::Device::Together{},
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

/// Reads the noise; throws unless members that belong together are there together.
NoiseFigures noiseFrom(Members noise) {
  NoiseFigures figures{.spread = noise.positiveOrNone("spread", 1)};
  if (noise.find("slowBy")) {
    figures.slowBy = noise.positive("slowBy", 100);
    figures.slowSeconds = noise.positive("slowSeconds", 1e6);
    figures.slowEvery = noise.positive("slowEverySeconds", 1e6);
  }
  if (noise.find("mostStopMs")) {
    figures.mostStop = noise.positive("mostStopMs", 1e6, 1e-3);
    figures.leastStop = noise.positive("leastStopMs", figures.mostStop * 1e3, 1e-3);
    figures.stopEvery = noise.positive("stopEverySeconds", 1e6);
  }
  noise.done();
  return figures;
}

MachineProfile profileFrom(const Json &json) {
  MachineProfile profile;
  Members all(json, "", "a profile");
  profile.name = all.text("name");
  profile.description = all.text("description");
  for (const Json &source : all.get("sources"))
    profile.sources.push_back(source.is_string() ? source.get<std::string>() : source.dump());
  profile.watts = all.positiveOrNone("watts", 1e6);

  Members host = all.object("host");
  profile.host = {.model = host.text("model"),
                  .cores = host.count("cores", 4096),
                  .rates = ratesFrom(host.object("gflops")),
                  .halfSize = host.positive("halfSize", 10000),
                  .bandwidth = host.positive("bandwidthGBs", 1e5, 1e9),
                  .kernels = kernelsFrom(host.object("kernels")),
                  .seconds = timesFrom(host, "seconds"),
                  .panelSeconds = timesFrom(host, "panelSeconds")};
  if (!profile.host.kernels.contains("other"))
    throw std::runtime_error("host.kernels.other is missing: what holds for kernels that it does not name");
  host.done();

  if (all.find("device") || all.find("links")) {
    profile.device = deviceFrom(all.object("device"));
    profile.links = linksFrom(all.object("links"));
  }
  if (all.find("network")) {
    Members network = all.object("network");
    profile.network = {.model = network.text("model")};
    const bool ofPorts = network.find("portGBs") || network.find("latencyUs");
    if (ofPorts == (network.find("platform") != nullptr))
      throw std::runtime_error("network has either portGBs and latencyUs, or platform, a file of SimGrid");
    if (!ofPorts) {
      profile.network->platform = network.text("platform");
      if (profile.network->platform.empty())
        throw std::runtime_error("network.platform names no file");
    } else {
      profile.network->bandwidth = network.positive("portGBs", 1e5, 1e9);
      profile.network->latency = network.positive("latencyUs", 1e6, 1e-6);
    }
    network.done();
  }
  if (all.find("noise"))
    profile.noise = noiseFrom(all.object("noise"));
  all.done();
  return profile;
}

} // namespace

MachineProfile parseProfile(const std::string &json) try {
  return profileFrom(readProfileText(json));
} catch (const std::exception &failure) {
  throw UsageError(failure.what());
}

MachineProfile findProfile(const std::string &nameOrFile) {
  const std::optional<std::string> json = textOfProfile(nameOrFile);
  if (!json)
    throw UsageError(unknownProfile(nameOrFile));
  try {
    MachineProfile profile = parseProfile(*json);
    if (profile.network && !profile.network->platform.empty()) // is named from the profile's folder
      profile.network->platform = std::filesystem::path(nameOrFile).replace_filename(profile.network->platform);
    return profile;
  } catch (const UsageError &error) {
    throw UsageError(nameOrFile + ": " + withLine(error.what(), *json));
  }
}

} // namespace tla::runtime
