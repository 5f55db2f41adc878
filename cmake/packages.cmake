# What has to be there, and one line that says what is missing: who installs the source package reads nothing else.
if(NOT cxx_std_20 IN_LIST CMAKE_CXX_COMPILE_FEATURES)
  message(FATAL_ERROR "cpnlint needs a C++20 compiler (g++ 12 or clang 14); ${CMAKE_CXX_COMPILER} is "
                      "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. CXX=... names another one.")
endif()

set(missing "")
# cpnlint_need(PACKAGE DEBIAN-NAME)
macro(cpnlint_need package debian)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND missing ${debian})
  endif()
endmacro()
find_package(Threads REQUIRED)
cpnlint_need(fmt libfmt-dev)
cpnlint_need(CLI11 libcli11-dev)
cpnlint_need(nlohmann_json nlohmann-json3-dev)
cpnlint_need(tl-expected libexpected-dev)
# The package's own target would link a shared library that a wheel would have to carry; the header does without.
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
if(NOT TOMLPLUSPLUS_INCLUDE_DIR)
  list(APPEND missing libtomlplusplus-dev)
endif()
if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "Building cpnlint needs these packages (names of Debian and Ubuntu): ${missing}\n"
                      "With a wheel nothing has to be built: see whether pip offers one for this system.")
endif()
