#include "tools/tuner/report.hpp"
#include "tools/tuner/svg.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace hetc::tuning;

namespace {
/// Reads XML far enough to know that it is well-formed: elements are closed in order, attributes are quoted and named
/// once, references are known. Throws where it is not.
class XmlReader {
public:
  explicit XmlReader(std::string text) : text_(std::move(text)) {}

  int elements() {
    if (starts("<?xml"))
      skipPast("?>");
    if (starts("<!DOCTYPE html>"))
      skipPast(">");
    while (at_ < text_.size())
      text_[at_] == '<' ? readTag() : readText();
    if (!open_.empty() || !count_)
      throw std::runtime_error("not closed");
    return count_;
  }

private:
  bool starts(const std::string &what) const { return text_.compare(at_, what.size(), what) == 0; }
  void skipPast(const std::string &what) { at_ = text_.find(what, at_) + what.size(); }
  void skipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }
  void require(bool holds, const char *what) const {
    if (!holds)
      throw std::runtime_error(std::string(what) + " at " + text_.substr(at_, 40));
  }
  std::string readName() {
    const std::size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(text_.at(at_))) || text_[at_] == '-' || text_[at_] == ':')
      ++at_;
    require(at_ > begin, "expected a name");
    return text_.substr(begin, at_ - begin);
  }
  void readCharacter() {
    const char c = text_.at(at_);
    require(c != '<' && (c >= ' ' || c == '\n' || c == '\t'), "bad character");
    if (c == '&')
      require(starts("&amp;") || starts("&lt;") || starts("&gt;") || starts("&quot;"), "bad reference");
    ++at_;
  }
  void readText() {
    require(!open_.empty() || std::isspace(static_cast<unsigned char>(text_[at_])), "text outside of all elements");
    readCharacter();
  }
  void readTag() {
    ++at_;
    if (text_.at(at_) == '/') {
      ++at_;
      const std::string name = readName();
      require(!open_.empty() && open_.back() == name, "wrong end");
      open_.pop_back();
      require(text_.at(at_++) == '>', "expected '>'");
      return;
    }
    open_.push_back(readName());
    ++count_;
    std::vector<std::string> names;
    for (skipBlanks(); text_.at(at_) != '>' && text_[at_] != '/'; skipBlanks()) {
      names.push_back(readName());
      require(std::count(names.begin(), names.end(), names.back()) == 1, "twice");
      require(starts("=\""), "expected a value");
      for (at_ += 2; text_.at(at_) != '"';)
        readCharacter();
      ++at_;
    }
    if (text_[at_] == '/') {
      ++at_;
      open_.pop_back();
    }
    require(text_.at(at_++) == '>', "expected '>'");
  }

  std::string text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  int count_ = 0;
};

Report sample() {
  Report report;
  report.title = "hetc tune <gemm> & \"more\"";
  report.notes = {"a processor \xff\x01", "5 > 4"};
  for (int each = 0; each < 5000; ++each)
    report.rates.push_back(100 - 0.01 * each);
  report.finalists = {
      {"fma", Kind::Limit, 130, 0}, {"x=1 y=2", Kind::Candidate, 101, 0.02}, {"openblas", Kind::Shipped, 90, 0.1}};
  report.defaultName = "x=1 y=2";
  report.funnel = {{"all points", 1e9}, {"registers", 1e5}, {"nothing", 0}};
  return report;
}

int count(const std::string &text, const std::string &what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}
} // namespace

TEST(XmlReaderOfTheTest, SeesWhatIsWrong) {
  for (const std::string wrong :
       {"<a>", "<a></b>", "<a b=c/>", "<a b=\"1\" b=\"2\"/>", "<a>&nbsp;</a>", "<a>1 < 2</a>", ""})
    EXPECT_THROW(XmlReader(wrong).elements(), std::exception) << wrong;
  EXPECT_EQ(XmlReader("<a><b c=\"1\"/>text &amp;</a>").elements(), 2);
}

TEST(Svg, EscapesText) { EXPECT_EQ(escapeXml("a<b & \"c\">\x01\xc3\xa9"), "a&lt;b &amp; &quot;c&quot;&gt;???"); }

TEST(Report, IsWellFormed) {
  EXPECT_GT(XmlReader(svgOf(sample())).elements(), 50);
  EXPECT_GT(XmlReader(htmlOf(sample())).elements(), 60);
}

TEST(Report, HasItsParts) {
  const std::string page = htmlOf(sample());
  EXPECT_EQ(count(page, "<polyline"), 1);
  EXPECT_EQ(count(page, "<rect"), 40 + 3 + 3); // histogram, finalists, funnel
  for (const char *text : {"5000 candidates", "x=1 y=2 (the default)", ">openblas<", ">registers<", "spread 2.0%"})
    EXPECT_GE(count(page, text), 1) << text;
}

TEST(Report, NeedsNothingElse) {
  const std::string page = htmlOf(sample());
  EXPECT_EQ(count(page, "href") + count(page, "src=") + count(page, "@import") + count(page, "<script"), 0);
}

TEST(Report, OfNothingIsStillAPage) {
  EXPECT_GT(XmlReader(htmlOf(Report())).elements(), 10);
  Report one;
  one.rates = {5};
  EXPECT_GT(XmlReader(svgOf(one)).elements(), 10);
}
