#include "compiler/driver/check_request.hpp"

#include "compiler/maps/replicate.hpp"
#include "compiler/process/files.hpp"
#include "compiler/split/split.hpp"
#include "runtime/distribution/distribution.hpp"

#include <llvm/Support/raw_ostream.h>

#include <string>
#include <vector>

namespace hetc::driver {

namespace {

bool show(const std::string &error) {
  if (!error.empty())
    llvm::errs() << "hetc: " << error << "\n";
  return error.empty();
}

bool checkSlices(const Request &request) {
  const bool isFine = request.split >= 1 && request.split <= split::mostSlices;
  return show(isFine ? ""
                     : "--split: a tile is cut into 1 (not at all) to " + std::to_string(split::mostSlices) +
                           " slices, not " + std::to_string(request.split));
}

int copiesOf(const std::optional<tla::Distribution> &distribution) { return distribution ? distribution->copies() : 1; }

bool checkMaps(const Request &request) {
  const int copies = copiesWanted(request);
  std::string error;
  if (request.tasks == Tasks::Octal && (request.split > 1 || copies > 1 || request.distribution))
    error = "--tasks octal deals updates to the elements of one node: leave out --split, --copies and --dist";
  else if (copies < 1 || copies > maps::mostCopies)
    error = "nodes stand in 1 to " + std::to_string(maps::mostCopies) + " copies, not " + std::to_string(copies);
  else if (copies > 1 && request.split > 1)
    error = "a program is for slices of tiles (--split) or for copies of nodes (copies=" + std::to_string(copies) +
            "), not for both";
  else if (const int has = copiesOf(request.distribution); has > 1 && has != copies)
    error = "--copies: " + request.distribution->name() + " has " + std::to_string(has) + " copies of nodes, not " +
            std::to_string(copies);
  return show(error);
}

} // namespace

int copiesWanted(const Request &request) {
  return request.copies != 1 ? request.copies : copiesOf(request.distribution);
}

bool checkRequest(const Request &request) {
  std::vector<std::string> given = request.kernelSources;
  given.push_back(request.file);
  return process::checkFile(request.file) && checkSlices(request) && checkMaps(request) &&
         process::checkNotInput(request.output, given);
}

bool checkDistribution(const Request &request) {
  const auto &distribution = request.distribution;
  std::string error;
  if (!distribution && (request.node || request.emit == Emit::Nodes))
    error = "no distribution is named; " + std::string(tla::distributionForms);
  else if (request.node && (*request.node < 0 || *request.node >= distribution->nodes()))
    error = distribution->name() + " has nodes 0 to " + std::to_string(distribution->nodes() - 1) + ", not " +
            std::to_string(*request.node);
  return show(error);
}

} // namespace hetc::driver
