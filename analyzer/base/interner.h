#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/base/id.h"

namespace cpnlint {

using Symbol = Id<struct SymbolTag>;

// Gives equal strings equal ids. Views handed out stay valid as long as the interner.
class Interner {
 public:
  Symbol Intern(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
    const Symbol id(strings_.size());
    ids_.emplace(strings_.emplace_back(text), id);
    return id;
  }

  // None() for text that was never interned: cheaper than Intern where the answer is often no.
  [[nodiscard]] Symbol Find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? Symbol::None() : found->second;
  }

  [[nodiscard]] std::string_view Text(Symbol id) const {
    return id.valid() ? std::string_view(strings_[id.index()]) : std::string_view();
  }

 private:
  std::deque<std::string> strings_;  // a deque never moves its strings, so the keys below stay valid
  std::unordered_map<std::string_view, Symbol> ids_;
};

}  // namespace cpnlint
