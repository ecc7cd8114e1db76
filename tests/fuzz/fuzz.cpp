// Random programs over everything: tools/fuzz. See README.md in this folder.
#include "compiler/support/paths.hpp"
#include "tests/fuzz/campaign.hpp"

#include <tla/kernels/table.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <thread>

#include <unistd.h>

int main(int argc, char **argv) {
  hetc::support::setExecutable(argv[0], reinterpret_cast<void *>(&main));
  CLI::App app("random tile programs, on all kinds of machines, against their serial elision");
  fuzz::Campaign campaign;
  app.add_option("--minutes", campaign.minutes, "how long; without it, and without --cases, 30");
  app.add_option("--cases", campaign.cases, "how many runs, each of some program in some configuration");
  app.add_option("--seed", campaign.seed, "of the first program; each next one is one larger")->capture_default_str();
  app.add_option("--programs", campaign.programs, "how many programs at most");
  app.add_option("--ranks", campaign.bounds.mostRanks, "at most")->capture_default_str()->check(CLI::Range(1, 16));
  app.add_option("--split", campaign.bounds.mostSlices, "slices of a tile at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 8));
  app.add_option("--runs", campaign.bounds.cases, "of each program")->capture_default_str()->check(CLI::Range(2, 100));
  app.add_option("--misfits", campaign.misfits,
                 "percent of the programs with a call whose arguments may not fit together")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  app.add_option("--wide", campaign.wide,
                 "percent of the programs with integers that no int, or 64 bits, hold on the way to what ints do")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  app.add_option("--unwritten", campaign.unwritten,
                 "percent of the programs in which a write of a workspace is left out, or writes only a part")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  app.add_option("--faults", campaign.bounds.faults,
                 "in so many percent of the runs on several ranks something goes wrong")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  app.add_option("--jobs", campaign.jobs, "programs at a time (default: one per core)");
  app.add_option("--mpi", campaign.mpiEvery, "every so many programs one under mpirun, too; 0: none")
      ->capture_default_str();
  app.add_option("--shrink", campaign.shrinkSeconds, "seconds to make a failing program smaller")
      ->capture_default_str();
  app.add_flag("--print", campaign.onlyPrint, "print the programs, with their command lines, and run nothing");
  app.add_option("--keep", campaign.directory, "folder for the programs that failed");
  CLI11_PARSE(app, argc, argv);
  tla::kernels::installKernels("reference");
  return campaign.run() ? 0 : 1;
}
