#include "tools/gantt/paje.hpp"

#include "dsl/base/text.hpp"
#include "tools/gantt/colors.hpp"
#include "tools/gantt/table.hpp"

#include <algorithm>
#include <vector>

namespace hetc::gantt {
namespace {
using tla::format;

/// The events that there are, with their fields in order. Types of containers, states and links are declared first.
struct Event {
  const char *name;
  std::vector<const char *> fields; ///< "Name type"
};
enum EventNumber {
  DefineContainer,
  DefineState,
  DefineLink,
  DefineValue,
  Create,
  Destroy,
  SetState,
  StartLink,
  EndLink
};
const std::vector<Event> events = {
    {"PajeDefineContainerType", {"Alias string", "Type string", "Name string"}},
    {"PajeDefineStateType", {"Alias string", "Type string", "Name string"}},
    {"PajeDefineLinkType",
     {"Alias string", "Type string", "StartContainerType string", "EndContainerType string", "Name string"}},
    {"PajeDefineEntityValue", {"Alias string", "Type string", "Name string", "Color color"}},
    {"PajeCreateContainer", {"Time date", "Alias string", "Type string", "Container string", "Name string"}},
    {"PajeDestroyContainer", {"Time date", "Type string", "Name string"}},
    {"PajeSetState", {"Time date", "Type string", "Container string", "Value string", "Tile string", "Task int"}},
    {"PajeStartLink",
     {"Time date", "Type string", "Container string", "Value string", "StartContainer string", "Key string"}},
    {"PajeEndLink",
     {"Time date", "Type string", "Container string", "Value string", "EndContainer string", "Key string"}}};

/// Without what ends a field, here and in the tables that readers make of it.
std::string quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, ',', ';');
  return "\"" + text + "\"";
}

std::string header() {
  std::string text;
  for (std::size_t number = 0; number < events.size(); ++number) {
    text += format("%%EventDef %s %zu\n", events[number].name, number);
    for (const char *field : events[number].fields)
      text += format("%% %s\n", field);
    text += "%EndEventDef\n";
  }
  return text;
}

/// "1 0.5 0.25" of "#ff8040".
std::string colorText(const std::string &color) {
  std::string text;
  for (std::size_t at = 1; at + 1 < color.size(); at += 2)
    text += format(text.empty() ? "%.3f" : " %.3f", std::stoi(color.substr(at, 2), nullptr, 16) / 255.0);
  return quoted(text);
}

/// From `begin` on a lane is in a state.
struct Change {
  Time begin = 0, end = 0;
  std::string value;
  const Piece *piece = nullptr;
};

class Writer {
public:
  Writer(const Timeline &timeline, const Analysis &analysis) : timeline_(timeline), analysis_(analysis) {}

  std::string write() {
    declare();
    lanes();
    for (int row = 0; row < static_cast<int>(lanes_.size()); ++row)
      for (std::size_t lane = 0; lane < lanes_[row].size(); ++lane)
        addStates(lanes_[row][lane], laneName(row, lane));
    addLinks();
    std::ranges::stable_sort(timed_, {}, &Timed::time);
    for (const Timed &event : timed_)
      text_ += event.text;
    addEnd();
    return header() + text_;
  }

private:
  static constexpr const char *nothing = "nothing";
  static constexpr Time resolution = 1e-2; ///< times in traces are rounded

  struct Timed {
    Time time;
    std::string text;
  };

  static std::string seconds(Time time) { return format("%.9f", time * 1e-6); }
  static std::string kernelValue(int kernel) { return "k" + std::to_string(kernel); }
  static std::string causeValue(Cause cause) { return "c" + std::to_string(static_cast<int>(cause)); }
  static std::string rankName(int rank) { return "r" + std::to_string(rank); }
  static std::string laneName(int row, std::size_t lane) {
    return "w" + std::to_string(row) + "." + std::to_string(lane);
  }

  static std::string line(EventNumber event, const std::vector<std::string> &fields) {
    std::string text = std::to_string(event);
    for (const std::string &field : fields)
      text += " " + field;
    return text + "\n";
  }

  /// Types and values; the run and its ranks. Lanes are created by lanes().
  void declare() {
    text_ +=
        line(DefineContainer, {"Run", "0", quoted("Run")}) + line(DefineContainer, {"Rank", "Run", quoted("Rank")}) +
        line(DefineContainer, {"Row", "Rank", quoted("Row")}) + line(DefineState, {"State", "Row", quoted("State")}) +
        line(DefineLink, {"Message", "Run", "Row", "Row", quoted("Message")}) +
        line(DefineValue, {nothing, "State", quoted("nothing"), colorText("#ffffff")}) +
        line(DefineValue, {"sent", "Message", quoted("message"), colorText("#7a5c20")});
    const std::vector<std::string> colors = kernelColors(timeline_.kernels);
    for (std::size_t i = 0; i < timeline_.kernels.size(); ++i)
      text_ += line(DefineValue,
                    {kernelValue(static_cast<int>(i)), "State", quoted(timeline_.kernels[i]), colorText(colors[i])});
    for (int cause = 0; cause < causes; ++cause) {
      const auto each = static_cast<Cause>(cause);
      text_ += line(DefineValue, {causeValue(each), "State", quoted(std::string("idle: ") + nameOf(each)),
                                  colorText(colorOf(each))});
    }
    text_ += line(Create, {seconds(0), "run", "Run", "0", quoted(titleOf(timeline_.facts))});
    for (std::size_t rank = 0; rank < timeline_.ranks.size(); ++rank)
      text_ += line(Create, {seconds(0), rankName(static_cast<int>(rank)), "Rank", "run",
                             quoted("rank " + std::to_string(rank))});
  }

  /// Pieces of a row that overlap are in different ones. Why a row is idle is said in its first.
  void lanes() {
    lanes_.resize(timeline_.rows.size());
    lanesOf_.resize(timeline_.pieces.size());
    for (std::size_t row = 0; row < lanes_.size(); ++row)
      lanes_[row].resize(1);
    for (std::size_t i = 0; i < timeline_.pieces.size(); ++i) {
      const Piece &piece = timeline_.pieces[i];
      auto &lanes = lanes_[piece.row];
      auto lane = std::ranges::find_if(
          lanes, [&](const auto &each) { return each.empty() || each.back().end <= piece.begin + resolution; });
      if (lane == lanes.end())
        lane = lanes.emplace(lanes.end());
      lane->push_back({piece.begin, piece.end, kernelValue(piece.kernel), &piece});
      lanesOf_[i] = static_cast<std::size_t>(lane - lanes.begin());
    }
    for (const Idle &idle : analysis_.idle)
      lanes_[idle.row].front().push_back({idle.begin, idle.end, causeValue(idle.cause)});
    for (std::size_t row = 0; row < lanes_.size(); ++row) {
      std::ranges::stable_sort(lanes_[row].front(), {}, &Change::begin);
      const std::string label = timeline_.rows[row].name;
      for (std::size_t lane = 0; lane < lanes_[row].size(); ++lane)
        text_ +=
            line(Create, {seconds(0), laneName(static_cast<int>(row), lane), "Row", rankName(timeline_.rows[row].rank),
                          quoted(lane ? label + " (" + std::to_string(lane + 1) + ")" : label)});
    }
  }

  void addStates(const std::vector<Change> &changes, const std::string &lane) {
    const auto add = [&](Time time, const std::string &value, const Piece *piece) {
      timed_.push_back({time, line(SetState, {seconds(time), "State", lane, value,
                                              quoted(piece && !piece->tile.empty() ? piece->tile : "-"),
                                              std::to_string(piece ? piece->number : 0)})});
    };
    Time until = 0;
    for (const Change &change : changes) {
      if (change.begin > until)
        add(until, nothing, nullptr);
      add(change.begin, change.value, change.piece);
      until = change.end;
    }
    add(until, nothing, nullptr);
  }

  void addLinks() {
    for (std::size_t i = 0; i < timeline_.pieces.size(); ++i) {
      const Piece &sent = timeline_.pieces[i];
      if (sent.kind != Piece::Kind::Send || sent.otherEnd == Piece::none)
        continue;
      const Piece &received = timeline_.pieces[sent.otherEnd];
      const std::string key = std::to_string(i);
      const Time from = sent.begin, to = std::max(received.end, from);
      timed_.push_back(
          {from, line(StartLink, {seconds(from), "Message", "run", "sent", laneName(sent.row, lanesOf_[i]), key})});
      timed_.push_back({to, line(EndLink, {seconds(to), "Message", "run", "sent",
                                           laneName(received.row, lanesOf_[sent.otherEnd]), key})});
    }
  }

  /// All containers, inner ones first.
  void addEnd() {
    const std::string end = seconds(timeline_.length);
    for (int row = 0; row < static_cast<int>(lanes_.size()); ++row)
      for (std::size_t lane = 0; lane < lanes_[row].size(); ++lane)
        text_ += line(Destroy, {end, "Row", laneName(row, lane)});
    for (std::size_t rank = 0; rank < timeline_.ranks.size(); ++rank)
      text_ += line(Destroy, {end, "Rank", rankName(static_cast<int>(rank))});
    text_ += line(Destroy, {end, "Run", "run"});
  }

  const Timeline &timeline_;
  const Analysis &analysis_;
  std::vector<std::vector<std::vector<Change>>> lanes_; ///< of each row
  std::vector<std::size_t> lanesOf_;                    ///< of each piece, in its row
  std::vector<Timed> timed_;
  std::string text_;
};

} // namespace

std::string pajeOf(const Timeline &timeline, const Analysis &analysis) { return Writer(timeline, analysis).write(); }

} // namespace hetc::gantt
