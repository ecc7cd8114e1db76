#include "tools/tuner/install_winner.hpp"

#include "dsl/base/cache_folder.hpp"
#include "dsl/base/file_lock.hpp"
#include "kernels/winners.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hetc::tuning {

namespace {
namespace fs = std::filesystem;
using tla::kernels::Winner;

std::string replaceFile(const fs::path &file, const std::string &content) {
  const std::error_code error = tla::replaceFile(file, content);
  return error ? "cannot write '" + file.string() + "': " + error.message() : "";
}

std::string writeList(const fs::path &file, const std::vector<Winner> &winners) {
  std::string text;
  for (const Winner &each : winners)
    text += tla::kernels::lineOf(each);
  return replaceFile(file, text);
}

std::string contentOf(const std::string &file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
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
  if (std::string why = tla::makePrivateFolder(folder); !why.empty())
    return why;
  const tla::FileLock lock(folder / "winners.lock");
  if (!lock.held())
    return "'" + folder.string() + "' cannot be written";
  Winner winner = describe(identity, *outcome.final);
  if (!outcome.winnerFile.empty()) {
    winner.hash = tla::kernels::contentHash(outcome.winnerFile);
    winner.file = identity.kernel + "-" + identity.type + "-" + winner.hash + ".so";
    std::string error = replaceFile(folder / winner.file, contentOf(outcome.winnerFile));
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
