# Installs hetc, then builds and runs project/ as its user would. Run with cmake -P and
#
#   HETC_BUILD   build folder to install from
#   GENERATOR    of the project
#   CXX          its compiler
#   SANITIZE     what hetc is built with (cmake/TlaSanitizers.cmake), or empty
#   WORK         folder to work in; emptied first
set(prefix "${WORK}/an installed hetc") # whose name has blanks
set(project ${WORK}/project)
set(build ${WORK}/build)

# A sanitized libtla.so needs the sanitizer in the program.
if(SANITIZE)
  set(linkSanitizer -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=${SANITIZE})
endif()

# run(NAME COMMAND ...): fails the test when the command fails; else ${NAME} is what it printed.
function(run name)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name} ended with ${code}:\n${text}")
  endif()
  set(${name} "${text}" PARENT_SCOPE)
endfunction()

# refused(NAME TEXT): the build fails and says TEXT.
function(refused what text)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} RESULT_VARIABLE code OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  string(FIND "${output}" "${text}" found)
  if(code EQUAL 0 OR found LESS 0)
    message(FATAL_ERROR "${what}: the build ended with ${code} and should say '${text}':\n${output}")
  endif()
endfunction()

function(require text part what)
  if(NOT text MATCHES "${part}")
    message(FATAL_ERROR "${what}: no '${part}' in:\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
set(documents ${CMAKE_CURRENT_LIST_DIR}/../../../docs)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/project DESTINATION ${WORK})
file(COPY ${documents}/gallery/sylvester/ DESTINATION ${project} FILES_MATCHING PATTERN "sylvester*")
run(install ${CMAKE_COMMAND} --install ${HETC_BUILD} --prefix ${prefix})
run(puzzle ${prefix}/bin/hetc puzzle 1 ${documents}/puzzles/solutions/1.tla)
run(installed ${prefix}/bin/hetc check ${prefix}/share/hetc/algorithms/posv.tla)
if(NOT EXISTS ${prefix}/lib/libhetc_lapack.so)
  message(FATAL_ERROR "the drop-in library was not installed:\n${install}")
endif()

# Documents, manual pages, profiles; the hetc of a name, and a profile of a file.
foreach(file share/doc/hetc/README.md share/doc/hetc/docs/running.md share/man/man1/hetc-run.1 share/hetc/fortran/hetc.f90)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} was not installed:\n${install}")
  endif()
endforeach()
run(named ${CMAKE_COMMAND} -E chdir ${WORK} ${prefix}/bin/hetc check cholesky)
run(profile ${prefix}/bin/hetc run cholesky -n 4000 --nb 500 --devices profile:${prefix}/share/hetc/profiles/k40c.json)

# C without CMake.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG AND NOT SANITIZE)
  run(flags ${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=${prefix}/lib/pkgconfig" ${PKG_CONFIG} --cflags --libs hetc)
  string(STRIP "${flags}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(compiled cc -std=c99 ${CMAKE_CURRENT_LIST_DIR}/../../docs/Inputs/factorize.c ${flags} -o ${WORK}/factorize)
  run(factorized ${WORK}/factorize)
  require("${factorized}" "L\\(1, 1\\) = 22.36" "a program in C")
  run(flags ${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=${prefix}/lib/pkgconfig" ${PKG_CONFIG} --cflags --libs hetc-cxx)
  require("${flags}" "-ltla" "hetc-cxx.pc")
endif()

run(configure ${CMAKE_COMMAND} -S ${project} -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_PREFIX_PATH=${prefix} ${linkSanitizer})
run(built ${CMAKE_COMMAND} --build ${build})
run(ran ${build}/sylvester)
run(asked ${build}/asks)
require("${asked}" "none-such" "a profile that there is not")

# The build that hetc comes from is no installed one, though its commands may come first in PATH.
run(found ${CMAKE_COMMAND} -E env "PATH=${HETC_BUILD}/bin:${prefix}/bin:$ENV{PATH}" ${CMAKE_COMMAND} -S ${project} -B ${WORK}/found
  -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} ${linkSanitizer})
file(STRINGS ${WORK}/found/CMakeCache.txt found REGEX "^hetc_DIR")
require("${found}" "an installed hetc/lib/cmake/hetc" "the package that PATH leads to")

# What an algorithm includes is watched, and nothing is done twice.
run(again ${CMAKE_COMMAND} --build ${build})
if(again MATCHES "hetc: ")
  message(FATAL_ERROR "the second build compiled again:\n${again}")
endif()
file(TOUCH ${project}/sylvester_tile.hpp)
run(touched ${CMAKE_COMMAND} --build ${build})
require("${touched}" "hetc: sylvester \\(d\\)" "after a change of the header")
if(touched MATCHES "hetc: cholesky")
  message(FATAL_ERROR "an algorithm was compiled again that does not include the header:\n${touched}")
endif()

# A .tla is C++ to other tools: the compilation database names it, and its options are all that is needed.
file(READ ${build}/compile_commands.json commands)
require("${commands}" "-x c\\+\\+ [^\n]*sylvester\\.tla" "compile_commands.json")
run(serial ${CXX} -x c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-unknown-pragmas
  -I${prefix}/include/hetc ${project}/sylvester.tla)

# Mistakes are errors of the build, in the user's words.
run(configure ${CMAKE_COMMAND} -S ${project} -B ${build} "-DSYLVESTER_TYPES=s\\;d\\;z")
refused("a kernel without a body for a type" "sylvesterTile<float>")
run(configure ${CMAKE_COMMAND} -S ${project} -B ${build} "-DSYLVESTER_TYPES=d\\;z")
file(READ ${project}/sylvester.tla algorithm)
string(REPLACE "A(l, i)" "A(l, i + 1)" algorithm "${algorithm}")
file(WRITE ${project}/sylvester.tla "${algorithm}")
refused("an index that leaves its matrix" "sylvester.tla:13:")
