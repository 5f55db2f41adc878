#pragma once

// What the generated registry (cmake/cpnlint.cmake: cpnlint_rule_registry) defines is AllRules() of rule.h.
#include "rules/engine/rule.h"
