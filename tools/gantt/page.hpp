// page.html, as the build has put it into the library.
#pragma once

namespace hetc::gantt {

/// With {{TITLE}} and, behind it, {{DATA}} to be filled in.
extern const char *const pageText;

} // namespace hetc::gantt
