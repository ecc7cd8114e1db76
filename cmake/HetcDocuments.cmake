# What of the documents 'cmake --install' puts where (HetcInstall.cmake):
#
#   share/doc/hetc/                README.md, CHANGELOG.md, CITATION.cff, docs/: pages as in the source, whose links to sources lead nowhere
#   share/man/man1/                hetc.1, hetc-run.1, ...: from docs/options.md, which has what --help prints
#   share/hetc/profiles/           machines for --devices profile: and --platform, to copy and change
#   share/hetc/fortran/hetc.f90    the module for Fortran
#   lib/pkgconfig/                 hetc.pc for C, hetc-cxx.pc for C++
find_package(Python3 REQUIRED COMPONENTS Interpreter)

install(FILES README.md BENCHMARKS.md CHANGELOG.md CITATION.cff DESTINATION share/doc/hetc)
install(DIRECTORY docs DESTINATION share/doc/hetc PATTERN site EXCLUDE PATTERN judges EXCLUDE)
install(DIRECTORY runtime/predict/machine/profiles DESTINATION share/hetc FILES_MATCHING PATTERN "*.json")
install(FILES c/fortran/hetc.f90 DESTINATION share/hetc/fortran)
foreach(package hetc hetc-cxx)
  configure_file(cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/generated/package/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/package/${package}.pc DESTINATION ${hetc_library_dir}/pkgconfig)
endforeach()

# Made when they are installed: docs/options.md changes with the commands.
install(CODE "
  execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/tools/man\" --version ${PROJECT_VERSION}
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/man/man1\" COMMAND_ERROR_IS_FATAL ANY)")
