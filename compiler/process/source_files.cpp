#include "compiler/process/source_files.hpp"

#include "compiler/process/files.hpp"

namespace hetc::process {

void SourceFiles::add(std::set<std::string> dependencies, std::set<std::string> absent) {
  dependencies_.merge(dependencies);
  absent_.merge(absent);
}

bool SourceFiles::checkOutput() const { return checkNotInput(output_, {dependencies_.begin(), dependencies_.end()}); }

} // namespace hetc::process
