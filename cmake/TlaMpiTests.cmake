# tla_add_mpi_test(NAME RANKS n [EXIT_CODE c] COMMAND program [argument...])
# Runs the program as n ranks on this machine, however few cores it has; the test is called NAME.n, labelled mpi. It
# passes when mpirun returns c (default 0). Nothing is added where there is no mpirun.
function(tla_add_mpi_test name)
  cmake_parse_arguments(ARG "" "RANKS;EXIT_CODE" "COMMAND" ${ARGN})
  if(NOT TARGET tla_mpi OR NOT MPIEXEC_EXECUTABLE)
    return()
  endif()
  if(NOT ARG_EXIT_CODE)
    set(ARG_EXIT_CODE 0)
  endif()
  list(POP_FRONT ARG_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  set(test ${name}.${ARG_RANKS})
  add_test(NAME ${test} COMMAND sh -c "\"$@\"; code=$?; echo \"exit code $code\"; test $code -eq ${ARG_EXIT_CODE}" sh
    ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none -n ${ARG_RANKS} ${program} ${ARG_COMMAND})
  # Ranks that wait give their core to the others. The rest lets root, as in a container, run mpirun at all.
  # Sanitizers: Open MPI leaks, and its locks are not instrumented.
  set(environment OMPI_MCA_mpi_yield_when_idle=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1:detect_deadlocks=0)
  set_tests_properties(${test} PROPERTIES LABELS mpi TIMEOUT 120 PROCESSORS ${ARG_RANKS} ENVIRONMENT "${environment}")
endfunction()
