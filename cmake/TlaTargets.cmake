# Headers of the standard library that nearly every file includes, and that take longer to parse than most files.
set(TLA_COMMON_HEADERS <algorithm> <functional> <map> <memory> <optional> <string> <vector>)

# tla_precompile(TARGET [HEADER...]): parses the common headers, and these, once for all files of the target. The files
# include what they use all the same: presets without precompiled headers (debug, asan, tsan) notice what is missing.
function(tla_precompile target)
  target_precompile_headers(${target} PRIVATE ${TLA_COMMON_HEADERS} ${ARGN})
endfunction()

# tla_compile_quickly(TARGET): for what reads options, converts text and prints, and for tests. -O3 takes two to three
# times as long for the libraries behind that (CLI11, JSON, Clang, GoogleTest), and nothing there is worth it.
function(tla_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
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
  if(count GREATER_EQUAL 8)
    tla_precompile(${name} ${ARG_PRECOMPILED})
  endif()
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
