# The parser: tree-sitter's runtime and the Python grammar, as C sources out of the source archives that third_party/
# pins by hash. Targets: tree-sitter, tree-sitter-python.
#
# The archives are kept outside the checkout, so that a second clone or a wiped build folder fetches nothing:
# CPNLINT_SDIST_DIR (cache variable or environment), else cpnlint/sdists under the user's cache folder.

if(DEFINED ENV{CPNLINT_SDIST_DIR})
  set(sdists "$ENV{CPNLINT_SDIST_DIR}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(sdists "$ENV{XDG_CACHE_HOME}/cpnlint/sdists")
elseif(DEFINED ENV{HOME})
  set(sdists "$ENV{HOME}/.cache/cpnlint/sdists")
else()
  set(sdists "${PROJECT_SOURCE_DIR}/.cache/sdists")
endif()
set(CPNLINT_SDIST_DIR "${sdists}" CACHE PATH "Where the pinned source archives are kept")

# Sets ${out} to the path of the archive that ${glob} names, if one with a pinned hash is there; else to "".
function(cpnlint_find_sdist out hashes glob)
  set(${out} "" PARENT_SCOPE)
  file(GLOB archives "${CPNLINT_SDIST_DIR}/${glob}.tar.gz")
  foreach(archive IN LISTS archives)
    file(SHA256 "${archive}" sha)
    if("sha256:${sha}" IN_LIST hashes)
      set(${out} "${archive}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets ${out} to the unpacked folder of the archive that ${glob} names; fetches what ${requirements} lists if need be.
# pip is asked only for what is missing: it spends ten seconds on metadata even when the archive is there.
function(cpnlint_sdist out requirements glob)
  file(STRINGS "${requirements}" lines REGEX "sha256:")
  string(REGEX MATCHALL "sha256:[0-9a-f]+" hashes "${lines}")
  cpnlint_find_sdist(archive "${hashes}" "${glob}")
  if(NOT archive)
    message(STATUS "fetching ${glob} into ${CPNLINT_SDIST_DIR} (once, about ten seconds)")
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    execute_process(
      COMMAND "${Python3_EXECUTABLE}" -m pip download --quiet --disable-pip-version-check --no-deps
              --no-binary tree-sitter,tree-sitter-python --require-hashes
              --dest "${CPNLINT_SDIST_DIR}" --requirement "${requirements}"
      RESULT_VARIABLE failed)
    cpnlint_find_sdist(archive "${hashes}" "${glob}")
  endif()
  if(NOT archive)
    message(FATAL_ERROR
      "No archive ${glob}.tar.gz with the pinned hash is in ${CPNLINT_SDIST_DIR}, and pip could not fetch it "
      "(result ${failed}; its words are above).\n"
      "Without a network, put the archives that third_party/*.txt list into that folder, or name another folder in "
      "the environment variable CPNLINT_SDIST_DIR, and configure again.")
  endif()
  cmake_path(GET archive FILENAME name)
  string(REPLACE ".tar.gz" "" name "${name}")
  set(unpacked "${PROJECT_BINARY_DIR}/third_party")
  if(NOT EXISTS "${unpacked}/${name}")
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${unpacked}")
  endif()
  set(${out} "${unpacked}/${name}" PARENT_SCOPE)
endfunction()

set(pins "${PROJECT_SOURCE_DIR}/third_party")
cpnlint_sdist(core "${pins}/tree-sitter.txt" "tree?sitter-0.25.2")
cpnlint_sdist(grammar "${pins}/tree-sitter.txt" "tree?sitter?python-0.25.0")
cpnlint_sdist(older_grammar "${pins}/tree-sitter-scanner.txt" "tree?sitter?python-0.23.6")

# The scanner comes from the older archive and is mended: template strings, indentation of 256 columns and more,
# continuation lines left of their block, memory that it took anew for each token. The hash pins what is patched, so the
# patch fits exactly or the build stops.
find_program(CPNLINT_PATCH patch REQUIRED)
set(scanner "${PROJECT_BINARY_DIR}/third_party/scanner.c")
execute_process(
  COMMAND "${CPNLINT_PATCH}" --quiet --fuzz=0 --output "${scanner}" "${older_grammar}/src/scanner.c"
          "${pins}/scanner.patch"
  COMMAND_ERROR_IS_FATAL ANY)
# The core gets short ways through what it does most: one more ASCII character of a line, popping a stack that has not
# split, and counting references without locks, for no tree leaves its thread. Trees are the same. lib.c includes the
# other files from its own folder first; it names those that are there, or compiler caches would miss that one was added.
set(core_source "${core}/tree_sitter/core/lib/src")
set(quick_core "${PROJECT_BINARY_DIR}/third_party/core")
set(patched lexer parser stack subtree)
file(READ "${core_source}/lib.c" lib)
file(CONFIGURE OUTPUT "${quick_core}/lib.c" CONTENT "// Mended: @patched@\n@lib@" @ONLY)
foreach(file IN LISTS patched)
  execute_process(
    COMMAND "${CPNLINT_PATCH}" --quiet --fuzz=0 --output "${quick_core}/${file}.c" "${core_source}/${file}.c"
            "${pins}/core-${file}.patch"
    COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${pins}/core-${file}.patch")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${pins}/scanner.patch" "${pins}/tree-sitter.txt" "${pins}/tree-sitter-scanner.txt")

add_library(tree-sitter STATIC "${quick_core}/lib.c")
# Its own records are included as <src/...>, by analyzer/syntax/preorder.cpp and parse_table.cpp alone.
target_include_directories(tree-sitter SYSTEM PUBLIC "${core}/tree_sitter/core/lib/include"
                                                     "${core}/tree_sitter/core/lib"
                                              PRIVATE "${core_source}")
target_compile_definitions(tree-sitter PRIVATE _GNU_SOURCE)
add_library(tree-sitter-python STATIC "${grammar}/src/parser.c" "${scanner}")
target_include_directories(tree-sitter-python SYSTEM PRIVATE "${grammar}/src")
target_link_libraries(tree-sitter-python PUBLIC tree-sitter)
# The core as it comes: the yardstick of tests/bench.
add_library(tree-sitter-bare STATIC EXCLUDE_FROM_ALL "${core_source}/lib.c" "${grammar}/src/parser.c" "${scanner}")
target_include_directories(tree-sitter-bare SYSTEM PUBLIC "${core}/tree_sitter/core/lib/include"
                                                   PRIVATE "${core_source}" "${grammar}/src")
target_compile_definitions(tree-sitter-bare PRIVATE _GNU_SOURCE)
foreach(target tree-sitter tree-sitter-python tree-sitter-bare)
  set_target_properties(${target} PROPERTIES C_STANDARD 11)
  target_compile_options(${target} PRIVATE -w)
endforeach()
# The core calls its small functions for each character and node; as position-independent code, which others might
# replace parts of, it would call each of them in full. The yardstick stays as compilers make it.
foreach(target tree-sitter tree-sitter-python)
  target_compile_options(${target} PRIVATE
                         $<$<C_COMPILER_ID:GNU>:-fno-semantic-interposition;--param=inline-unit-growth=200>)
endforeach()
