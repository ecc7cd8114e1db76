// page.html, as the build has put it into the program.
#pragma once

namespace hetc::graph {

/// With {{TITLE}}, {{SUM}} and {{PICTURE}} to be filled in.
extern const char *const pageText;

} // namespace hetc::graph
