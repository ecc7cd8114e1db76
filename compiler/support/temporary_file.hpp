// Files with names that nothing else has. A folder's name is taken as it is: LLVM's functions, which do the same, take
// each % of it for a digit.
#pragma once

#include <string>
#include <system_error>

namespace hetc::support {

/// TMPDIR, or the system's folder for temporary files.
std::string temporaryFolder();
/// "a temporary file in '/tmp' (TMPDIR says where)", of which a message says that it cannot be created.
std::string temporaryPurpose(const std::string &folder);
/// Makes an empty file whose name is `prefix`, which has the folder, then letters and digits, then `suffix`; `path`
/// becomes that name.
std::error_code createUniqueFile(const std::string &prefix, const std::string &suffix, std::string &path);

} // namespace hetc::support
