# The GPU benchmarks, a program of their own: cpnlint-cuda, which `cpnlint calibrate` looks for beside itself.
#   CPNLINT_CUDA=AUTO  a target where a CUDA compiler is found, built when asked for by name: it takes minutes
#   CPNLINT_CUDA=ON    part of every build; without a compiler that is an error
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(CPNLINT_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CPNLINT_CUDA is ON and no CUDA compiler is found: put nvcc on PATH, or name it in CUDACXX")
  endif()
  message(STATUS "no CUDA compiler: without GPU benchmarks")
  return()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100)
endif()
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
# CMake 3.25 does not know that nvcc has C++20.
foreach(kind STANDARD EXTENSION)
  if(NOT CMAKE_CUDA20_${kind}_COMPILE_OPTION)
    set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
  endif()
endforeach()
find_package(CUDAToolkit REQUIRED)
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(NCCL_LIBRARY nccl HINTS "${CUDAToolkit_LIBRARY_DIR}")

file(GLOB cuda_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/runtime-kernels/bench/*.cu")
add_executable(cpnlint-cuda runtime-kernels/cuda_main.cpp ${cuda_sources})
if(NOT CPNLINT_CUDA STREQUAL "ON")
  set_target_properties(cpnlint-cuda PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
set_target_properties(cpnlint-cuda PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
target_include_directories(cpnlint-cuda PRIVATE "${PROJECT_SOURCE_DIR}")
# -Wpedantic is left out: the host code that nvcc makes has line directives that it rejects.
target_compile_options(cpnlint-cuda PRIVATE
  "$<$<COMPILE_LANGUAGE:CUDA>:--Werror;all-warnings;-Xcompiler=-Wall,-Wextra,-Werror>"
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Werror>")
target_link_libraries(cpnlint-cuda PRIVATE cpnlint_kernels tl::expected Threads::Threads CUDA::cudart_static CUDA::cublas
                                           CUDA::cusolver CUDA::cufft CUDA::curand ${CMAKE_DL_LIBS})
if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
  target_compile_definitions(cpnlint-cuda PRIVATE CPNLINT_NCCL)
  target_include_directories(cpnlint-cuda SYSTEM PRIVATE "${NCCL_INCLUDE_DIR}")
  target_link_libraries(cpnlint-cuda PRIVATE "${NCCL_LIBRARY}")
endif()
