#pragma once

// The compiled-in tables; only api.cpp reads them.

#include <span>
#include <string_view>

#include "analyzer/api/api.h"

namespace cpnlint::api {

struct Table {
  std::span<const Entry> entries;  // sorted by name
  std::string_view provenance;
};

[[nodiscard]] Table Table2606();
[[nodiscard]] Table Table2607();

}  // namespace cpnlint::api
