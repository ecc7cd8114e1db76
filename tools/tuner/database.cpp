#include "tools/tuner/database.hpp"

#include "dsl/base/file_lock.hpp"
#include "dsl/base/shallow_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace hetc::tuning {

namespace {
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int version = 1;
constexpr const char *versionKey = "hetc_tuning";

const std::array<std::string, 4> kindNames = {"candidate", "shipped", "library", "limit"};
const std::array<std::string, 7> statusNames = {"measured", "slow",    "wrong",        "uncompiled",
                                                "crashed",  "timeout", "out of memory"};

Json toJson(const Identity &identity) {
  return {{versionKey, version},           {"kernel", identity.kernel},
          {"target", identity.target},     {"type", identity.type},
          {"device", identity.device},     {"driver", identity.driver},
          {"compiler", identity.compiler}, {"sources", identity.sources},
          {"problem", identity.problem},   {"iterators", identity.iterators}};
}

Json toJson(const Result &result) {
  return {{"point", result.point},   {"status", name(result.status)}, {"gflops", result.gflops},
          {"spread", result.spread}, {"rounds", result.rounds},       {"message", result.message}};
}

Json toJson(const Final &final) {
  Json list = Json::array();
  for (const Finalist &each : final.finalists)
    list.push_back({{"name", each.name}, {"kind", name(each.kind)}, {"gflops", each.gflops}, {"spread", each.spread}});
  return {{"final", list}, {"winner", final.winner}, {"date", final.date}};
}

/// A value of an enumeration by its name. Throws, as all that reads does.
template <typename Enum> Enum valueOf(const Json &name, std::span<const std::string> names) {
  const auto found = std::ranges::find(names, name.get<std::string>());
  if (found == names.end())
    throw std::out_of_range("no such name");
  return static_cast<Enum>(found - names.begin());
}

Result resultFrom(const Json &line) {
  Result result;
  result.point = line.at("point").get<Point>();
  result.status = valueOf<Status>(line.at("status"), statusNames);
  result.gflops = line.at("gflops").get<double>();
  result.spread = line.at("spread").get<double>();
  result.rounds = line.at("rounds").get<int>();
  result.message = line.at("message").get<std::string>();
  return result;
}

Final finalFrom(const Json &line) {
  Final final;
  for (const Json &each : line.at("final"))
    final.finalists.push_back({each.at("name").get<std::string>(), valueOf<Kind>(each.at("kind"), kindNames),
                               each.at("gflops").get<double>(), each.at("spread").get<double>()});
  final.winner = line.at("winner").get<std::string>();
  final.date = line.at("date").get<std::string>();
  return final;
}

/// The difference between a file's first line and the expected one; empty: there is none.
std::string difference(const Json &found, const Identity &identity) {
  if (!found.is_object() || !found.contains(versionKey))
    return "is no database of hetc tune";
  if (found[versionKey] != version)
    return "is of another version of hetc";
  const Json expected = toJson(identity);
  for (const auto &[key, value] : expected.items())
    if (!found.contains(key) || found[key] != value) {
      const auto text = [](const Json &each) { return each.is_string() ? each.get<std::string>() : each.dump(); };
      return "is of another " + (key == "iterators" ? std::string("space") : key) + ": " +
             (found.contains(key) ? text(found[key]) : "none") + ", here it is " + text(value);
    }
  return "";
}

std::string systemMessage() { return std::strerror(errno); }

bool endsInNewline(const std::string &file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in || in.tellg() == std::streampos(0))
    return true;
  in.seekg(-1, std::ios::end);
  return in.get() == '\n';
}
} // namespace

const std::string &name(Status status) { return statusNames[static_cast<std::size_t>(status)]; }
const std::string &name(Kind kind) { return kindNames[static_cast<std::size_t>(kind)]; }

const Finalist *Final::find(Kind kind) const {
  const auto found = std::ranges::find(finalists, kind, &Finalist::kind);
  return found == finalists.end() ? nullptr : &*found;
}

const Finalist *Final::findWinner() const {
  const auto found = std::ranges::find(finalists, winner, &Finalist::name);
  return found == finalists.end() ? nullptr : &*found;
}

class Database::Lock : public tla::FileLock {
public:
  using FileLock::FileLock;
};

Database::Database(std::string file, Remark remark) : file_(std::move(file)), remark_(std::move(remark)) {}

Database::~Database() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

std::variant<std::unique_ptr<Database>, std::string> Database::open(const std::string &file, const Identity &identity,
                                                                    bool resume, Remark remark) {
  std::unique_ptr<Database> database(new Database(file, std::move(remark)));
  std::error_code ignored;
  fs::create_directories(fs::path(file).parent_path(), ignored);
  const std::string lockFile = file + ".lock";
  const int writable = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const std::string problem = writable < 0 ? systemMessage() : "";
  if (writable >= 0) {
    ::close(writable);
    database->lock_ = std::make_unique<Lock>(lockFile, tla::FileLock::Wait::No);
    if (!database->lock_->held())
      return "another hetc tune is working on '" + file + "'; wait for it, or give another --database";
  }
  if (std::string error = fs::exists(file, ignored) && resume ? database->read(identity) : ""; !error.empty())
    return error;
  if (problem.empty())
    database->startWriting(identity, !resume);
  else
    database->remark_("the database '" + file + "' cannot be written (" + problem + "); results are not kept");
  return database;
}

std::string Database::read(const Identity &identity) {
  std::ifstream in(file_, std::ios::binary);
  std::string line;
  if (!in)
    return "cannot read '" + file_ + "': " + systemMessage();
  if (!std::getline(in, line))
    return "";
  if (std::string what = difference(tla::parseShallow<Json>(line), identity); !what.empty())
    return "'" + file_ + "' " + what + "; start anew without --resume, or give another --database";
  iterators_ = identity.iterators.size();
  for (int number = 2; std::getline(in, line); ++number)
    if (!line.empty())
      readLine(line, number);
  return "";
}

void Database::readLine(const std::string &line, int number) {
  try {
    const Json json = tla::parseShallow<Json>(line);
    if (json.contains("final")) {
      final_ = finalFrom(json);
      return;
    }
    Result result = resultFrom(json);
    if (result.point.size() != iterators_)
      throw std::out_of_range("point");
    results_.push_back(std::move(result));
  } catch (const std::exception &) {
    remark_(file_ + ":" + std::to_string(number) + ": no result; the line is skipped");
  }
}

void Database::startWriting(const Identity &identity, bool anew) {
  std::error_code ignored;
  if (anew && fs::exists(file_, ignored))
    fs::rename(file_, file_ + ".old", ignored);
  const bool isTorn = !endsInNewline(file_);
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    remark_("the database '" + file_ + "' cannot be written (" + systemMessage() + "); results are not kept");
    return;
  }
  if (isTorn)
    append("");
  if (fs::file_size(file_, ignored) == 0)
    append(toJson(identity).dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Database::add(const Result &result) {
  results_.push_back(result);
  append(toJson(result).dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Database::add(const Final &final) {
  final_ = final;
  append(toJson(final).dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// In one call, so that a line is there as a whole or, when the disk is full, is the last.
void Database::append(const std::string &line) {
  if (descriptor_ < 0)
    return;
  const std::string whole = line + "\n";
  errno = 0;
  if (::write(descriptor_, whole.data(), whole.size()) == static_cast<ssize_t>(whole.size()))
    return;
  remark_("cannot write '" + file_ + "': " + (errno ? systemMessage() : "the disk is full") +
          "; what follows is not kept");
  ::close(descriptor_);
  descriptor_ = -1;
}

} // namespace hetc::tuning
