#pragma once

// Pieces that the HTML page is put together from.

#include <string>
#include <string_view>

#include "cli/report/page_data.h"

namespace cpnlint::report {

// The text of a JSON value in fewer bytes, as base.js reads it.
[[nodiscard]] std::string PackedJson(std::string_view text);

// A model as the text of a JSON value; cli/report/html/model.js reads it.
[[nodiscard]] std::string ModelJson(const PageModel& model);

// Numbers of four significant digits in three signs each, `!` for zero.
[[nodiscard]] std::string PackNumbers(const PageModel& model);

}  // namespace cpnlint::report
