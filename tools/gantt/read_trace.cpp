#include "tools/gantt/read_trace.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace hetc::gantt {
namespace {
using Json = nlohmann::json;

const std::map<std::string, Row::Kind> rowKinds = {
    {"worker", Row::Kind::Worker},        {"device", Row::Kind::Device}, {"copies in", Row::Kind::CopiesIn},
    {"copies out", Row::Kind::CopiesOut}, {"sends", Row::Kind::Sends},   {"receives", Row::Kind::Receives}};

const char *const notOurs =
    "is no trace of hetc; 'hetc run FILE.tla --trace FILE' and 'hetc sim FILE.tla --trace FILE' write such";

/// Takes the events of a trace in their order: what a row is comes before what is in it.
class Reader {
public:
  void take(const Json &event) {
    const std::string phase = event.at("ph").get<std::string>();
    if (!hasFacts_ && (phase != "M" || event.at("name") != "hetc_run"))
      throw BadTrace(notOurs);
    if (phase == "M")
      takeMetadata(event);
    else if (phase == "X")
      takeSlice(event);
  }

  Timeline finish() {
    if (!hasFacts_)
      throw BadTrace(notOurs);
    if (timeline_.pieces.empty())
      throw BadTrace("has no tasks: nothing was run that could be drawn");
    numberKernels();
    timeline_.dropEmptyRows();
    timeline_.settle();
    return std::move(timeline_);
  }

private:
  void takeMetadata(const Json &event) {
    const std::string name = event.at("name").get<std::string>();
    const Json &args = event.at("args");
    if (name == "hetc_run")
      takeFacts(args);
    else if (name == "thread_name")
      names_[event.at("tid").get<int>()] = args.at("name").get<std::string>();
    else if (name == "hetc_row")
      addRow(event.at("tid").get<int>(), event.at("pid").get<int>(), args.at("kind").get<std::string>());
  }

  void takeFacts(const Json &args) {
    if (hasFacts_)
      throw BadTrace("is of two runs");
    Facts &facts = timeline_.facts;
    facts.program = args.at("program");
    facts.type = args.at("type");
    for (const auto &[symbol, value] : args.at("sizes").items())
      facts.sizes.emplace_back(symbol, value.get<long>());
    facts.nb = args.at("nb");
    facts.seconds = args.at("seconds");
    facts.flops = args.at("flops");
    facts.machine = args.at("machine");
    facts.tasks = args.at("tasks");
    facts.messages = args.at("messages");
    facts.until = args.at("until").is_null() ? 0 : args.at("until").get<double>();
    facts.clocksInStep = args.at("clocks_in_step");
    const int ranks = args.at("ranks");
    if (ranks < 1 || ranks > mostRanks)
      throw BadTrace("has " + std::to_string(ranks) + " ranks, which cannot be");
    timeline_.ranks.resize(ranks);
    hasFacts_ = true;
  }

  void addRow(int tid, int rank, const std::string &kind) {
    requireRank(rank);
    if (kind == "loops") {
      loops_[tid] = rank;
      return;
    }
    const auto known = rowKinds.find(kind);
    if (known == rowKinds.end())
      throw BadTrace("has a row of an unknown kind, '" + kind + "'; it was written by another version of hetc");
    // Rows of messages are lanes, of which each rank has one row here.
    const bool isLane = known->second == Row::Kind::Sends || known->second == Row::Kind::Receives;
    const auto lane = std::pair(rank, known->second);
    if (isLane && lanes_.contains(lane)) {
      rows_[tid] = lanes_[lane];
      return;
    }
    Row row{known->second, rank, names_[tid], -1, false};
    if (row.kind == Row::Kind::Worker) {
      const auto [entry, isFirst] = workersUnit_.try_emplace(rank, units_);
      units_ += isFirst;
      row.unit = entry->second;
      row.generates = isFirst && timeline_.facts.machine.empty();
    } else if (row.kind == Row::Kind::Device) {
      row.unit = units_++;
    }
    rows_[tid] = static_cast<int>(timeline_.rows.size());
    if (isLane)
      lanes_[lane] = rows_[tid];
    timeline_.rows.push_back(std::move(row));
  }

  void takeSlice(const Json &event) {
    const int tid = event.at("tid");
    const Time begin = timeOf(event.at("ts")), end = begin + timeOf(event.at("dur"));
    const std::string name = event.at("name");
    if (const auto loops = loops_.find(tid); loops != loops_.end()) {
      timeline_.ranks[loops->second].waits.push_back(
          {name == "window full" ? Wait::Reason::Window : Wait::Reason::Memory, std::max(begin, 0.0), end});
      return;
    }
    const auto row = rows_.find(tid);
    if (row == rows_.end())
      throw BadTrace("has an event in row " + std::to_string(tid) +
                     ", of which it does not say what it is; write it anew by --trace");
    const Json &args = event.at("args");
    Piece piece;
    piece.row = row->second;
    piece.begin = std::max(begin, 0.0); // two cores' counters differ by some ticks
    piece.end = std::max(end, piece.begin);
    piece.kernel = kernelNumber(event.at("cat").get<std::string>());
    piece.number = args.at("task");
    piece.cause = args.at("cause");
    piece.appended = timeOf(args.at("appended"));
    piece.ready = timeOf(args.at("ready"));
    const Row::Kind kind = timeline_.rows[piece.row].kind;
    if (kind == Row::Kind::Worker || kind == Row::Kind::Device) {
      piece.tile = args.at("tile");
    } else {
      piece.tile = name;
      piece.bytes = args.at("bytes");
      piece.kind = kind == Row::Kind::Sends      ? Piece::Kind::Send
                   : kind == Row::Kind::Receives ? Piece::Kind::Receive
                                                 : Piece::Kind::Copy;
    }
    if (piece.kind == Piece::Kind::Send || piece.kind == Piece::Kind::Receive) {
      piece.peer = args.at(piece.kind == Piece::Kind::Send ? "to" : "from");
      piece.message = args.at("number");
      requireRank(piece.peer);
    }
    timeline_.pieces.push_back(std::move(piece));
  }

  static Time timeOf(const Json &value) {
    const double time = value;
    constexpr double most = 1e12; // microseconds: eleven days
    if (!(std::abs(time) <= most))
      throw BadTrace("has a time that cannot be");
    return time;
  }

  void requireRank(int rank) const {
    if (rank < 0 || rank >= static_cast<int>(timeline_.ranks.size()))
      throw BadTrace("names rank " + std::to_string(rank) + " of " + std::to_string(timeline_.ranks.size()) +
                     " ranks; write it anew by --trace");
  }

  int kernelNumber(const std::string &name) {
    return kernels_.try_emplace(name, static_cast<int>(kernels_.size())).first->second;
  }

  /// In alphabetical order from now on, so that colours do not depend on what came first.
  void numberKernels() {
    std::vector<int> places(kernels_.size());
    for (const auto &[name, number] : kernels_) {
      places[number] = static_cast<int>(timeline_.kernels.size());
      timeline_.kernels.push_back(name);
    }
    for (Piece &piece : timeline_.pieces)
      piece.kernel = places[piece.kernel];
  }

  static constexpr int mostRanks = 1 << 20;
  Timeline timeline_;
  bool hasFacts_ = false;
  std::map<int, std::string> names_;               // by thread
  std::map<int, int> rows_, loops_;                // by thread: the row; the rank whose loops
  std::map<std::pair<int, Row::Kind>, int> lanes_; // rows of messages
  std::map<int, int> workersUnit_;                 // by rank
  int units_ = 0;
  std::map<std::string, int> kernels_;
};

} // namespace

Timeline readTrace(std::istream &in) {
  Reader reader;
  // Events are taken and forgotten one by one: a trace is far larger as a tree of JSON values than as what it says.
  const auto take = [&](int depth, Json::parse_event_t event, Json &value) {
    if (depth == 0 && event == Json::parse_event_t::object_start)
      throw BadTrace(notOurs);
    if (depth != 1 || event != Json::parse_event_t::object_end)
      return true;
    reader.take(value);
    return false;
  };
  try {
    if (in.peek() == std::istream::traits_type::eof())
      throw BadTrace("is empty");
    const Json rest = Json::parse(in, take);
    if (!rest.is_array())
      throw BadTrace(notOurs);
  } catch (const Json::parse_error &error) {
    throw BadTrace("is no JSON, or not whole: byte " + std::to_string(error.byte) +
                   " is not what has to come there; write it anew by --trace");
  } catch (const Json::exception &) {
    throw BadTrace("is a trace of another version of hetc: an event lacks what is needed; write it anew by --trace");
  }
  return reader.finish();
}

} // namespace hetc::gantt
