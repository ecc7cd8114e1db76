# Headers of the standard library that nearly every file includes, and that take longer to parse than most files.
set(TLA_COMMON_HEADERS <algorithm> <functional> <map> <memory> <optional> <string> <vector>)

# tla_precompile(TARGET [HEADER...]): parses the common headers, and these, once for all files of the target. The files
# include what they use all the same: the preset debug, which has no precompiled headers, notices what is missing.
function(tla_precompile target)
  target_precompile_headers(${target} PRIVATE ${TLA_COMMON_HEADERS} ${ARGN})
endfunction()

# Several files as one: most of the time of a file of this project goes into what it includes. A whole build takes half of
# the time, the build after a change of one file longer. The preset debug, without it, notices what a file forgot to
# include.
option(TLA_UNITY "Compile several source files of a target as one" ON)

# tla_compile_together(TARGET FILES): so many files as one, where that is wanted.
function(tla_compile_together target files)
  if(TLA_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()

# tla_compile_alone(FILE...): files whose names in anonymous namespaces are other files', too.
function(tla_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# tla_compile_quickly(TARGET): for what reads options, converts text and prints, and for tests. -O3 takes two to three
# times as long for the libraries behind that (CLI11, JSON, Clang, GoogleTest), and nothing there is worth it.
function(tla_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# tla_use_fortran_rules(TARGET): complex products as BLAS computes them, without a second look at NaN results.
function(tla_use_fortran_rules target)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fcx-fortran-rules>)
endfunction()

# tla_add_library(NAME SOURCES a.cpp ... [LINKS ...] [PRIVATE_LINKS ...] [SHARED] [PRECOMPILED <header> ...])
# Every library of the project goes through here: same warnings, same standard, includes relative to the root. Common
# headers are precompiled for libraries of many files, and those after PRECOMPILED.
function(tla_add_library name)
  cmake_parse_arguments(ARG "SHARED" "" "SOURCES;LINKS;PRIVATE_LINKS;PRECOMPILED" ${ARGN})
  if(ARG_SHARED)
    add_library(${name} SHARED ${ARG_SOURCES})
  else()
    add_library(${name} STATIC ${ARG_SOURCES})
  endif()
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE tla_warnings ${ARG_PRIVATE_LINKS})
  list(LENGTH ARG_SOURCES count)
  tla_compile_together(${name} 8)
  if(count GREATER_EQUAL 8)
    tla_precompile(${name} ${ARG_PRECOMPILED})
  endif()
endfunction()

# tla_add_whole_library(NAME SOURCE x.cpp PARTS a b ... LINKS PUBLIC|PRIVATE ...): a shared library that holds static ones
# whole. Whatever it uses beyond them has to be among LINKS: no name is left for whoever loads it, which is how a library
# that must not need another one is kept from that.
function(tla_add_whole_library name)
  cmake_parse_arguments(ARG "" "SOURCE" "PARTS;LINKS" ${ARGN})
  set(archives ${ARG_PARTS})
  list(TRANSFORM archives REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  add_library(${name} SHARED ${ARG_SOURCE})
  add_dependencies(${name} ${ARG_PARTS})
  target_link_libraries(${name} PUBLIC tla_runtime_interface
    PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive ${ARG_LINKS})
  if(NOT TLA_SANITIZE) # whose names are the program's
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN" LINK_DEPENDS "${archives}")
endfunction()

# tla_precompile_test(TARGET): GoogleTest and the common headers, parsed once for all tests. A target whose options differ
# in more than definitions and folders cannot use it.
function(tla_precompile_test target)
  if(NOT TARGET tla_test_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/test_headers.cpp CONTENT "// What tla_precompile_test compiles.\n")
    add_library(tla_test_headers OBJECT ${PROJECT_BINARY_DIR}/generated/test_headers.cpp)
    target_link_libraries(tla_test_headers PRIVATE tla_warnings GTest::gtest)
    tla_compile_quickly(tla_test_headers)
    target_precompile_headers(tla_test_headers PRIVATE <gtest/gtest.h> ${TLA_COMMON_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM tla_test_headers)
endfunction()

# tla_add_unit_test(NAME [LONG] [FILTER pattern] SOURCES a.cpp ... [LINKS ...]): a GoogleTest executable, labelled unit,
# and quick unless it is LONG: takes more than some 25 s, and starts before the others, so that no processor waits for
# it at the end. FILTER is GoogleTest's, for what runs every day.
function(tla_add_unit_test name)
  cmake_parse_arguments(ARG "LONG" "FILTER" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} tla_warnings GTest::gtest GTest::gtest_main)
  tla_compile_quickly(${name})
  tla_compile_together(${name} 6)
  tla_precompile_test(${name})
  set(filter)
  if(ARG_FILTER)
    set(filter "--gtest_filter=${ARG_FILTER}")
  endif()
  add_test(NAME unit.${name} COMMAND ${name} ${filter})
  set(labels unit)
  if(NOT ARG_LONG)
    list(APPEND labels quick)
  endif()
  set_tests_properties(unit.${name} PROPERTIES LABELS "${labels}" TIMEOUT 300)
  if(ARG_LONG)
    set_tests_properties(unit.${name} PROPERTIES COST 100)
  endif()
endfunction()
