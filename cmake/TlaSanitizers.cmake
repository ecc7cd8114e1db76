# -DTLA_SANITIZE=address or thread; the presets asan and tsan set it.
set(TLA_SANITIZE "" CACHE STRING "Sanitizer to build everything with: address (with undefined), thread, or empty")
if(TLA_SANITIZE STREQUAL "address")
  # Not vptr: LLVM has no run-time type information, and what includes it is compiled without, beside tests with it.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TLA_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(TLA_SANITIZE)
  message(FATAL_ERROR "TLA_SANITIZE must be 'address', 'thread' or empty, not '${TLA_SANITIZE}'")
endif()
