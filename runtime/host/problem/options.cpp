#include "runtime/host/problem/options.hpp"

#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"
#include "runtime/distribution/weighted.hpp"
#include "runtime/host/problem/generators/generators.hpp"
#include "runtime/host/problem/option_values.hpp"
#include "runtime/host/problem/placement.hpp"
#include "runtime/host/problem/quantity.hpp"

#include <CLI/CLI.hpp>

#include <climits>
#include <functional>
#include <ostream>

namespace tla::host {
namespace {
using Strings = std::vector<std::string>;

constexpr long maxSize = INT_MAX;
constexpr long maxThreads = 1024;
constexpr long maxTileSize = 1 << 20;
constexpr long maxSlices = 16;

/// Declares the options; every value is parsed by our own code, so that all messages read alike.
class CommandLine {
public:
  CommandLine(const runtime::Algorithm &algorithm, Settings &settings, runtime::ProfileReader readProfile)
      : algorithm_(algorithm), settings_(settings), readProfile_(readProfile),
        app_(std::string(algorithm.name) + ": an algorithm compiled by hetc from " + algorithm.source, algorithm.name) {
    app_.allow_extras();
    app_.get_formatter()->column_width(34);
    app_.set_version_flag("--version",
                          std::string(algorithm.name) + " (" + algorithm.source + "), hetc " + hetcVersion);
    addSizes();
    addData();
    addRun();
    addRanks();
    addReport();
    addCompiled();
  }

  /// False when help or version was printed.
  bool parse(int argc, const char *const *argv, std::ostream &out) {
    if (!parseOptions(app_, argc, argv, out))
      return false;
    rejectUnknown();
    return true;
  }

private:
  using Handler = std::function<void(const std::string &option, const std::string &text)>;

  void value(const std::string &name, const std::string &type, const std::string &help, Handler handler) {
    app_.add_option_function<std::string>(
            name,
            [name, handler](const std::string &text) {
              const bool shortForm = name.size() == 2 && text.starts_with('='); // -n=5
              handler(name, shortForm ? text.substr(1) : text);
            },
            help)
        ->type_name(type)
        ->group(group_)
        ->take_last();
  }
  void list(const std::string &name, const std::string &type, const std::string &help,
            std::vector<Assignment> &target) {
    app_.add_option_function<Strings>(
            name,
            [name, &target](const Strings &texts) {
              for (const std::string &text : texts)
                target.push_back(assignmentOption(name, text));
            },
            help)
        ->type_name(type)
        ->group(group_)
        ->expected(1)
        ->take_all();
  }
  /// --name or --name=VALUE
  void optionalValue(const std::string &name, const std::string &type, const std::string &help, Handler handler) {
    app_.add_option_function<Strings>(
            name, [name, handler](const Strings &texts) { handler(name, texts.empty() ? "" : texts.back()); }, help)
        ->type_name(type)
        ->group(group_)
        ->expected(0, 1);
  }
  void flag(const std::string &name, const std::string &help, std::function<void()> handler) {
    app_.add_flag_callback(name, std::move(handler), help)->group(group_);
  }

  /// Two options may not both say who owns tiles, unless one is a form of the other.
  void namesOwners(const std::string &option) {
    constexpr const char *weights = "--node-weights";
    if (!owners_.empty() && (option == weights) != (owners_ == weights))
      throw UsageError("give " + owners_ + " or " + option + ", not both: each says who owns which tile");
    owners_ = option;
  }
  void addSizes();
  void requireSlices(const std::string &option, const std::string &text) const;
  void addData();
  void addRun();
  void addRanks();
  void addReport();
  void addCompiled();

  void rejectUnknown() const {
    for (const std::string &extra : app_.remaining()) {
      if (extra.empty() || extra[0] != '-')
        throw UsageError("unexpected argument '" + extra + "' (--help lists the options)");
      Strings known;
      for (const CLI::Option *option : app_.get_options())
        for (const std::string &name : option->get_lnames())
          known.push_back("--" + name);
      const std::string name = extra.substr(0, extra.find('='));
      const std::string plain = name.substr(std::min(name.find_first_not_of('-'), name.size()));
      for (int i = 0; i < algorithm_.scalarCount; ++i)
        if (plain == algorithm_.scalars[i].name)
          throw UsageError("unknown option '" + name + "'; the program's own parameter is set by --set " + plain +
                           "=VALUE");
      const std::string hint = suggestion(name, known);
      throw UsageError("unknown option '" + name + "'" + (hint.empty() ? " (--help lists the options)" : hint));
    }
  }

  const runtime::Algorithm &algorithm_;
  Settings &settings_;
  runtime::ProfileReader readProfile_;
  CLI::App app_;
  std::string group_, owners_;
};

void CommandLine::addSizes() {
  group_ = "Sizes";
  struct Symbol {
    char letter;
    std::optional<long> Settings::*target;
  };
  for (const Symbol &symbol : {Symbol{'m', &Settings::m}, Symbol{'n', &Settings::n}, Symbol{'k', &Settings::k}})
    value(std::string("-") + symbol.letter, "N", std::string("size ") + symbol.letter + " of the problem, in elements",
          [this, symbol](const std::string &option, const std::string &text) {
            const std::string sizes = algorithm_.sizes;
            if (sizes.find(symbol.letter) == std::string::npos)
              throw UsageError(option + ": " + algorithm_.name + " has no size " + symbol.letter +
                               "; its sizes are: " + sizeList(sizes));
            settings_.*symbol.target = integerOption(option, text, 0, maxSize);
          });
  const auto tileSize = [this](const std::string &option, const std::string &text) {
    settings_.nb = static_cast<int>(integerOption(option, text, 1, maxTileSize));
  };
  value("--nb", "N", "elements per side of a tile; chosen by size and threads when not given", tileSize);
  value("--tile", "N", "the same as --nb", tileSize);
  value("--split", "S",
        "slices that tiles are cut into: auto or as this program was compiled, " + std::to_string(algorithm_.slices()),
        [this](const std::string &option, const std::string &text) { requireSlices(option, text); });
  value("--slice", "N", "columns of each slice but the last; chosen by tile and devices when not given",
        [this](const std::string &option, const std::string &text) {
          settings_.slice = static_cast<int>(integerOption(option, text, 1, maxTileSize));
        });
}

/// The program's tasks are those on slices, or those on tiles.
void CommandLine::requireSlices(const std::string &option, const std::string &text) const {
  if (text != "auto" && integerOption(option, text, 1, maxSlices) != algorithm_.slices())
    throw UsageError(option + " " + text + ": this program was compiled for " +
                     (algorithm_.slices() == 1 ? "whole tiles" : std::to_string(algorithm_.slices()) + " slices") +
                     "; compile it again with --split=" + text);
}

void CommandLine::addData() {
  group_ = "Data";
  list("--input", "A=FILE", "read matrix A from a .npy or Matrix Market file", settings_.inputs);
  list("--generate", "A=GEN", "make A by a generator: " + generatorHelp(), settings_.generators);
  list("--pattern", "A=FILE[,fill]",
       "of A keep only the tiles in which the Matrix Market file has an entry; with fill also those that elimination "
       "without pivoting fills in",
       settings_.patterns);
  list("--set", "NAME=VALUE", "value of a scalar parameter: alpha=0.5, opA=ConjTrans, z=1+2i", settings_.scalars);
  list("--output", "A=FILE", "write A to a .npy file after the run", settings_.outputs);
  value("--seed", "N", "seed of the generators (default 42)",
        [this](const std::string &option, const std::string &text) {
          settings_.seed = static_cast<std::uint64_t>(integerOption(option, text, 0, LONG_MAX));
        });
}

void CommandLine::addRun() {
  group_ = "Run";
  const auto integer = [this](const char *name, const char *help, int Settings::*target, long most) {
    value(name, "N", help, [this, target, most](const std::string &option, const std::string &text) {
      settings_.*target = static_cast<int>(integerOption(option, text, 1, most));
    });
  };
  integer("--threads", "computing threads of each rank (default: one per core, shared by the ranks of a machine)",
          &Settings::threads, maxThreads);
  integer("--repeat", "run N times on fresh data; report median, min and max", &Settings::repeat, 1000000);
  integer("--window", "tasks in flight at most (default 8192)", &Settings::window, 1 << 26);
  value("--memory", "SIZE", "of each rank, as 64G: the run keeps to it, or says what it needs (default: what is free)",
        [this](const std::string &, const std::string &text) { settings_.memory = memoryOfNode(text); });
  value("--devices", "LIST", "accelerators of each rank: auto, none, emulated:N[,mem=SIZE,...] (default: auto)",
        [this](const std::string &option, const std::string &text) {
          settings_.devices = parsedOption(option, text, [this](const std::string &devices) {
            return runtime::parseDevices(devices, readProfile_);
          });
        });
  value("--device-weights", "W:W...",
        "tile columns of each device in relation to the others, as 10:8:5 (default: by measured rates)",
        [this](const std::string &option, const std::string &text) {
          settings_.deviceWeights = parsedOption(option, text, runtime::parseDeviceWeights);
        });
  value("--device-grid", "PxQ",
        "equal devices stand in P rows and Q columns, and rows of tiles are dealt to them as columns are (default: "
        "columns alone)",
        [this](const std::string &option, const std::string &text) {
          settings_.deviceGrid = periodOption(option, text, "devices");
        });
  flag("--resident",
       "matrices stay with the devices: a run begins and ends with their content there, and copies what the host works "
       "on",
       [this] { settings_.resident = true; });
  value("--order", "ORDER",
        "in which tasks are made on devices: program, blocks of tiles as 3x4 or 3x4:steps, or auto (default: blocks "
        "where the problem is larger than the devices' memory)",
        [this](const std::string &option, const std::string &text) {
          settings_.order = parsedOption(option, text, parseTaskOrder);
        });
  value("--kernels", "SET", "tile kernels: auto, reference, openblas or tuned",
        [this](const std::string &option, const std::string &text) {
          settings_.kernels = enumOption<KernelChoice>(option, text,
                                                       {{"auto", KernelChoice::Auto},
                                                        {"reference", KernelChoice::Reference},
                                                        {"openblas", KernelChoice::OpenBlas},
                                                        {"tuned", KernelChoice::Tuned}});
        });
  optionalValue("--check", "[MODE]", "judge the result: probe (default, O(n^2) work) or full (LAPACK's exact residual)",
                [this](const std::string &option, const std::string &text) {
                  settings_.check =
                      text.empty() ? CheckMode::Probe
                                   : enumOption<CheckMode>(option, text,
                                                           {{"probe", CheckMode::Probe}, {"full", CheckMode::Full}});
                });
  flag("--no-check", "do not judge the result", [this] { settings_.check = CheckMode::None; });
  flag("--serial", "run the serial elision: the same source as plain C++ on one thread",
       [this] { settings_.serial = true; });
}

void CommandLine::addRanks() {
  group_ = "On many nodes (mpirun)";
  const auto distribution = [this](const std::string &prefix) {
    return [this, prefix](const std::string &option, const std::string &text) {
      namesOwners(option);
      settings_.distribution = distributionOption(option, prefix + text);
      if (settings_.distribution)
        requireCopies(*settings_.distribution, algorithm_);
    };
  };
  value("--dist", "DIST",
        "which rank owns which tile: 2dbc:PxQ[,reflected], g2dbc:P[,reflected], row:P, col:Q, sbc:P, file:PATH, each "
        "with ,copies=C (default: the one that moves the fewest bytes and shares the work well)",
        distribution(""));
  value("--grid", "PxQ", "the same as --dist 2dbc:PxQ", distribution("2dbc:"));
  value(
      "--node-weights", "W:W:...",
      "how fast each node is beside the others, by rank: it owns tiles in proportion, in all that is left of a matrix",
      [this](const std::string &option, const std::string &text) {
        namesOwners(option);
        settings_.distribution = parsedOption(option, text, parseWeighted);
        settings_.nodeWeights = weightsOf(*settings_.distribution).weights;
      });
  value(
      "--period", "PxQ",
      "what p() and q() of the matrices are, where a program asks how tiles repeat over nodes (default: the period of "
      "the distribution, 1x1 on one rank); with it one rank computes what a grid of PxQ does, bit for bit",
      [this](const std::string &option, const std::string &text) {
        settings_.period = periodOption(option, text, "tiles");
      });
  value("--generator", "HOW",
        "how ranks find their tasks: auto (default), nodes (by loops of their own) or replay (of all tasks)",
        [this](const std::string &option, const std::string &text) {
          settings_.generator = enumOption<GeneratorChoice>(option, text,
                                                            {{"auto", GeneratorChoice::Auto},
                                                             {"nodes", GeneratorChoice::Nodes},
                                                             {"replay", GeneratorChoice::Replay}});
        });
  value("--watchdog", "SECONDS",
        "end a run in which nothing moves, or a rank does not answer, for so long (default 60; 0: never)",
        [this](const std::string &option, const std::string &text) {
          settings_.watchdogSeconds = secondsOption(option, text);
        });
}

void CommandLine::addReport() {
  group_ = "Report";
  flag("--plan", "print what would be run and how, and stop", [this] { settings_.plan = true; });
  flag("--stats", "time per task statement, workers' load, memory", [this] { settings_.stats = true; });
  optionalValue("--json", "[FILE]",
                "one JSON object on standard output (or into FILE); the readable report moves to standard error",
                [this](const std::string &, const std::string &text) {
                  settings_.json = true;
                  settings_.jsonFile = text.empty() ? "-" : text;
                });
  value("--trace", "FILE",
        "write what ran where and when: .html or .svg as 'hetc trace' draws it, else a Chrome trace "
        "(ui.perfetto.dev)",
        [this](const std::string &, const std::string &text) { settings_.traceFile = text; });
  value("--progress", "WHEN", "progress bar: auto (on a terminal, after 2 s), always or never",
        [this](const std::string &option, const std::string &text) {
          settings_.progress = enumOption<ProgressMode>(
              option, text,
              {{"auto", ProgressMode::Auto}, {"always", ProgressMode::Always}, {"never", ProgressMode::Never}});
        });
  flag("--quiet", "no readable report, only errors", [this] { settings_.quiet = true; });
}

void CommandLine::addCompiled() {
  group_ = "Accepted as this program was compiled";
  value("--type", "T", "the element type this program was compiled for",
        [this](const std::string &option, const std::string &text) {
          const std::string compiled(1, static_cast<char>(algorithm_.type));
          if (text != compiled)
            throw UsageError(option + " " + text + ": this program was compiled for type " + compiled +
                             "; compile it again with --type=" + text);
        });
}

} // namespace

std::optional<Settings> parseCommandLine(const runtime::Algorithm &algorithm, int argc, const char *const *argv,
                                         std::ostream &out, runtime::ProfileReader readProfile) {
  Settings settings;
  CommandLine line(algorithm, settings, readProfile);
  if (!line.parse(argc, argv, out))
    return std::nullopt;
  return settings;
}

/// The first line of CLI11's message, without a full stop.
static std::string readable(std::string message) {
  message = std::string(trim(message.substr(0, message.find('\n'))));
  while (!message.empty() && message.back() == '.')
    message.pop_back();
  return message;
}

bool parseOptions(CLI::App &app, int argc, const char *const *argv, std::ostream &out) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::CallForHelp &) {
    out << app.help();
  } catch (const CLI::CallForVersion &) {
    out << app.version() << '\n';
  } catch (const CLI::ArgumentMismatch &error) {
    const std::string message = error.what(); // "--nb: 1 required N missing"
    throw UsageError(message.substr(0, message.find(':')) + " needs a value");
  } catch (const CLI::ParseError &error) {
    throw UsageError(readable(error.what()));
  }
  return false;
}

std::string matrixNames(const runtime::Algorithm &algorithm) {
  std::string names;
  for (int i = 0; i < algorithm.matrixCount; ++i)
    names += (i ? ", " : "") + std::string(algorithm.matrices[i].name);
  return names;
}

int findMatrix(const runtime::Algorithm &algorithm, const std::string &name, const char *option) {
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (name == algorithm.matrices[i].name)
      return i;
  throw UsageError(std::string(option) + ": " + algorithm.name + " has no matrix '" + name +
                   "'; its matrices are: " + matrixNames(algorithm));
}

} // namespace tla::host
