#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/syntax/node.h"

// The grammar's symbols and fields, and what they are to us. For the tree builder and for the test that compares them
// with node_kinds.def.

struct TSLanguage;

namespace cpnlint::syntax::internal {

struct GrammarSymbol {
  std::string name;
  bool named = false;
  bool visible = false;        // occurs as a node of a tree
  Kind kind = Kind::kInvalid;  // kOther or kOtherToken where node_kinds.def has no such line
};

const TSLanguage* Language();

// By the grammar's symbol numbers.
const std::vector<GrammarSymbol>& GrammarSymbols();
// By the grammar's field numbers, from 0, which is no field.
const std::vector<std::string>& GrammarFieldNames();

// Tables for the builder: by symbol number, by field number.
const std::vector<Kind>& KindOfSymbol();
const std::vector<Field>& FieldOfNumber();

}  // namespace cpnlint::syntax::internal
