# What tools/package makes of the installed tree (HetcInstall.cmake): a Debian package, and a tarball that may be unpacked
# anywhere. Both run programs with the system's compiler and libraries, which the package depends on.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME hetc)
set(CPACK_PACKAGE_VENDOR hetc)
set(CPACK_PACKAGE_CONTACT "the developers of hetc <hetc@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dense linear algebra on tiles: written once, run on every core, device and node")
set(CPACK_PACKAGE_FILE_NAME hetc-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/HetcPackagePrefix.cmake)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
find_package(LLVM 19.1 REQUIRED CONFIG)
# Clang's own headers, and what the programs that hetc builds are linked with.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${LLVM_VERSION_MAJOR}, g++")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, graphviz")

install(FILES LICENSE DESTINATION share/doc/hetc RENAME copyright)
include(CPack)
