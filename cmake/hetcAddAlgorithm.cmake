# Part of find_package(hetc).
cmake_policy(VERSION 3.20) # depfiles in every generator; LANGUAGE makes the compiler take a .tla for C++

# hetc_add_algorithm(TARGET FILE.tla [KERNELS a.cpp ...] [TYPES s d c z] [ALGORITHM NAME] [MARCH MARCH])
#
# Makes an algorithm part of TARGET, an executable or library of this directory:
#   - compiles FILE.tla for each type (default: d) and adds the object files;
#   - compiles the KERNELS, C++ files with the bodies of its own kernels, as C++ sources of TARGET;
#   - writes "STEM.tla.hpp" (with ALGORITHM, which a file with several needs: "NAME.tla.hpp"), which TARGET and what links
#     it can include: hetc::NAME(executor, arguments ...), overloaded for the types;
#   - links hetc::tla.
# MARCH is hetc's --march, for kernels whose bodies FILE.tla includes (default: all). The KERNELS have the flags of TARGET.
# hetc sees the include directories and definitions of TARGET. A change in what FILE.tla includes compiles it again.
# FILE.tla is in compile_commands.json, for editors.
function(hetc_add_algorithm target file)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "ALGORITHM;MARCH" "KERNELS;TYPES")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "hetc_add_algorithm: what is '${ARG_UNPARSED_ARGUMENTS}${ARG_KEYWORDS_MISSING_VALUES}'? "
      "(TARGET FILE.tla [KERNELS a.cpp ...] [TYPES s d c z] [ALGORITHM NAME] [MARCH MARCH])")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "hetc_add_algorithm: there is no target '${target}' yet; add it before its algorithms")
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE source)
  cmake_path(GET source STEM name)
  if(ARG_ALGORITHM)
    set(name ${ARG_ALGORITHM})
  endif()
  if(NOT ARG_TYPES)
    set(ARG_TYPES d)
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/hetc/${target})
  file(MAKE_DIRECTORY ${folder})
  set(includes "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>")
  set(definitions "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>>")
  set(arguments ${source} "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>")
  if(ARG_ALGORITHM)
    list(APPEND arguments --algorithm ${ARG_ALGORITHM})
  endif()

  set(march)
  if(ARG_MARCH)
    set(march --march ${ARG_MARCH})
  endif()

  set(header ${folder}/${name}.tla.hpp)
  list(JOIN ARG_TYPES "," types)
  _hetc_command(${header} ${source} "hetc: header of ${name} (${types})" --emit=header --type ${types} ${arguments})
  set(objects)
  foreach(type IN LISTS ARG_TYPES)
    set(object ${folder}/${name}_${type}.o)
    _hetc_command(${object} ${source} "hetc: ${name} (${type})" -c --type ${type} ${march} ${arguments})
    list(APPEND objects ${object})
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON)

  target_sources(${target} PRIVATE ${objects} ${header} ${ARG_KERNELS})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
  target_link_libraries(${target} PUBLIC hetc::tla)

  # Never built: it says to compile_commands.json how FILE.tla is read.
  set_source_files_properties(${source} PROPERTIES LANGUAGE CXX)
  add_library(${target}_${name}_tla OBJECT EXCLUDE_FROM_ALL ${source})
  target_include_directories(${target}_${name}_tla PRIVATE ${includes})
  target_compile_definitions(${target}_${name}_tla PRIVATE ${definitions})
  target_link_libraries(${target}_${name}_tla PRIVATE hetc::tla)
endfunction()

# One run of hetc that writes `output`.
function(_hetc_command output source comment)
  add_custom_command(OUTPUT ${output}
    COMMAND hetc::hetc ${ARGN} -o ${output} --depfile ${output}.d
    DEPENDS ${source} $<TARGET_FILE:hetc::hetc>
    DEPFILE ${output}.d
    COMMENT ${comment}
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
