// What the commands that execute no kernel have in common: cost, sim, plan.
#pragma once

#include "runtime/predict/machine/machine_profile.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/predict/plan/plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace tla::host {

inline constexpr int mostNodes = 1 << 16;

/// The number that an option has, within bounds. Throws UsageError.
int numberOf(const std::string &option, const std::string &text, long low, long high);

/// The value of --network: "23GB/s:1.5us", of each node's port and each message, or a platform file of SimGrid. Throws
/// UsageError.
runtime::MachineProfile::Network networkNamed(const std::string &text);
/// Nodes of the settings' machine have this network between them.
void setNetwork(Settings &settings, const runtime::MachineProfile::Network &network);

/// The words of a run's options that stand for --platform. Throws UsageError for one that is none.
std::vector<std::string> devicesOfPlatform(const std::string &platform);

/// The value of --dist of these commands: a distribution, or the family whose best one is wanted for --nodes.
using WantedOwners = std::variant<Family, Distribution>;

/// Reads "2dbc", "g2dbc", "sbc", "auto", or a distribution of at most mostNodes nodes. Throws UsageError.
WantedOwners parseOwners(const std::string &text);
/// The text that parseOwners() reads.
std::string nameOf(const WantedOwners &owners);

/// The distribution itself, or the best of the family for so many nodes, 0: not given. Throws UsageError.
Distribution resolveOwners(const WantedOwners &owners, const Problem &problem, int nodes);

/// Returns the owners that --dist names, or another of the options of a run; nothing: none does. `nodes`: those the
/// command has, 0: it does not say. Throws UsageError for both, and for weights of another number.
std::optional<WantedOwners> ownersOf(std::optional<WantedOwners> dist, const Settings &settings, int nodes);

/// Parses what the command declares; false when help was asked for, and is printed. Throws UsageError.
bool parsePrinting(CLI::App &app, int argc, const char *const *argv);

/// As a run of this problem on one node with these settings finds it: tile size, cut and shares.
Plan planCounting(const Problem &problem, const Settings &settings,
                  const std::vector<runtime::AcceleratorProperties> &devices);

/// The settings of a run with such options, program's name first. Nothing: help was asked for, and is printed. Throws
/// UsageError.
std::optional<Settings> settingsOf(const runtime::Algorithm &algorithm, const std::vector<std::string> &words);

/// The file that --json names can be written, and is none that anything else is read from or written to. Throws
/// UsageError.
void prepareJson(const runtime::Algorithm &algorithm, const Settings &settings);

/// Returns the command's result, or reports what it throws and returns the exit code of that.
int exitCodeOf(const runtime::Algorithm &algorithm, const std::function<int()> &command);

/// The text where people read, the JSON where --json says.
void writeReport(const Settings &settings, const std::string &text, const std::string &json);

} // namespace tla::host
