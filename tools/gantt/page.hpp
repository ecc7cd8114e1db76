// page.html, as the build has put it into the library.
#pragma once

namespace hetc::gantt {

/// The text of the page, with {{TITLE}} and, behind it, {{DATA}} to be filled in.
extern const char *const pageText;

} // namespace hetc::gantt
