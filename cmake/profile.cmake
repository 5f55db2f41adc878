# The program laid out by what it does: a first build counts which way each branch goes while it checks the fixtures, the
# second is compiled by these counts. That is twice the build, so it is for the wheels and the benchmark. The counts stay
# until `profile` in the build folder is removed; what has changed since is compiled without.
#
# CPNLINT_PROFILE is ON in the build that is wanted and COUNT in the one that counts, which the first one makes itself.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "CPNLINT_PROFILE is ${CPNLINT_PROFILE}, which needs g++; this is ${CMAKE_CXX_COMPILER_ID}")
endif()
# An object's counts go by its path in the build folder, which is the same in both builds.
set(by_path "-fprofile-prefix-path=${PROJECT_BINARY_DIR}")
set(ours cpnlint_options tree-sitter tree-sitter-python)

function(cpnlint_compile_and_link target)
  get_target_property(type ${target} TYPE)
  set(scope PRIVATE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_compile_options(${target} ${scope} ${ARGN})
  target_link_options(${target} INTERFACE ${ARGN})
endfunction()

if(CPNLINT_PROFILE STREQUAL "COUNT")
  foreach(target IN LISTS ours)
    cpnlint_compile_and_link(${target} "-fprofile-generate=${PROJECT_BINARY_DIR}/counts" "${by_path}")
  endforeach()
  return()
endif()

set(counting "${PROJECT_BINARY_DIR}/profile")
set(passed "")
foreach(name CMAKE_C_COMPILER CMAKE_CXX_COMPILER CMAKE_MAKE_PROGRAM CMAKE_BUILD_TYPE CPNLINT_SDIST_DIR CPNLINT_WERROR)
  list(APPEND passed "-D${name}=${${name}}")
endforeach()
set(checked "${PROJECT_SOURCE_DIR}/tests/fixtures")
set(options --isolated --no-cache --jobs 1 --include-tests --fail-on never)
add_custom_command(
  OUTPUT "${counting}/counted"
  COMMAND "${CMAKE_COMMAND}" -S "${PROJECT_SOURCE_DIR}" -B "${counting}" -G "${CMAKE_GENERATOR}" ${passed}
          -D CPNLINT_PROFILE=COUNT -D CPNLINT_TESTS=OFF -D CPNLINT_CUDA=OFF
  COMMAND "${CMAKE_COMMAND}" --build "${counting}" --target cpnlint
  COMMAND "${counting}/bin/cpnlint" report ${options} --output "text:${counting}/report.txt"
          --output "json:${counting}/report.json" "${checked}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${counting}/counted"
  COMMENT "Building the program that counts, and counting"
  VERBATIM)
add_custom_target(cpnlint_counts DEPENDS "${counting}/counted")
foreach(target IN LISTS ours)
  add_dependencies(${target} cpnlint_counts)
  cpnlint_compile_and_link(${target} "-fprofile-use=${counting}/counts" "${by_path}" -Wno-missing-profile
                           -Wno-error=coverage-mismatch)
endforeach()
