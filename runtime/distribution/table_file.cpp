#include "runtime/distribution/table_file.hpp"

#include "dsl/base/streams.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>
#include <string_view>

namespace tla {

namespace {
/// Enough for maxFileEntries numbers with blanks and comments. A device or a wrong file is not read to its end.
constexpr std::size_t maxFileBytes = std::size_t(1) << 20;

/// Reads numbers row by row. The first mistake ends it, as UsageError.
class TableReader {
public:
  explicit TableReader(std::string path) : path_(std::move(path)) {}

  void read() {
    TextReader lines(load());
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      readRow(std::string_view(line).substr(0, line.find('#')));
    }
    if (table_.empty())
      throw UsageError("'" + path_ + "' has no node numbers: rows of them are expected, such as '0 1'");
    requireNoGap();
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::vector<int> &table() { return table_; }

private:
  [[noreturn]] void failAt(std::size_t column, const std::string &message) const {
    throw UsageError(path_ + ":" + std::to_string(line_) + ":" + std::to_string(column + 1) + ": " + message);
  }

  std::string load() const {
    errno = 0;
    FileReader file(path_, std::ios::binary);
    std::string text(maxFileBytes + 1, '\0');
    // A directory opens, and fails when it is read.
    if (!file || (file.read(text.data(), text.size()), file.bad() || (!file.gcount() && errno)))
      throw UsageError("cannot read '" + path_ + "': " + std::strerror(errno));
    text.resize(file.gcount());
    if (text.size() > maxFileBytes)
      throw UsageError("'" + path_ + "' is larger than 1 MiB: not a table of node numbers");
    return text;
  }

  void readRow(std::string_view row) {
    constexpr std::string_view blanks = " \t\r";
    int numbers = 0;
    std::size_t begin = row.find_first_not_of(blanks), end = 0;
    for (; begin != row.npos; begin = row.find_first_not_of(blanks, end), ++numbers) {
      end = std::min(row.find_first_of(blanks, begin), row.size());
      readNumber(row.substr(begin, end - begin), begin);
    }
    if (numbers == 0)
      return;
    if (++rows_ == 1)
      columns_ = numbers;
    if (numbers != columns_)
      failAt(end,
             "this row has " + std::to_string(numbers) + " node numbers, the rows above " + std::to_string(columns_));
  }

  void readNumber(std::string_view word, std::size_t column) {
    const std::string quoted = "'" + std::string(word) + "'";
    long node = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), node);
    if (status == std::errc::invalid_argument || end != word.data() + word.size())
      failAt(column, quoted + " is not a node number");
    if (word[0] == '-')
      failAt(column, "node " + std::string(word) + ": nodes are numbered from 0");
    if (table_.size() == maxFileEntries)
      failAt(column, "more than " + std::to_string(maxFileEntries) + " node numbers");
    if (status == std::errc::result_out_of_range || node >= maxFileEntries)
      failAt(column, "node " + std::string(word) + " is more than the " + std::to_string(maxFileEntries) +
                         " numbers that a file may have");
    table_.push_back(static_cast<int>(node));
  }

  void requireNoGap() const {
    const std::set<int> nodes(table_.begin(), table_.end());
    int expected = 0;
    for (const int node : nodes)
      if (node != expected++)
        throw UsageError("'" + path_ + "' gives node " + std::to_string(expected - 1) + " no tile, but has a node " +
                         std::to_string(node) + ": nodes are numbered from 0 without a gap");
  }

  std::string path_;
  std::vector<int> table_;
  int rows_ = 0, columns_ = 0, line_ = 0;
};
} // namespace

Distribution readTableFile(const std::string &path, const std::string &name) {
  TableReader reader(path);
  reader.read();
  return Distribution::table(reader.rows(), reader.columns(), std::move(reader.table()), name);
}

} // namespace tla
