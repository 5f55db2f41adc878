# Functions of this project's build.

# cpnlint_library(NAME FOLDERS dir... [EXCLUDE file...] [DEPENDS ours...] [PRIVATE theirs...])
# A static library of the .cpp files that lie directly in the folders. Without any (headers only), an interface library.
function(cpnlint_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;EXCLUDE;DEPENDS;PRIVATE")
  set(sources "")
  foreach(folder IN LISTS arg_FOLDERS)
    file(GLOB found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
    list(APPEND sources ${found})
  endforeach()
  if(arg_EXCLUDE)
    list(REMOVE_ITEM sources ${arg_EXCLUDE})
  endif()
  set_property(GLOBAL APPEND PROPERTY CPNLINT_SOURCES ${sources} ${arg_EXCLUDE})
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE cpnlint_options ${arg_PRIVATE})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${arg_DEPENDS})
  endif()
endfunction()

# cpnlint_check_all_built(dir...): every .cpp below the folders is in some library; a folder that nobody listed would
# otherwise show as missing symbols, or not at all.
function(cpnlint_check_all_built)
  get_property(built GLOBAL PROPERTY CPNLINT_SOURCES)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE there CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
    list(REMOVE_ITEM there ${built})
    if(there)
      message(FATAL_ERROR "no library in CMakeLists.txt takes these: ${there}")
    endif()
  endforeach()
endfunction()

# cpnlint_define_version(target...): CPNLINT_VERSION, for the few targets that show it; a new version then
# recompiles those alone.
function(cpnlint_define_version)
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      target_compile_definitions(${target} PRIVATE CPNLINT_VERSION="${PROJECT_VERSION}")
    endif()
  endforeach()
endfunction()

# cpnlint_embed(TARGET FILE [NAME])
# Puts the bytes of FILE into TARGET and makes a header for them: NAME (or the file's stem, as a C identifier) gives
# `#include "embedded/NAME.h"` with `std::string_view cpnlint::embedded::NAME()`. The assembler copies the bytes, so a
# file of any size costs no compile time.
function(cpnlint_embed target file)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  cmake_path(GET file STEM LAST_ONLY stem)
  if(ARGC GREATER 2)
    set(stem "${ARGV2}")
  endif()
  string(MAKE_C_IDENTIFIER "${stem}" name)
  set(header "${PROJECT_BINARY_DIR}/generated/embedded/${name}.h")
  set(assembly "${PROJECT_BINARY_DIR}/generated/embedded/${name}.S")
  set(symbol "cpnlint_embedded_${name}")
  file(CONFIGURE OUTPUT "${header}" @ONLY CONTENT [[
#pragma once

#include <string_view>

extern "C" const char @symbol@_begin[];
extern "C" const char @symbol@_end[];

namespace cpnlint::embedded {

inline std::string_view @name@() { return {@symbol@_begin, static_cast<std::size_t>(@symbol@_end - @symbol@_begin)}; }

}  // namespace cpnlint::embedded
]])
  file(CONFIGURE OUTPUT "${assembly}" @ONLY CONTENT [[
    .section .rodata
    .global @symbol@_begin
    .global @symbol@_end
@symbol@_begin:
    .incbin "@file@"
@symbol@_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits
]])
  set_source_files_properties("${assembly}" PROPERTIES OBJECT_DEPENDS "${file}")
  target_sources(${target} PRIVATE "${assembly}")
endfunction()

# cpnlint_rule_registry(TARGET folder...)
# A rule is registered by being there: each rNNN_slug.cpp in the folders defines
# `namespace cpnlint::rules::rNNN { extern constinit const Rule kRule; }`. The source made here lists them by code and
# defines `std::span<const Rule* const> cpnlint::rules::AllRules()`, which rules/engine/rule.h declares.
function(cpnlint_rule_registry target)
  set(codes "")
  foreach(folder IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/r[0-9][0-9][0-9]_*.cpp")
    foreach(file IN LISTS found)
      cmake_path(GET file FILENAME name)
      string(SUBSTRING "${name}" 0 4 code)
      if(code IN_LIST codes)
        message(FATAL_ERROR "two rules have the code ${code}: one of them is ${file}")
      endif()
      list(APPEND codes "${code}")
    endforeach()
  endforeach()
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/rules/engine/rule.h")
    return()
  endif()
  list(SORT codes)
  list(LENGTH codes count)
  set(declarations "")
  set(entries "")
  foreach(code IN LISTS codes)
    string(APPEND declarations "namespace ${code} {\nextern const Rule kRule;\n}\n")
    string(APPEND entries "      &${code}::kRule,\n")
  endforeach()
  set(registry "${PROJECT_BINARY_DIR}/generated/rules/registry.cpp")
  file(CONFIGURE OUTPUT "${registry}" @ONLY CONTENT [[
#include "rules/engine/rule.h"

#include <array>

namespace cpnlint::rules {

@declarations@
std::span<const Rule* const> AllRules() {
  static constexpr std::array<const Rule*, @count@> kRules = {
@entries@  };
  return kRules;
}

}  // namespace cpnlint::rules
]])
  target_sources(${target} PRIVATE "${registry}")
endfunction()

# cpnlint_embed_profiles(TARGET FILE...)
# Machine profiles: the source made here lists them by name and defines `cpnlint::cost::ShippedFiles()`, which
# cost-model/shipped.h declares.
function(cpnlint_embed_profiles target)
  set(includes "")
  set(entries "")
  list(LENGTH ARGN count)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM LAST_ONLY stem)
    string(MAKE_C_IDENTIFIER "profile_${stem}" name)
    cpnlint_embed(${target} "${file}" ${name})
    string(APPEND includes "#include \"embedded/${name}.h\"\n")
    string(APPEND entries "      {\"${stem}\", embedded::${name}()},\n")
  endforeach()
  set(source "${PROJECT_BINARY_DIR}/generated/cost-model/shipped.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
#include "cost-model/shipped.h"

#include <array>

@includes@
namespace cpnlint::cost {

std::span<const ShippedFile> ShippedFiles() {
  static const std::array<ShippedFile, @count@> kFiles = {{
@entries@  }};
  return kFiles;
}

}  // namespace cpnlint::cost
]])
  target_sources(${target} PRIVATE "${source}")
endfunction()
