// page.html, as the build has put it into the program.
#pragma once

namespace hetc::graph {

/// The text of the page, with {{TITLE}}, {{SUM}} and {{PICTURE}} to be filled in.
extern const char *const pageText;

} // namespace hetc::graph
