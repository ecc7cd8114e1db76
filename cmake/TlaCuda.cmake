# -DTLA_CUDA=ON: kernels and accelerators for CUDA devices, the module libtla_cuda.so. Needs the CUDA toolkit, 13.0 or
# newer, no device and no driver. The preset cuda sets it.
option(TLA_CUDA "Build the accelerators of CUDA devices (needs the CUDA toolkit, 13.0 or newer)" OFF)
if(NOT TLA_CUDA)
  return()
endif()

find_program(TLA_NVCC nvcc PATHS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin
  DOC "The compiler for CUDA devices")
mark_as_advanced(TLA_NVCC)
if(NOT TLA_NVCC)
  message(FATAL_ERROR "TLA_CUDA=ON needs nvcc; install the CUDA toolkit, or set CUDA_HOME to its folder")
endif()
set(CMAKE_CUDA_COMPILER ${TLA_NVCC} CACHE FILEPATH "nvcc")
# A100, H100 and H200, B200: machine code for each, which also holds for other devices of their generation.
set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100-real CACHE STRING "Devices to compile for")
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know that nvcc has it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
find_package(CUDAToolkit 13.0 REQUIRED)
