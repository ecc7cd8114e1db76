// Statements of the text form, and what declarations have in common with them.
#pragma once

#include "compiler/ir/program.hpp"
#include "tests/ir_text/word_parser.hpp"

#include <memory>
#include <string>

namespace hetc::ir {

class StatementParser : public WordParser {
public:
  using WordParser::WordParser;

protected:
  std::string parseQualifiedName();
  Bound parseBound();
  Block parseBlockEnd();
  Block parseBlock();

private:
  std::unique_ptr<Call> parseCall();
  std::unique_ptr<Loop> parseLoop();
  ExprRef parseStep(const std::string &variable);
  std::unique_ptr<If> parseIf();
  std::unique_ptr<Task> parseTask();
  Argument parseArgument();
  TileAccess parseAccess();
  TileAccess parseTile();
  TileRange parseRange();
  bool isView() const;
  Strip parseStrip();
  bool parseClause(Task &task);
  void parseTileLocations(Task &task);
  Location parseTileLocation(const Location &ofTask);
};

} // namespace hetc::ir
