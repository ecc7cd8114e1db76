// The folder in which hetc keeps what it has compiled, measured and tuned for its user.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace tla {

/// $HETC_CACHE_DIR, else hetc in $XDG_CACHE_HOME or ~/.cache; where neither is set, hetc-UID in the directory for
/// temporary files. It need not be there.
std::filesystem::path cacheFolder();

/// The folder of compiled programs: $HETC_PROGRAMS_DIR, else cacheFolder(). It need not be there. Users set the
/// variable to keep programs on a disk of the node while what was measured stays in their home; hetc's own tests set it
/// to compile each program once, whatever else each of them keeps apart.
std::filesystem::path programsFolder();

/// Makes the folder, and those above it that are not there, so that only this user can read and write there. Empty, or
/// why what is in it must not be loaded or run, as whyNotPrivate() says it, or why there is none.
std::string makePrivateFolder(const std::filesystem::path &folder);

/// Checks that a file or folder of a cache is this user's alone, since it is loaded or run as code. Empty, or why a
/// file or folder may be anyone's: "'/tmp/x' belongs to another user", "others may write to '/tmp/x' (mode 777; chmod
/// go-w makes it yours alone)". A file that others may write to is safe in a folder that they cannot enter. Folders
/// further up are not looked at.
std::string whyNotPrivate(const std::filesystem::path &path);

/// Writes a file so that it appears whole or not at all; its folder must exist. Two at a time need a FileLock.
std::error_code replaceFile(const std::filesystem::path &file, std::string_view content);

} // namespace tla
