#include "kernels/tuning/tuner/install_winner.hpp"

#include "compiler/driver/file_lock.hpp"
#include "kernels/winners.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace hetc::tuning {

namespace {
namespace fs = std::filesystem;
using tla::kernels::Winner;

/// Replaces `file` as a whole or not at all.
std::string replaceFile(const fs::path &file, const std::function<void(const fs::path &)> &write) {
  const fs::path partial = file.string() + ".new";
  std::error_code ignored;
  try {
    write(partial);
    fs::rename(partial, file);
    return "";
  } catch (const std::exception &error) {
    fs::remove(partial, ignored);
    return "cannot write '" + file.string() + "': " + error.what();
  }
}

std::string writeList(const fs::path &file, const std::vector<Winner> &winners) {
  return replaceFile(file, [&](const fs::path &partial) {
    std::ofstream out;
    out.exceptions(std::ios::failbit | std::ios::badbit);
    out.open(partial, std::ios::binary);
    for (const Winner &each : winners)
      out << tla::kernels::lineOf(each);
    out.close();
  });
}

Winner describe(const Identity &identity, const Final &final) {
  Winner winner;
  winner.kernel = identity.kernel;
  winner.type = identity.type;
  winner.file = winner.hash = "-";
  winner.sources = tla::kernels::candidateSources();
  winner.date = final.date;
  winner.processor = identity.device;
  winner.gflops = final.findWinner()->gflops;
  if (const Finalist *shipped = final.find(Kind::Shipped)) {
    winner.nameBefore = shipped->name;
    winner.gflopsBefore = shipped->gflops;
  }
  return winner;
}
} // namespace

std::string installWinner(const Identity &identity, const TuneOutcome &outcome) {
  const fs::path folder = tla::kernels::tuningFolder();
  if (folder.empty())
    return "there is no cache directory; set HETC_CACHE_DIR";
  const driver::FileLock lock(folder / "winners.lock");
  if (!lock.held())
    return "'" + folder.string() + "' cannot be written";
  Winner winner = describe(identity, *outcome.final);
  if (!outcome.winnerFile.empty()) {
    winner.hash = tla::kernels::contentHash(outcome.winnerFile);
    winner.file = identity.kernel + "-" + identity.type + "-" + winner.hash + ".so";
    std::string error = replaceFile(folder / winner.file, [&](const fs::path &partial) {
      fs::copy_file(outcome.winnerFile, partial, fs::copy_options::overwrite_existing);
    });
    if (!error.empty())
      return error;
  }
  std::vector<Winner> winners = tla::kernels::readWinners(folder);
  std::vector<std::string> replaced;
  std::erase_if(winners, [&](const Winner &each) {
    const bool isReplaced =
        each.kernel == winner.kernel && each.type == winner.type && each.processor == winner.processor;
    if (isReplaced && each.isBody() && each.file != winner.file)
      replaced.push_back(each.file);
    return isReplaced;
  });
  winners.push_back(winner);
  std::string error = writeList(folder / "winners", winners);
  for (const std::string &file : replaced) {
    std::error_code ignored;
    if (error.empty())
      fs::remove(folder / file, ignored); // programs that run have it loaded
  }
  return error;
}

} // namespace hetc::tuning
