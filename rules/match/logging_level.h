#pragma once

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

enum class Logged : std::uint8_t {
  kAlways,      // no message of a level below warnings
  kByModule,    // the module itself asks for messages of that level: `logging.basicConfig(level=logging.INFO)`
  kByElsewhere  // whether it is written is said elsewhere, or it is not
};
// `logger.info("%s", u)` formats only what the level lets through.
[[nodiscard]] Logged LoggedBy(const analysis::Facts& facts, ir::ValueId op);

}  // namespace cpnlint::rules::match
