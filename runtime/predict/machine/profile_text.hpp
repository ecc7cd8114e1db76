// Profiles as text: those that hetc knows, files, and profiles that change some figures of another.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace tla::runtime {

/// The text of a profile that hetc knows, by its name in any case or what stands before the '-' in it where no other
/// begins alike ("H200" is "h200-sxm"), or of a file, whose name has '.' or '/'. Nothing: there is none.
std::optional<std::string> textOfProfile(const std::string &nameOrFile);
/// "'h2000' is neither a profile that hetc knows nor a file; there are a100-pcie, ..."
std::string unknownProfile(const std::string &nameOrFile);

/// The content of a profile. Where it has "base", a name as textOfProfile() takes it, that profile's content with the
/// members of this one in place of its own; null takes one away. Throws std::runtime_error.
nlohmann::json readProfileText(const std::string &text);

/// A message that begins with a member, "device.memoryGB is 0; ...", with the member's line where the text has it: "...
/// (line 50)".
std::string withLine(const std::string &message, const std::string &text);

} // namespace tla::runtime
