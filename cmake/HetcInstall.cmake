# What 'cmake --install' puts where. hetc finds the rest relative to its own place (compiler/support/paths.cpp), and the
# libraries each other by $ORIGIN, so the tree may be moved as a whole.
#
#   bin/hetc                       the compiler
#   lib/libtla.so                  the runtime; its modules libtla_tuned.so, libtla_openblas.so, libtla_mpi.so, libtla_cuda.so
#   lib/libtla_predict.so          what predicts runs, and chooses tile sizes
#   lib/libtla_program.so          the main of programs that hetc builds
#   lib/libhetc_c.so               the C interface, include/hetc.h
#   lib/libhetc_lapack.so          LAPACK on tiles, for programs that call LAPACK
#   lib/cmake/hetc/                find_package(hetc): hetc::tla, hetc::predict, hetc::hetc, hetc_add_algorithm
#   include/hetc/                  <tla/...>
#   include/hetc/kernels/          headers that candidates of hetc tune include
#   share/hetc/algorithms/         the standard algorithms
#   share/hetc/spaces/             search spaces, and what their candidates are made of
#   share/hetc/puzzles/            the puzzles' judges, for hetc puzzle
#   share/hetc/clangd              a .clangd for projects with .tla files
#
# Documents, profiles of machines and pkg-config's files: HetcDocuments.cmake.
include(CMakePackageConfigHelpers)

# Not GNUInstallDirs' libdir: hetc looks in ../lib.
set(hetc_library_dir lib)
set(hetc_package_dir lib/cmake/hetc)
set(hetc_header_dir include/hetc)

install(TARGETS hetc RUNTIME DESTINATION bin)
install(TARGETS tla tla_predict tla_program hetc_lapack hetc_c LIBRARY DESTINATION ${hetc_library_dir})
foreach(module tla_tuned tla_openblas tla_mpi tla_cuda)
  if(TARGET ${module})
    install(TARGETS ${module} LIBRARY DESTINATION ${hetc_library_dir})
  endif()
endforeach()
if(TARGET tla_simgrid) # not in packages, which would need SimGrid: cmake --install build/release --component simgrid
  install(TARGETS tla_simgrid LIBRARY DESTINATION ${hetc_library_dir} COMPONENT simgrid EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY dsl/include/ kernels/include/ runtime/include/ DESTINATION ${hetc_header_dir}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def" PATTERN "*.tla")
foreach(folder tuned recursive reference vectors) # for hetc tune
  install(DIRECTORY kernels/${folder} DESTINATION ${hetc_header_dir}/kernels FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(FILES kernels/crew.hpp DESTINATION ${hetc_header_dir}/kernels)
install(DIRECTORY kernels/tuning/spaces DESTINATION share/hetc)
install(DIRECTORY algorithms/ DESTINATION share/hetc/algorithms FILES_MATCHING PATTERN "*.tla" PATTERN "*.hpp")
install(DIRECTORY docs/puzzles/ DESTINATION share/hetc/puzzles FILES_MATCHING PATTERN "*.json" PATTERN "*.tla" PATTERN "*.hpp"
  PATTERN solutions EXCLUDE)
install(FILES c/include/hetc.h DESTINATION include)

# Not in a folder that find_package() searches where the build's bin is in PATH, as build/release/cmake: its paths are those
# of an installed tree.
set(hetc_package_source ${PROJECT_BINARY_DIR}/generated/package)
file(REMOVE ${PROJECT_BINARY_DIR}/cmake/hetcConfig.cmake ${PROJECT_BINARY_DIR}/cmake/hetcConfigVersion.cmake) # of earlier builds
configure_package_config_file(cmake/hetcConfig.cmake.in ${hetc_package_source}/hetcConfig.cmake
  INSTALL_DESTINATION ${hetc_package_dir})
write_basic_package_version_file(${hetc_package_source}/hetcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${hetc_package_source}/hetcConfig.cmake ${hetc_package_source}/hetcConfigVersion.cmake
  cmake/hetcAddAlgorithm.cmake DESTINATION ${hetc_package_dir})

# Names the headers by their installed place, which is known when it is installed.
install(CODE "
  set(hetc_headers \"\${CMAKE_INSTALL_PREFIX}/${hetc_header_dir}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/cmake/clangd.in\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/hetc/clangd\"
    @ONLY)")
